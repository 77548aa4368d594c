import { sameWords } from './plain-text.ts';
import type { Segment } from './segments.ts';

/** So many words in a row are a quotation. */
const ROW = 8;
/** So many segments back. */
const REACH = 6;
const QUOTING =
  /^[^\p{L}\p{N}]*(?:you (?:wrote|said|mentioned|suggested)|thinking about ["“]|regarding ["“]|re:? ["“])/iu;

/** Whether words of the user repeat what was written shortly before: a quotation, and no statement. */
export function echoesIn(segments: Segment[]): (text: string, segment: number) => boolean {
  const rows = new Map<string, number>();
  let read = 0;
  return (text, segment) => {
    if (QUOTING.test(text)) return true;
    for (; read < segment; read++) {
      const { said, replies } = segments[read]!;
      for (const one of [...said, ...replies]) for (const row of rowsOf(one.text)) rows.set(row, read);
    }
    const since = Math.max(0, segment - REACH);
    return rowsOf(text).some((row) => (rows.get(row) ?? -1) >= since);
  };
}

function rowsOf(text: string): string[] {
  const words = sameWords(text);
  const starts = [0];
  for (let at = words.indexOf(' '); at !== -1; at = words.indexOf(' ', at + 1)) starts.push(at + 1);
  const rows: string[] = [];
  for (let at = 0; at + ROW <= starts.length; at++)
    rows.push(words.slice(starts[at], (starts[at + ROW] ?? words.length + 1) - 1));
  return rows;
}
