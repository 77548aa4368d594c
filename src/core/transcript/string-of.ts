/** A field that should be a string; empty if it is something else. */
export function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
