/** The only way to know the time outside `adapters/`. */
export interface Clock {
  /** UTC, ISO 8601, milliseconds. */
  now(): string;
  /** The same moment as milliseconds since 1970. */
  millis(): number;
  /** A UTC time in the user's time zone: `2026-01-05 14:03`. Text that is not a time is returned unchanged. */
  local(iso: string): string;
}
