import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** What every part of the product takes from the environment. */
export type Environment = {
  home: string;
  cwd: string;
  archive: string;
  claude: string;
  debug: boolean;
};

type Variables = Record<string, string | undefined>;

export function readEnvironment(
  vars: Variables = process.env,
  currentFolder: string | (() => string) = process.cwd,
): Environment {
  const home = vars.HOME || vars.USERPROFILE || homedir();
  const cwd = typeof currentFolder === 'string' ? currentFolder : (folderFrom(currentFolder) ?? home);
  const folder = (value: string | undefined, fallback: string) =>
    value ? folderFromVariable(value, { home, cwd }) : join(home, fallback);
  return {
    home,
    cwd,
    archive: folder(vars.CLAUDE_MEMORY_DIR, '.claude-memory'),
    claude: folder(vars.CLAUDE_CONFIG_DIR, '.claude'),
    debug: isOn(vars.KEEPSAKE_DEBUG),
  };
}

/** A folder as a variable names it: `~` is the user's own. */
export function folderFromVariable(value: string, { home, cwd }: { home: string; cwd: string }): string {
  return resolve(
    cwd,
    value.replace(/^~(?=$|[/\\])/, () => home),
  );
}

/** Undefined where the folder was deleted while a shell was in it. */
function folderFrom(currentFolder: () => string): string | undefined {
  try {
    return currentFolder();
  } catch {
    return undefined;
  }
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== '0' && value !== 'false';
}
