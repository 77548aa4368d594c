/** Words that a reader fills in. Negations, modal verbs that change the meaning, numbers and names are not among them. */
const FILLERS = new Set(
  (
    'a an the this that these those is are was were be been being am it its there here and so then also just very really ' +
    'quite rather actually basically simply currently now already still even only of to in on at by for with from as into ' +
    'onto upon about over than through during within along i me my mine we us our ours you your yours he him his she her ' +
    'they them their theirs who whom which what whose have has had having do does did doing done will would shall could ' +
    'may might let lets get got gets getting go going goes make makes made making some any such own same other another ' +
    'each both all more most much many lot well too please sure okay ok yes right great perfect good nice thanks thank ' +
    'sorry hello hi hey like want wants wanted need needs see look looks looking ve re ll im'
  ).split(' '),
);
/** What must not be touched: inline code, paths, links, identifiers, numbers, words in capitals. */
const WORD = /^([("'“‘*_]*)([A-Za-z]+(?:['’][a-z]+)?)([)"'”’*_]*)([,;:.!?…]*)$/;
const CODE = /(`[^`]*`)/;
const ENGLISH = new Set(
  'the a an and of to in is are was were that this it for with on as be i you we have has not at by from or can will'.split(
    ' ',
  ),
);
const OTHER = new Set(
  'der die das und ist nicht ein eine zu den dem mit von für auf im es ich wir sie wie le la les et est pas un une des du que je nous vous el los las y no es por para con il di che non per'.split(
    ' ',
  ),
);

/** A sentence without the words that carry little. A word that may be a name (capital inside a sentence) stays. */
export function telegraph(sentence: string): string {
  const parts = sentence.split(CODE);
  const kept: string[] = [];
  parts.forEach((part, index) => {
    if (index % 2 === 1) kept.push(part);
    else kept.push(thin(part, index === 0));
  });
  const text = kept.join('').replace(/ {2,}/g, ' ').trim();
  return text === '' || /^[\p{P}\p{S}\s]*$/u.test(text) ? sentence : text;
}

function thin(part: string, opens: boolean): string {
  const words = part.split(' ');
  const kept = words.filter((word, index) => {
    const found = WORD.exec(word);
    if (!found) return true;
    const plain = found[2]!;
    const name = /^[A-Z]/.test(plain) && !(opens && index === 0);
    if (name || !FILLERS.has(plain.toLowerCase())) return true;
    // Quotes, brackets, emphasis and stops belong to what is around the word.
    return found[1] !== '' || found[3] !== '' || /[.!?:;…]/.test(found[4]!);
  });
  return kept.map((word) => (WORD.test(word) ? word.replace(/,$/, '') : word)).join(' ');
}

/** Whether a message is English enough to leave words out of it. */
export function isEnglish(text: string): boolean {
  const words =
    text
      .slice(0, 4000)
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  let [english, other, ascii] = [0, 0, 0];
  for (const word of words) {
    if (ENGLISH.has(word)) english++;
    else if (OTHER.has(word)) other++;
    if (/^[a-z]+$/.test(word)) ascii++;
  }
  return (
    words.length >= 4 && ascii >= 0.9 * words.length && english > 2 * other && english >= 0.08 * words.length
  );
}
