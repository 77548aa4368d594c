const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;

/** A time as a UTC ISO string, or undefined when it is none. Converts offsets and plain dates; reads no clock. */
export function toUtc(time: string): string | undefined {
  if (UTC.test(time)) return time;
  const parsed = time === '' ? Number.NaN : Date.parse(time);
  return Number.isNaN(parsed) ? undefined : new Date(parsed).toISOString();
}

/** `2026-01-05T01:42:00.123Z` -> `2026-01-05T01:42:00Z` */
export function wholeSeconds(time: string): string {
  const utc = toUtc(time);
  return utc === undefined ? '' : `${utc.slice(0, 19)}Z`;
}

/** Milliseconds since 1970; undefined for what is no time. */
export function millisOf(time: string): number | undefined {
  const parsed = time === '' ? Number.NaN : Date.parse(time);
  return Number.isNaN(parsed) ? undefined : parsed;
}
