/** Set around every agent that Keepsake itself starts, so that its hooks do not start anything in turn. */
export const HOOKS_VARIABLE = 'KEEPSAKE_HOOKS';

/** `KEEPSAKE_HOOKS=off` turns the hooks off, for Keepsake's own calls as for a user. */
export function hooksAreOff(vars: Record<string, string | undefined> = process.env): boolean {
  return /^(?:off|0|false|no)$/i.test(vars[HOOKS_VARIABLE] ?? '');
}
