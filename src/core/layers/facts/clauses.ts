import { termsOf } from '../../text/terms.ts';

/** One thing that a statement asks for or forbids: its content words in order. */
export type Clause = { negated: boolean; words: ClauseWord[] };
/** `closed`: no further noun follows that would make it a part of another thing, as in "code comments". */
type ClauseWord = { term: string; closed: boolean };

const SPLIT =
  /[,;:.!?()\n](?=\s|$)|\s[-–—]+\s|\b(?:and|or|but|so|because|since|then|also|und|oder|aber|weil)\b/i;
const JOINS = /^(?:or|and|oder|und)$/i;
const SPLITTING = new RegExp(`(${SPLIT.source})`, 'gi');
/** A word after which a thing is complete. */
const CLOSES = new Set(
  (
    'for in on at if when while to with by from until before after during unless as again any please here there now about ' +
    'into of that which where without via per too ever yet für in auf wenn mit von bis'
  ).split(' '),
);
/** Other words for the same. */
const SAME = new Map(
  [
    ['change', 'switch', 'replace', 'swap'],
    ['delete', 'remove', 'drop'],
    ['create', 'add', 'make'],
    ['ask', 'question'],
    ['run', 'execute', 'launch', 'start'],
    ['test', 'tests', 'testing'],
    ['fix', 'repair', 'mend'],
    ['doc', 'docs', 'documentation'],
    ['dependency', 'dependencies', 'package', 'library'],
    ['commit', 'commits'],
  ].flatMap(([first, ...others]) => others.map((word) => [stem(word), stem(first!)])),
);

function stem(word: string): string {
  return termsOf(word)[0] ?? word;
}

/** `negates` and `isManner` are what polarity knows of words. */
export type WordKinds = { negates: RegExp; isManner: (term: string) => boolean };

export function clausesOf(text: string, { negates, isManner }: WordKinds): Clause[] {
  const clauses: Clause[] = [];
  let [negated, joined] = [false, false];
  for (const part of text.toLowerCase().replaceAll('’', "'").split(SPLITTING)) {
    if (part === undefined) continue;
    if (JOINS.test(part.trim())) {
      joined = true;
      continue;
    }
    // "Don't write code or run anything" forbids both.
    negated = negates.test(part) || (joined && negated);
    const words = wordsOf(part, isManner);
    if (words.length > 0) {
      clauses.push({ negated, words });
      joined = false;
    }
  }
  return clauses;
}

function wordsOf(clause: string, isManner: (term: string) => boolean): ClauseWord[] {
  const words: ClauseWord[] = [];
  for (const token of clause.match(/[\p{L}\p{N}@#_./'-]*[\p{L}\p{N}]/gu) ?? []) {
    const [found] = CLOSES.has(token) ? [] : termsOf(token);
    const term = found && !isManner(found) ? (SAME.get(found) ?? found) : undefined;
    const last = words.at(-1);
    if (term === undefined) {
      if (last && (CLOSES.has(token) || !found)) last.closed = true;
    } else words.push({ term, closed: false });
  }
  const last = words.at(-1);
  if (last) last.closed = true;
  return words;
}

const LEAST_WORDS = 2;

/** Whether all that the shorter statement asks for is asked for by the other in the same words. */
export function isPartOf(a: readonly Clause[], b: readonly Clause[]): boolean {
  const size = (clauses: readonly Clause[]) => clauses.reduce((sum, { words }) => sum + words.length, 0);
  const [small, large] = size(a) <= size(b) ? [a, b] : [b, a];
  if (size(small) < LEAST_WORDS) return false;
  return small.every((part) => large.some((whole) => isWithin(part, whole)));
}

/** What two clauses have in common if one is within the other. */
export function clauseKeys(clauses: readonly Clause[]): string[] {
  return clauses.flatMap(({ negated, words }) => {
    const sign = negated ? '-' : '+';
    if (words.length === 1) return [`${sign}${words[0]!.term}`];
    return words.slice(1).map(({ term }, at) => `${sign}${words[at]!.term} ${term}`);
  });
}

function isWithin(part: Clause, whole: Clause): boolean {
  if (part.negated !== whole.negated) return false;
  const { length } = part.words;
  // One word alone says too little to be found in a sentence.
  if (length === 1 && whole.words.length > 1) return false;
  for (let from = 0; from + length <= whole.words.length; from++) {
    const here = whole.words.slice(from, from + length);
    if (here.every(({ term }, at) => term === part.words[at]!.term) && here.at(-1)?.closed) return true;
  }
  return false;
}
