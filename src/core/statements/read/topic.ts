import { contentWords } from '../../text/plain-text.ts';

/** The number of letters of a word that are the same in all its forms. */
const STEM = 6;
const SHORTEST = 3;
/** Words of any work, which bind nothing to anything. */
const LOOSE = new Set(
  (
    'now new update change add remove fix work test file code user run show set using used move keep instea create right ' +
    'before after first only still when where while because issue proble thing actual really same other current'
  ).split(' '),
);

/** What a text is about: beginnings of its words, names of code in their parts. */
export function topicOf(text: string): Set<string> {
  const found = new Set<string>();
  for (const word of contentWords(text.replace(/[/.→_-]/g, ' '))) {
    const stem = word.slice(0, STEM);
    if (stem.length >= SHORTEST) found.add(stem);
  }
  return found;
}

/** How many things two topics have in common that not all work has. */
export function tieOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const [small, large] = a.size <= b.size ? [a, b] : [b, a];
  let count = 0;
  for (const one of small) if (large.has(one) && !LOOSE.has(one)) count++;
  return count;
}
