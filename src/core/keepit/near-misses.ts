import { inlineCode, linesOf } from './code-ranges.ts';

/** What begins and ends like a marker, with a blank too many or a weight in another form. */
const LIKE_A_MARKER = /#{1,3} ?\/?keep-?it[ _:=-]?\d{0,3}(?:[.,]\d{0,4})? ?#{1,3}/gi;
const MARKER = /^##keepit\d+\.\d{2}##$|^##\/keepit##$/i;
const MOST = 3;

/** Texts that were meant as markers and are none, outside of code. */
export function nearMisses(text: string): string[] {
  if (!/keep-?it/i.test(text) || !text.includes('#')) return [];
  const lines = linesOf(text);
  const code = [...lines.filter((line) => line.fenced), ...inlineCode(text, lines)];
  const found = new Set<string>();
  for (const { 0: marker, index } of text.matchAll(LIKE_A_MARKER)) {
    const isCode = code.some(({ start, end }) => start <= index && index < end);
    if (!MARKER.test(marker) && !isCode && found.size < MOST) found.add(marker);
  }
  return [...found];
}

/** How it is written: `##keepit0.5##` -> `##keepit0.50##`. */
export function asMarker(miss: string): string {
  if (miss.includes('/')) return '##/keepit##';
  const weight = Number(/\d+(?:[.,]\d+)?/.exec(miss)?.[0].replace(',', '.') ?? '1');
  return `##keepit${Math.min(1, weight > 1 ? weight / 100 : weight).toFixed(2)}##`;
}
