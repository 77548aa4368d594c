import { sentencesOf } from '../../text/sentences.ts';

/** What an agent's message put to the user: its last question, and the options that it listed, by number or letter. */
export type Offer = { asked: string; options: [label: string, text: string][] };
export type AnsweredOffer = { asked: string; choice?: string };

/** A message that ends in a list of options or in a question has both in its last part. */
const LOOKED_AT = 6000;
const LONGEST = 600;
const MOST_OPTIONS = 12;
const LAST_LINES = 6;
const FENCE = /^\s*(?:`{3,}|~{3,})/;
const OPTION =
  /^\s*(?:#{1,5}\s*|[-*|]\s*)?(?:\*\*|__)?\s*(Option\s+|Approach\s+|Choice\s+|Variant\s+)?\(?([1-9]|[A-Ea-e])\b\s*(?:[).:|—–]|\s-\s)+\s*(.*\S)/i;
/** Most messages neither ask nor list: this is looked for first. */
const MAY_OFFER = /[?？]|\n[^\p{L}\p{N}\n]*(?:\p{L}+ )?\(?[2Bb]\b/u;
const QUESTION = /[?？]["'”’)\]*_]*$/;

/** The part of a message that is looked at. */
export function offeringEnd(message: string): string {
  return message.length <= LOOKED_AT ? message : wholeLines(message, message.slice(-LOOKED_AT));
}

/** What the end of a message offers; undefined if it neither asks nor lists anything. */
export function offerIn(text: string): Offer | undefined {
  if (!text.includes('?') && !MAY_OFFER.test(text)) return undefined;
  const { options, before, rest } = readList(text);
  const asked = questionIn(rest) || (options.length < 2 ? '' : before);
  if (asked === '' || asked.length > LONGEST) return undefined;
  return { asked, options: options.length < 2 ? [] : options };
}

/** The end of a message without the half of a line that it begins with, and without the code that it may begin in. */
function wholeLines(message: string, end: string): string {
  const at = message.length - end.length + end.indexOf('\n') + 1;
  const isInCode =
    message
      .slice(0, at)
      .split('\n')
      .filter((line) => FENCE.test(line)).length %
      2 ===
    1;
  return isInCode ? `\`\`\`\n${message.slice(at)}` : message.slice(at);
}

/** The last question of the last few lines: what is asked further above is no longer waited for. */
function questionIn(lines: string[]): string {
  const sentences = sentencesOf(lines.slice(-LAST_LINES).join('\n'));
  return sentences.findLast((it) => QUESTION.test(it) && !/\p{Cc}|^\p{Ll}+\p{L}* \p{L}*\?$/u.test(it)) ?? '';
}

/** The last list of a text, the line before it, and all that is not in a list. */
function readList(text: string): { options: Offer['options']; before: string; rest: string[] } {
  let options: Offer['options'] = [];
  let before = '';
  const rest: string[] = [];
  let [fenced, named] = [false, false];
  for (const line of text.split('\n')) {
    const isFence = FENCE.test(line);
    if (isFence) fenced = !fenced;
    if (isFence || fenced || line.trim() === '') continue;
    const [, word, sign, body] = OPTION.exec(line) ?? [];
    const label = sign?.toUpperCase();
    if (label === undefined || body === undefined) {
      rest.push(line);
      continue;
    }
    // Steps below an option that is called one are none themselves.
    if (named && word === undefined) continue;
    if (label === '1' || label === 'A' || named !== (word !== undefined)) {
      options = [];
      before = plain(rest.at(-1) ?? '');
      named = word !== undefined;
    }
    if (options.length < MOST_OPTIONS) options.push([label, plain(body)]);
  }
  return { options, before, rest };
}

