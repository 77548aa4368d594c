import { plainWord } from './purge-mask.ts';

/** The form in which a second search finds a purged text, independent of the purge itself. */
export type Needle = {
  /** All of it, one of its lines, or its beginning, which a title or a digest may have kept. */
  what: 'text' | 'line' | 'beginning';
  folded: string;
  /** In lower case, for a quick search; empty if every file must be read. */
  word: string;
};

const UNSEEN = /[\u00ad\u200b-\u200d\u2060\ufeff]/g;
/** Shorter lines are anyone's. */
const SHORTEST_LINE = 16;
const BEGINNING = 32;

/** A text without differences in case, blanks, Unicode forms and characters of zero width. */
export function foldText(text: string): string {
  return text.normalize('NFKC').replace(UNSEEN, '').replace(/\s+/g, ' ').toLowerCase();
}

/** The texts whole, each line of theirs, and their beginnings. */
export function needlesOf(texts: readonly string[]): Needle[] {
  const needles = new Map<string, Needle>();
  const add = (text: string, what: Needle['what'], shortest: number) => {
    const folded = foldText(text).trim();
    if (folded.length < shortest || needles.has(folded)) return;
    needles.set(folded, { what, folded, word: plainWord(text)?.toLowerCase() ?? '' });
  };
  for (const text of texts) {
    add(text, 'text', 1);
    for (const line of text.split(/\r\n?|\n/)) add(line, 'line', SHORTEST_LINE);
    const whole = foldText(text).trim();
    if (whole.length >= 2 * BEGINNING) add(whole.slice(0, BEGINNING), 'beginning', BEGINNING);
  }
  return [...needles.values()];
}
