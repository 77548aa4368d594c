export type ChartPoint = { key: string; title: string; value: number };

const STEPS = [1, 2, 2.5, 5, 10];

/** A round number at or above the largest value: where the axis ends. */
export function niceTop(largest: number): number {
  if (!(largest > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(largest));
  const step = STEPS.find((it) => it * power >= largest * (1 - 1e-9)) ?? 10;
  return step * power;
}

const DAY = 86_400_000;
const dayNumber = (day: string) => Math.round(Date.parse(`${day}T00:00:00Z`) / DAY);
const dayText = (number: number) => new Date(number * DAY).toISOString().slice(0, 10);

/** Values by day as at most `most` bars of whole days, weeks or months of 30 days; days without any count as 0. */
export function chartBars(
  days: readonly { day: string; value: number }[],
  most = 60,
): { step: number; bars: ChartPoint[] } {
  const known = days.filter(({ day }) => Number.isFinite(dayNumber(day)));
  if (known.length === 0) return { step: 1, bars: [] };
  const numbers = known.map(({ day }) => dayNumber(day));
  const first = numbers.reduce((a, b) => Math.min(a, b));
  const last = numbers.reduce((a, b) => Math.max(a, b));
  const span = last - first + 1;
  const step = [1, 7, 30].find((it) => span / it <= most) ?? Math.ceil(span / most);
  const values = new Float64Array(Math.ceil(span / step));
  for (const [at, { value }] of known.entries()) {
    const slot = Math.floor(((numbers[at] ?? first) - first) / step);
    values[slot] = (values[slot] ?? 0) + value;
  }
  const bars = Array.from(values, (value, at) => ({
    key: String(at),
    title: dayText(first + at * step),
    value,
  }));
  return { step, bars };
}

/** `day`, `week`, `month`, `12 days`. */
export function stepText(step: number): string {
  return step === 1 ? 'day' : step === 7 ? 'week' : step === 30 ? 'month' : `${step} days`;
}
