import type { L1Line } from '../model/l1.ts';
import { aboutWords } from './about-words.ts';

/** Prompts after which nothing is an answer any more. */
const PROMPTS = 2;

/** How much of a passage's own words came up in what the agent wrote and worked on after a prompt, from 0 to 1. */
export function echoShare(text: string, src: number, lines: readonly L1Line[]): number {
  const quoted = text
    .split('\n')
    .filter((line) => line.startsWith('>'))
    .join('\n');
  const at = lines.findIndex((line) => line.src === src && line.role === 'user');
  if (at < 0) return 0;
  const asked = aboutWords(lines[at]!.text ?? '');
  const own = [...aboutWords(quoted)].filter((word) => !asked.has(word));
  if (own.length === 0) return 0;
  let left = PROMPTS;
  const after: string[] = [];
  for (const { role, text: said = '', target = '' } of lines.slice(at + 1)) {
    if (role === 'user' && --left === 0) break;
    if (role !== 'user') after.push(said, target);
  }
  const written = aboutWords(after.join('\n'));
  return own.filter((word) => written.has(word)).length / own.length;
}
