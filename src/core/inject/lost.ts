import { termsOf } from '../text/terms.ts';
import type { Keepable } from './keepable.ts';

/** A summary that has this share of something's words still contains it. */
const COVERED_SHARE = 0.75;

/** What a compaction's summary no longer contains. A command must be there as it was run. */
export function lostIn(summary: string, before: Keepable[]): Keepable[] {
  const words = new Set(termsOf(summary));
  const plain = oneSpaced(summary);
  return before.filter(({ kind, text }) => {
    if (plain.includes(oneSpaced(text))) return false;
    return kind === 'command' || !isCovered(text, words);
  });
}

function isCovered(text: string, words: Set<string>): boolean {
  const own = new Set(termsOf(text));
  if (own.size === 0) return true;
  const shared = [...own].filter((term) => words.has(term)).length;
  return shared >= COVERED_SHARE * own.size;
}

function oneSpaced(text: string): string {
  return text.toLowerCase().replace(/\s+/gu, ' ').trim();
}
