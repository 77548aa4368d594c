import { dayText, monthText } from '../../text/times.ts';

export type ChartPoint = { key: string; title: string; value: number };
export type TimeBar = { key: string; title: string; values: Record<string, number> };
/** The span of a bar: days, or whole calendar months. */
export type ChartStep = { days: 1 | 7 } | { months: number };

const DAY = 86_400_000;
const dayNumber = (day: string) => Math.round(Date.parse(`${day}T00:00:00Z`) / DAY);
const isoOf = (number: number) => new Date(number * DAY).toISOString().slice(0, 10);
/** Months since the year 0. */
const monthNumber = (day: number) => {
  const date = new Date(day * DAY);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
};
const monthStart = (month: number) =>
  `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}-01`;
/** The Monday on or before a day: day 0 was a Thursday. */
const monday = (day: number) => day - ((((day + 3) % 7) + 7) % 7);
/** Several months to a bar: quarters, half years, years. */
const MONTHS = [1, 3, 6, 12];

type ChartOptions = {
  most?: number;
  least?: 'day' | 'week' | 'month';
  /** Days that the bars cover, too: charts beside each other have one time axis. */
  span?: readonly string[];
};

/** Figures by day as at most `most` bars of days, weeks from Monday, or months; days without any count as 0. */
export function chartBars(
  days: readonly { day: string; values: Record<string, number> }[],
  { most = 60, least = 'day', span = [] }: ChartOptions = {},
): { step: ChartStep; bars: TimeBar[] } {
  const known = days.filter(({ day }) => Number.isFinite(dayNumber(day)));
  if (known.length === 0) return { step: { days: least === 'day' ? 1 : 7 }, bars: [] };
  const numbers = known.map(({ day }) => dayNumber(day));
  const covered = [...numbers, ...span.map(dayNumber).filter(Number.isFinite)];
  const first = covered.reduce((a, b) => Math.min(a, b));
  const last = covered.reduce((a, b) => Math.max(a, b));
  const { step, titles, at } = scaleOf(first, last, { most, least });
  const bars: TimeBar[] = titles.map((title, index) => ({ key: String(index), title, values: {} }));
  for (const [index, { values }] of known.entries()) {
    const bar = bars[at(numbers[index] ?? first)];
    if (!bar) continue;
    for (const [name, value] of Object.entries(values)) bar.values[name] = (bar.values[name] ?? 0) + value;
  }
  return { step, bars };
}

/** The shortest steps that give at most `most` bars from the first to the last day. */
function scaleOf(
  first: number,
  last: number,
  { most, least }: { most: number; least: 'day' | 'week' | 'month' },
): { step: ChartStep; titles: string[]; at: (day: number) => number } {
  const inDays = [
    { days: 1 as const, from: first, fits: least === 'day' },
    { days: 7 as const, from: monday(first), fits: least !== 'month' },
  ].find(({ days, from, fits }) => fits && (last - from + 1) / days <= most);
  if (inDays) {
    const { days, from } = inDays;
    const count = Math.ceil((last - from + 1) / days);
    const titles = Array.from({ length: count }, (_, index) => isoOf(from + index * days));
    return { step: { days }, titles, at: (day) => Math.floor((day - from) / days) };
  }
  const from = monthNumber(first);
  const span = monthNumber(last) - from + 1;
  const months = MONTHS.find((it) => span / it <= most) ?? 12 * Math.ceil(span / 12 / most);
  const titles = Array.from({ length: Math.ceil(span / months) }, (_, index) =>
    monthStart(from + index * months),
  );
  return { step: { months }, titles, at: (day) => Math.floor((monthNumber(day) - from) / months) };
}

/** The same bars, each with all that came before it. */
export function cumulated(bars: readonly TimeBar[]): TimeBar[] {
  const sums: Record<string, number> = {};
  return bars.map((bar) => {
    for (const [name, value] of Object.entries(bar.values)) sums[name] = (sums[name] ?? 0) + value;
    return { ...bar, values: { ...sums } };
  });
}

/** `day`, `week`, `month`, `3 months`. */
export function stepText(step: ChartStep): string {
  if ('days' in step) return step.days === 1 ? 'day' : 'week';
  return step.months === 1 ? 'month' : `${step.months} months`;
}

/** The span of a bar that begins on a day: `Jan 5, 2026`, `Week of Jan 5, 2026`, `January 2026`. */
export function barTitle(step: ChartStep): (day: string) => string {
  return (day) => {
    const noon = `${day}T12:00:00`;
    if ('days' in step) return step.days === 1 ? dayText(noon) : `Week of ${dayText(noon)}`;
    return step.months === 1 ? monthText(noon) : `${stepText(step)} from ${monthText(noon)}`;
  };
}
