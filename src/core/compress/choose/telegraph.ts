/** Words that a reader fills in. Not among them: negations, "may" and "must", "only" and "all", numbers, names. */
const FILLERS = new Set(
  (
    'a an the this that these those is are was were be been being am it its there here and so then also just very really ' +
    'quite rather actually basically simply essentially currently now of to in on at by for with as onto upon about through ' +
    'during within along which who whom whose what i me my mine myself we us our ours ourselves you your yours yourself he ' +
    'him his himself she her hers herself they them their theirs themselves itself have has had having do does did doing ' +
    'done let lets get got gets getting go goes going gone make makes making put puts come comes coming take takes taking ' +
    'such own well too please sure okay ok yes right great perfect excellent good nice fine thanks thank sorry hello hi hey ' +
    'like look looks looking see sees seen seems seem know think guess bit kind sort way lot stuff thing things ve re ll im'
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
  // Nothing but fillers: the sentence was a short one, and says more whole.
  return text.split(' ').every((word) => isFiller(word)) ? sentence : text;
}

function isFiller(word: string): boolean {
  const plain = WORD.exec(word)?.[2];
  return plain === undefined ? !/[\p{L}\p{N}]/u.test(word) : FILLERS.has(plain.toLowerCase());
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
