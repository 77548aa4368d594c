import type { L1Line } from '../model/l1.ts';
import { aboutWords } from './about-words.ts';

/** Prompts after which nothing is an answer any more. */
const PROMPTS = 2;

/** How much of a passage's own words came up in what the agent wrote and worked on after a prompt, from 0 to 1. */
export function echoShare(text: string, src: number, lines: readonly L1Line[]): number {
  const at = lines.findIndex((line) => line.src === src && line.role === 'user');
  if (at < 0) return 0;
  let left = PROMPTS;
  const next = lines.slice(at + 1);
  const end = next.findIndex(({ role }) => role === 'user' && --left === 0);
  return shareIn(text, lines[at]!.text ?? '', end < 0 ? next : next.slice(0, end));
}

function shareIn(text: string, asked: string, after: readonly L1Line[]): number {
  const quoted = text
    .split('\n')
    .filter((line) => line.startsWith('>'))
    .join('\n');
  const known = aboutWords(asked);
  const own = [...aboutWords(quoted)].filter((word) => !known.has(word));
  if (own.length === 0) return 0;
  const written = wordsOf(after);
  return own.filter((word) => written.has(word)).length / own.length;
}

function wordsOf(lines: readonly L1Line[]): Set<string> {
  const own = lines.flatMap(({ role, text = '', target = '' }) => (role === 'user' ? [] : [text, target]));
  return aboutWords(own.join('\n'));
}
