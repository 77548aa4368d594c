/** Set for every agent that Keepsake itself starts, so that its hooks do not start anything. */
export const HOOKS_VARIABLE = 'KEEPSAKE_HOOKS';

/** The folder that the agent was started in; what it changes to later is in its events. */
export function startedFolder(vars: Record<string, string | undefined> = process.env): string {
  return vars.CLAUDE_PROJECT_DIR ?? '';
}

/** `KEEPSAKE_HOOKS=off` turns the hooks off, for Keepsake's own calls as for a user. */
export function hooksAreOff(vars: Record<string, string | undefined> = process.env): boolean {
  return /^(?:off|0|false|no)$/i.test(vars[HOOKS_VARIABLE] ?? '');
}
