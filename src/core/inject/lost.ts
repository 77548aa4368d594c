import { termsOf } from '../text/terms.ts';
import type { Keepable } from './keepable.ts';

/** A summary still contains a text if this many words in a row have this share of its words. */
const WINDOW = 80;
const COVERED_SHARE = 0.75;

/** What a compaction's summary no longer contains. A command must be there as it was run, a file by its name. */
export function lostIn(summary: string, before: Keepable[]): Keepable[] {
  const words = termsOf(summary);
  const plain = oneSpaced(summary);
  return before.filter(({ kind, text }) => {
    if (plain.includes(oneSpaced(text))) return false;
    if (kind === 'file') return !plain.includes(oneSpaced(text.slice(text.lastIndexOf('/') + 1)));
    return kind === 'command' || !isCovered(text, words);
  });
}

function isCovered(text: string, words: readonly string[]): boolean {
  const own = new Set(termsOf(text));
  if (own.size === 0) return true;
  const near = new Map<string, number>();
  for (const [at, word] of words.entries()) {
    if (own.has(word)) near.set(word, (near.get(word) ?? 0) + 1);
    const gone = at >= WINDOW ? words[at - WINDOW]! : undefined;
    if (gone !== undefined && own.has(gone)) {
      const left = near.get(gone)! - 1;
      if (left > 0) near.set(gone, left);
      else near.delete(gone);
    }
    if (near.size >= COVERED_SHARE * own.size) return true;
  }
  return false;
}

function oneSpaced(text: string): string {
  return text.toLowerCase().replace(/\s+/gu, ' ').trim();
}
