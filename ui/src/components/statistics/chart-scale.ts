export type ChartPoint = { key: string; title: string; value: number };
export type TimeBar = { key: string; title: string; values: Record<string, number> };

const DAY = 86_400_000;
const STEPS = [1, 7, 30];
const dayNumber = (day: string) => Math.round(Date.parse(`${day}T00:00:00Z`) / DAY);
const dayText = (number: number) => new Date(number * DAY).toISOString().slice(0, 10);

/** Figures by day as at most `most` bars of whole days, weeks or months of 30 days; days without any count as 0. */
export function chartBars(
  days: readonly { day: string; values: Record<string, number> }[],
  { most = 60, least = 1 }: { most?: number; least?: 1 | 7 | 30 } = {},
): { step: number; bars: TimeBar[] } {
  const known = days.filter(({ day }) => Number.isFinite(dayNumber(day)));
  if (known.length === 0) return { step: least, bars: [] };
  const numbers = known.map(({ day }) => dayNumber(day));
  const first = numbers.reduce((a, b) => Math.min(a, b));
  const last = numbers.reduce((a, b) => Math.max(a, b));
  const span = last - first + 1;
  const step = STEPS.find((it) => it >= least && span / it <= most) ?? Math.ceil(span / most);
  const bars: TimeBar[] = Array.from({ length: Math.ceil(span / step) }, (_, at) => ({
    key: String(at),
    title: dayText(first + at * step),
    values: {},
  }));
  for (const [at, { values }] of known.entries()) {
    const bar = bars[Math.floor(((numbers[at] ?? first) - first) / step)];
    if (!bar) continue;
    for (const [name, value] of Object.entries(values)) bar.values[name] = (bar.values[name] ?? 0) + value;
  }
  return { step, bars };
}

/** The same bars, each with all that came before it. */
export function cumulated(bars: readonly TimeBar[]): TimeBar[] {
  const sums: Record<string, number> = {};
  return bars.map((bar) => {
    for (const [name, value] of Object.entries(bar.values)) sums[name] = (sums[name] ?? 0) + value;
    return { ...bar, values: { ...sums } };
  });
}

/** `day`, `week`, `month`, `12 days`. */
export function stepText(step: number): string {
  return step === 1 ? 'day' : step === 7 ? 'week' : step === 30 ? 'month' : `${step} days`;
}
