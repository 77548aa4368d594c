import { textWidth } from './text-width.ts';

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];
const HEIGHTS = '▁▂▃▄▅▆▇█';

export type Bar = { name: string; value: number; shown: string };

/** A line for each value: its name, a bar as long as its share of the largest, the figure. */
export function bars(rows: Bar[], width: number, paint: (text: string) => string = (text) => text): string[] {
  const names = Math.max(0, ...rows.map(({ name }) => textWidth(name)));
  const figures = Math.max(0, ...rows.map(({ shown }) => textWidth(shown)));
  const room = Math.max(4, Math.min(40, width - names - figures - 4));
  const most = Math.max(0, ...rows.map(({ value }) => value));
  return rows.map(({ name, value, shown }) => {
    const bar = barOf(most > 0 ? value / most : 0, room);
    const blank = ' '.repeat(room - [...bar].length);
    return `${name}${' '.repeat(names - textWidth(name))}  ${paint(bar)}${blank}  ${shown.padStart(figures)}`;
  });
}

function barOf(share: number, room: number): string {
  const eighths = Math.round(Math.max(0, Math.min(1, share)) * room * 8);
  // What is there at all is seen.
  if (eighths === 0) return share > 0 ? EIGHTHS[1]! : '';
  return '█'.repeat(Math.floor(eighths / 8)) + EIGHTHS[eighths % 8]!;
}

/** One sign for each value, by its share of the largest; nothing at all is a blank. */
export function sparkline(values: number[]): string {
  const most = Math.max(0, ...values);
  return values
    .map((value) => {
      if (value <= 0 || most === 0) return ' ';
      return HEIGHTS[Math.min(7, Math.floor((value / most) * 7.999))]!;
    })
    .join('');
}
