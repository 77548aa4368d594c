/** Latin letters and dashes, quotes, dots: one column each. Most text needs nothing more. */
const PLAIN = /^[\u0020-\u007e\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027]*$/;

/** East Asian Wide and Fullwidth, in ranges of code points. */
const WIDE: [number, number][] = [
  [0x1100, 0x115f],
  [0x2329, 0x232a],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18dff],
  [0x1aff0, 0x1b2ff],
  [0x1f200, 0x1f2ff],
  [0x20000, 0x3fffd],
];

let segmenter: Intl.Segmenter | undefined;
/** Made on first use: it costs as much as starting the program. */
function graphemes(): Intl.Segmenter {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return segmenter;
}

/** Columns that text takes on a terminal. */
export function textWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes().segment(text)) width += graphemeWidth(segment);
  return width;
}

/** Which end of a text goes when there is no room. The end of a path says more than its beginning. */
export type Cut = 'end' | 'front';

/** Text cut to this many columns, with a sign that it was cut. */
export function fitText(text: string, columns: number, cut: Cut = 'end'): string {
  if (textWidth(text) <= columns) return text;
  if (columns <= 0) return '';
  const segments = [...graphemes().segment(text)].map(({ segment }) => segment);
  if (cut === 'front')
    return `…${takeColumns(segments.reverse(), columns - 1)
      .reverse()
      .join('')}`;
  return `${takeColumns(segments, columns - 1)
    .join('')
    .trimEnd()}…`;
}

function takeColumns(segments: string[], columns: number): string[] {
  let width = 0;
  let end = 0;
  for (const segment of segments) {
    width += graphemeWidth(segment);
    if (width > columns) break;
    end++;
  }
  return segments.slice(0, end);
}

export function padText(text: string, columns: number, side: 'left' | 'right'): string {
  const space = ' '.repeat(Math.max(0, columns - textWidth(text)));
  return side === 'left' ? text + space : space + text;
}

function graphemeWidth(grapheme: string): number {
  if (/^[\p{Mn}\p{Me}\p{Cf}\u200b]+$/u.test(grapheme)) return 0;
  if (/^\p{Emoji_Presentation}|\ufe0f|^\p{Regional_Indicator}{2}/u.test(grapheme)) return 2;
  const point = grapheme.codePointAt(0) ?? 0;
  return WIDE.some(([from, to]) => point >= from && point <= to) ? 2 : 1;
}
