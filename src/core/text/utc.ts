const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;

const HAS_ZONE = /(?:Z|[+-]\d\d:?\d\d|\b(?:UTC|GMT))\s*(?:\([^)]*\))?$/i;

/**
 * A time as a UTC ISO string, or undefined when it is none. Converts offsets; a time without one is UTC, so that the
 * same file gives the same on every machine. Reads no clock.
 */
export function toUtc(time: string): string | undefined {
  if (UTC.test(time)) return time;
  const parsed =
    time === ''
      ? Number.NaN
      : Date.parse(
          HAS_ZONE.test(time)
            ? time
            : `${time.replace(/^(\d{4}-\d\d-\d\d) /, '$1T').replace(/^(\d{4}-\d\d-\d\d)$/, '$1T00:00:00')}${/^\d{4}-/.test(time) ? 'Z' : ' UTC'}`,
        );
  return Number.isNaN(parsed) ? undefined : new Date(parsed).toISOString();
}

/** A day or a time that a calendar has: no 31st of June. */
export function isInCalendar(text: string): boolean {
  const [day = ''] = /^\d{4}-\d\d-\d\d/.exec(text) ?? [];
  const millis = day === '' ? Number.NaN : Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(millis) || new Date(millis).toISOString().slice(0, 10) !== day) return false;
  return text.length === 10 || !Number.isNaN(Date.parse(toUtc(text) ?? ''));
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
