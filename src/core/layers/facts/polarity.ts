import { termsOf } from '../../text/terms.ts';
import { type Clause, clausesOf, isPartOf } from './clauses.ts';

const NEGATES =
  /\b(?:don'?t|do not|never|stop|avoid|quit|no longer|not|without|any ?more|no more|mustn'?t|shouldn'?t|nicht|keine?[nmrs]?|nie(?:mals)?)\b|^no \w|不要|别|勿|绝不|不能|ない|やめて|(?:하지|쓰지|사용하지) ?(?:마|말)|않/i;
const RATHER = /\b(?:instead of|rather than|in place of|and not|, not|over|statt|anstelle von)\b/i;
/** How it is said, not what. */
const MANNER = new Set(
  [
    'always never remember keep mind future now onward forward henceforth rule convention prefer use using used want need make sure ensure please',
    'stop avoid instead rather than longer anymore session every time each when whenever must should immer niemals nie stets bitte kunftig merk',
  ]
    .join(' ')
    .split(' ')
    .flatMap((word) => termsOf(word)),
);

/** Two statements with this share in common say the same. */
export const SAME_WISH = 0.6;

/** What a statement asks for, and what it asks to leave. */
export type Wish = { wants: Set<string>; shuns: Set<string>; clauses: Clause[] };

const PICKED = /\b(?:options?|approach|choice|variant)\s+([a-z]|\d{1,2})\b/i;
const KINDS = { negates: NEGATES, isManner: (term: string) => MANNER.has(term) };

export function wishOf(text: string): Wish {
  const plain = text.replace(/[’]/g, "'");
  const rather = RATHER.exec(plain);
  const [head, tail] = rather
    ? [plain.slice(0, rather.index), plain.slice(rather.index + rather[0].length)]
    : [plain, ''];
  const negated = NEGATES.test(head);
  const [first, second] = [contentOf(head), contentOf(tail)];
  const clauses = rather ? [] : clausesOf(plain, KINDS);
  // Another option of another list is another thing, though all words are the same.
  const picked = PICKED.exec(plain)?.[1]?.toLowerCase();
  if (picked !== undefined) first.add(`option ${picked}`);
  return negated ? { wants: second, shuns: first, clauses } : { wants: first, shuns: second, clauses };
}

/** The terms that say what a statement is about. */
export function contentOf(text: string): Set<string> {
  return new Set(termsOf(text).filter((term) => !MANNER.has(term)));
}

/** Whether the later one asks for what the earlier one asks to leave, or the other way round. */
export function negates(earlier: Wish, later: Wish): boolean {
  return covers(earlier.wants, later.shuns) || covers(earlier.shuns, later.wants);
}

/** Most of the smaller one is in the other. */
export function covers(a: Set<string>, b: Set<string>): boolean {
  const [small, large] = a.size <= b.size ? [a, b] : [b, a];
  if (small.size === 0) return false;
  let shared = 0;
  for (const term of small) if (large.has(term)) shared++;
  // A long statement that shares one word with a short one is about something else.
  return shared / small.size >= 0.6 && (shared >= 2 || large.size <= 4);
}

/** Whether two statements say the same: alike in what they ask for and in what they ask to leave, or one is said within the other. */
export function isSameWish(a: Wish, b: Wish): boolean {
  const alike = (x: Set<string>, y: Set<string>) => {
    let shared = 0;
    for (const term of x) if (y.has(term)) shared++;
    return { shared, all: x.size + y.size - shared };
  };
  const [wants, shuns] = [alike(a.wants, b.wants), alike(a.shuns, b.shuns)];
  const all = wants.all + shuns.all;
  if (all > 0 && (wants.shared + shuns.shared) / all >= SAME_WISH) return true;
  return isPartOf(a.clauses, b.clauses);
}
