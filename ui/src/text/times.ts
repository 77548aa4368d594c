const DAY = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });
const MOMENT = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });
const HOUR = new Intl.DateTimeFormat('en', { timeStyle: 'short' });
const MONTH = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric' });

function told(format: Intl.DateTimeFormat, iso: string | null | undefined): string {
  const time = iso ? new Date(iso) : undefined;
  return time && !Number.isNaN(time.getTime()) ? format.format(time) : 'no date';
}

/** `Jan 15, 2026`. */
export const dayText = (iso: string | null | undefined) => told(DAY, iso);
/** `Jan 15, 2026, 10:00 AM`. */
export const momentText = (iso: string | null | undefined) => told(MOMENT, iso);
/** `10:00 AM`. */
export const hourText = (iso: string | null | undefined) => told(HOUR, iso);
/** `January 2026`. */
export const monthText = (iso: string | null | undefined) => told(MONTH, iso);

/** `Jan 15, 2026, 10:00 AM – 6:30 PM`; both days where they differ. */
export function rangeText(from: string, to: string): string {
  const same = dayText(from) === dayText(to);
  return from === to ? momentText(from) : `${momentText(from)} – ${same ? hourText(to) : momentText(to)}`;
}

/** `2026-01` of the reader's own time; empty where there is no date. */
export function monthKey(iso: string): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return '';
  return `${time.getFullYear()}-${String(time.getMonth() + 1).padStart(2, '0')}`;
}
