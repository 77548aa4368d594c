const DAY = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });
const SHORT_DAY = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric' });
const MOMENT = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });
const HOUR = new Intl.DateTimeFormat('en', { timeStyle: 'short' });
const MONTH = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric' });

function formatted(format: Intl.DateTimeFormat, iso: string | null | undefined): string {
  const time = iso ? new Date(iso) : undefined;
  return time && !Number.isNaN(time.getTime()) ? format.format(time) : 'no date';
}

/** `Jan 15, 2026`. */
export const dayText = (iso: string | null | undefined) => formatted(DAY, iso);
/** `Jan 15, 2026, 10:00 AM`. */
export const momentText = (iso: string | null | undefined) => formatted(MOMENT, iso);
/** `10:00 AM`. */
export const hourText = (iso: string | null | undefined) => formatted(HOUR, iso);
/** `January 2026`. */
export const monthText = (iso: string | null | undefined) => formatted(MONTH, iso);

/** `Jan 15, 2026, 10:00 AM – 6:30 PM`; both days where they differ. */
export function rangeText(from: string, to: string): string {
  const [first, last] = [new Date(from), new Date(to)];
  if (Number.isNaN(first.getTime()) || Number.isNaN(last.getTime())) return momentText(from);
  return first < last ? MOMENT.formatRange(first, last) : momentText(from);
}

/** `Jan 5 – Feb 13, 2026`: what both days share is said once. */
export function daysText(from: string | null | undefined, to: string | null | undefined): string {
  const [first, last] = [new Date(from ?? ''), new Date(to ?? '')];
  if (Number.isNaN(first.getTime()) || Number.isNaN(last.getTime())) return dayText(to ?? from);
  return first <= last ? DAY.formatRange(first, last) : dayText(to);
}

/** `Feb 13`; with its year where that is not the present one. */
export function shortDayText(iso: string | null | undefined, now = new Date()): string {
  const time = new Date(iso ?? '');
  return time.getFullYear() === now.getFullYear() ? SHORT_DAY.format(time) : dayText(iso);
}

/** `45 s`, `12 min`, `3.5 h`. */
export function secondsText(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} s`;
  if (seconds < 3600) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1).replace(/\.0$/, '')} h`;
}

/** `2026-01-15` of the reader's own time. */
export function dayKey(time: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
}

/** `2026-01` of the reader's own time; empty if there is no date. */
export function monthKey(iso: string): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return '';
  return `${time.getFullYear()}-${String(time.getMonth() + 1).padStart(2, '0')}`;
}
