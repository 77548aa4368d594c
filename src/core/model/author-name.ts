import { Fault } from './fault.ts';

const LONGEST = 60;

/** A name on one line, as it is shown beside what was said. */
export function authorName(name: string): string {
  const plain = name
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();
  if (plain === '') throw new Fault('usage', 'An author needs a name.', { hint: 'Give one with --by NAME.' });
  return [...plain].slice(0, LONGEST).join('');
}
