/** A value that others made, as JSON; empty if it is nested deeper than the engine can follow. */
export function asJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return '';
  }
}
