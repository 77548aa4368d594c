import { Fault } from './fault.ts';

const LONGEST = 60;
/** Names that lists use for this user and for machines: no other person can have them. */
const TAKEN = new Set([
  'me',
  'you',
  'i',
  'myself',
  'user',
  'the user',
  'assistant',
  'agent',
  'the agent',
  'tool',
  'system',
]);

/** A name that this user gives someone else, on one line, as it is shown beside what was said. */
export function authorName(name: string): string {
  const plain = oneLine(name);
  if (plain === '') throw new Fault('usage', 'Missing author name.', { hint: 'Give one with --by NAME.' });
  if (TAKEN.has(plain.toLowerCase()))
    throw new Fault('usage', `${JSON.stringify(plain)} is not the name of another person.`, {
      hint: 'For your own sessions, import a bundle with --mine, or chats without --by.',
    });
  return plain;
}

/** A name that a file gives someone: it can't be taken for this user's. */
export function claimedName(name: string | undefined, otherwise: string): string {
  const plain = name === undefined ? '' : oneLine(name);
  if (plain === '') return otherwise;
  return TAKEN.has(plain.toLowerCase()) ? `"${plain}", imported` : plain;
}

function oneLine(name: string): string {
  const plain = name
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();
  return [...plain].slice(0, LONGEST).join('').trim();
}
