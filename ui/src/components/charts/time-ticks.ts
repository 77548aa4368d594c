/** Pixels that a letter of a label takes, and that stay free between two labels. */
const LETTER = 7;
const GAP = 10;
const MONTH = new Intl.DateTimeFormat('en', { month: 'short', timeZone: 'UTC' });

/** Which bars get a date below them: as many as there is room for, evenly, always the first one. */
export function timeTicks(bars: number, width: number, tick = 88): number[] {
  if (bars === 0) return [];
  const room = Math.max(1, Math.floor(width / tick));
  const step = Math.max(1, Math.ceil(bars / room));
  return Array.from({ length: Math.ceil(bars / step) }, (_, at) => at * step);
}

/** `Feb 9, 2025`, `Mar 4`; of months `Feb 2025`, `Mar`: the year where it is not that of the label before. */
function tickText(day: string, isMonth: boolean, yearBefore: string): string {
  const [year = '', , date = ''] = day.split('-');
  const month = MONTH.format(new Date(`${day}T00:00:00Z`));
  const name = isMonth ? month : `${month} ${Number(date)}`;
  return year === yearBefore ? name : isMonth ? `${name} ${year}` : `${name}, ${year}`;
}

/** Dates below bars that begin with a day: each inside of `right`, none on another. */
export function placedTicks(
  bars: readonly { day: string; x: number }[],
  right: number,
): { key: number; x: number; text: string }[] {
  const left = bars[0]?.x ?? 0;
  const isMonth = bars.length > 1 && bars.every(({ day }) => day.endsWith('-01'));
  const widest = (isMonth ? 'Feb 2025' : 'Feb 28, 2025').length * LETTER + GAP;
  const ticks: { key: number; x: number; text: string }[] = [];
  let [end, year] = [Number.NEGATIVE_INFINITY, ''];
  for (const key of timeTicks(bars.length, right - left, widest)) {
    const { day, x: from } = bars[key] ?? { day: '', x: 0 };
    const text = tickText(day, isMonth, year);
    const wide = text.length * LETTER;
    const x = Math.max(left, Math.min(from, right - wide));
    if (x < end + GAP) continue;
    ticks.push({ key, x, text });
    [end, year] = [x + wide, day.slice(0, 4)];
  }
  return ticks;
}