function plain(text: string): string {
  return text
    .replace(/\*\*|__|[`|]/g, '')
    .replace(/^#+\s*/, '')
    .replace(/\s+/g, ' ')
    .trim();
}

const LEAD = String.raw`^[^\p{L}\p{N}]*(?:(?:yes|yeah|ok|okay|sure|hm+|so|and|i|i['\u2019]d|i think|we|let['\u2019]?s|please|can you|go(?: with| for| ahead with)?|do|try|use|take|pick|choose|prefer|like|want|with|just|definitely|maybe|probably|the)[\s,]+)*`;
const SIGN = '([1-9]|[A-Ea-e])';
const MORE = String.raw`((?:\s*(?:,|\+|&|-|\u2013|and|plus|then|to)\s*(?:options?\s+|#)?(?:[1-9]|[A-Ea-e])(?![\p{L}\p{N}'\u2019]))*)`;
/** "option 2", "let's go with approach B and C, but ..." */
const NAMED = new RegExp(
  `${LEAD}(?:options?|approach(?:es)?|choices?|variants?|numbers?|nr\\.?|#)\\s*\\(?${SIGN}(?![\\p{L}\\p{N}'’])${MORE}`,
  'iu',
);
/** What is said against an option, or asked about it, does not choose it. */
const AGAINST =
  /\b(?:not|no longer|never|neither|or|wrong|bad|worst|odd|strange|risky|complex|complicated|overkill|fail\w*|breaks?|broken?|crash\w*)\b|n['’]t\b/iu;
const CLAUSE = /^(?:(?!\bbut\b)[^.,;:!?\n])*/iu;
const ASKS = /^[^.,;!?\n]*[?？]/u;
const WANTS = /\b(?:can you|let['’]?s|go|do|try|use|take|pick|choose)\b/iu;
/** "2", "B)", "A, please", "1 and 3": nothing but the sign before the first pause; "1. ..." may begin the user's own list. */
const BARE = new RegExp(
  `${LEAD}\\(?${SIGN}(?![\\p{L}\\p{N}'’])${MORE}(?=\\)?\\s*(?:$|[,;!?]|but\\b|please\\b)|(?:[).:]|\\s[—–-])+(?:\\s*$|\\s+(?:but|and|also|please|with|without|because|since|then|is|sounds|seems|looks)\\b)|(?<=[A-E])\\)\\s)`,
  'iu',
);
const SIGNS = /(,|\+|&|-|–|and|plus|then|to)\s*(?:options?\s+|#)?([1-9]|[A-Ea-e])(?![\p{L}\p{N}])/giu;
const MOST_WORDS = 300;

const YES =
  "yes|yep|yeah|yup|ya|sure|ok|okay|correct|right|agreed|absolutely|definitely|exactly|perfect|please|please do|do it|do so|do that|go|go ahead|go for it|proceed|continue|sounds good|looks good|lgtm|that works|works for me|let['’]?s do (?:it|that|this)|let['’]?s go|ja|gerne|genau|oui|s[ií]|да|давай|好|好的|是|是的|可以|はい";
const NO = "no|nope|nah|not yet|don['’]?t|no need|nein|non|нет|不|不用|いいえ";
const PLAIN = new RegExp(
  `^\\W*(?:${YES}|${NO})(?:[\\s,.!]+(?:${YES}|${NO}|thanks|thank you|with (?:it|that)|now|then))*[\\s.!]*$`,
  'iu',
);

/** A correction of oneself: what follows it is meant. */
const SECOND_THOUGHT =
  /(?:^|[\s,.;:!?…—–-])(?:(?:no|nope|wait|hold on|hmm+|oh|oops|err+|nvm|never ?mind|sorry|(?:scratch|strike|forget) that|(?:on |with )?second thoughts?|(?:i )?changed my mind|actually|i mean|i meant|or rather|rather|make (?:it|that)|better|correction|nein|doch|lieber)(?:[\s,.;:!?…—–-]+|$))+/giu;
/** "the second one", "both", "all of them". */
const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth'];
const NTH = new RegExp(
  `${LEAD}(?:(${ORDINALS.join('|')}|last)(?:\\s+(?:one|option|approach|choice|variant|two))?|(both|all)(?:\\s+(?:of (?:them|these|the above)|three|four|options|please))?)[\\s.!,]*(?:please|thanks)?[\\s.!]*$`,
  'iu',
);

/** What short words answer of an offer: "option 2", "C)", "yes". Undefined if they say something of their own. */
export function answerTo(offer: Offer, words: string): AnsweredOffer | undefined {
  if (words.length > MOST_WORDS) return undefined;
  const chosen = chosenAtLast(offer, words);
  if (chosen.length > 0)
    return { asked: offer.asked, choice: chosen.map(([label, text]) => `${label}: ${text}`).join('; ') };
  return PLAIN.test(words) && QUESTION.test(offer.asked) ? { asked: offer.asked } : undefined;
}

/** "2, no wait, 3" is 3; "2, no wait" is nothing yet. */
function chosenAtLast(offer: Offer, words: string): Offer['options'] {
  const ends = [...words.matchAll(SECOND_THOUGHT)].map((found) => found.index + found[0].length);
  for (const end of ends.reverse()) {
    const behind = words.slice(end).replace(/^not\s+\S+?[\s,]+(?:but\s+)?/iu, '');
    const chosen = chosenIn(offer, behind);
    if (chosen.length > 0 || !/[\p{L}\p{N}]/u.test(behind)) return chosen;
  }
  return chosenIn(offer, words);
}

function nthOf(options: Offer['options'], words: string): Offer['options'] {
  const [, nth, every] = NTH.exec(words) ?? [];
  if (every) return every.toLowerCase() === 'all' || options.length === 2 ? options : [];
  if (nth === undefined) return [];
  const at = nth.toLowerCase() === 'last' ? options.length - 1 : ORDINALS.indexOf(nth.toLowerCase());
  return options.slice(at, at + 1);
}

/** Another sign, alone between two pauses: nobody knows which of them is meant. One that is ruled out is none. */
const OTHER_SIGN =
  /(?:^|[,;:.!?(—–]\s*|\b(?:or|options?|approach|choice)\s+)([1-9A-Ea-e])(?=\s*(?:$|[,;:.!?)—–]|please\b))/gu;
const RULED_OUT = /\b(?:not|than|instead of|over|without|no)\s+(?:options?\s+|#)?$/iu;

function isUnclear(behind: string, options: Offer['options'], wanted: ReadonlySet<string>): boolean {
  const labels = new Set(options.map(([label]) => label));
  return [...behind.matchAll(OTHER_SIGN)].some(({ 0: found, 1: sign = '', index }) => {
    const label = sign.toUpperCase();
    const before = behind.slice(0, index + found.length - sign.length);
    return labels.has(label) && !wanted.has(label) && !RULED_OUT.test(before);
  });
}

function chosenIn({ options }: Offer, words: string): Offer['options'] {
  const nth = nthOf(options, words);
  if (nth.length > 0) return nth;
  const [whole = '', first, more = ''] = NAMED.exec(words) ?? BARE.exec(words) ?? [];
  const behind = words.slice(whole.length);
  if (first === undefined || AGAINST.test(CLAUSE.exec(behind)?.[0] ?? '')) return [];
  if (ASKS.test(behind) && !WANTS.test(whole)) return [];
  // A list of the user's own answers several questions.
  if (/^[1a]/i.test(first) && /(?:^|[\s,;])\(?(?:2|B)[).:](?:\s|$)/im.test(behind)) return [];
  const labels = options.map(([label]) => label);
  const wanted = new Set<string>();
  let last = labels.indexOf(first.toUpperCase());
  for (const [, joint = '', sign = ''] of [['', '', first], ...more.matchAll(SIGNS)]) {
    const at = labels.indexOf(sign.toUpperCase());
    const from = /-|–|to/i.test(joint) && last >= 0 ? last : at;
    for (const label of labels.slice(Math.max(from, 0), at + 1)) wanted.add(label);
    last = at;
  }
  if (isUnclear(behind, options, wanted)) return [];
  return options.filter(([label]) => wanted.has(label));
}
