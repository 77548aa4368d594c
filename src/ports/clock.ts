/** The only way to know the time outside `adapters/`. */
export interface Clock {
  /** UTC, ISO 8601, milliseconds. */
  now(): string;
  /** The same moment as milliseconds since 1970. */
  millis(): number;
  /** A UTC time as the user's wall clock showed it: `2026-01-05 14:03`. What is no time comes back as it is. */
  local(iso: string): string;
}
