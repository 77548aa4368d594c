/** The only way to know the time outside `adapters/`. */
export interface Clock {
  /** UTC, ISO 8601, milliseconds. */
  now(): string;
  /** The same moment as milliseconds since 1970. */
  millis(): number;
}
