import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** All that the product takes from the environment. */
export type Environment = {
  home: string;
  cwd: string;
  archive: string;
  claude: string;
  editor: string | undefined;
  debug: boolean;
  /** Undefined: color if it is a terminal. */
  color: boolean | undefined;
  columns: number | undefined;
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
  const columns = Number(vars.COLUMNS);
  return {
    home,
    cwd,
    archive: folder(vars.CLAUDE_MEMORY_DIR, '.claude-memory'),
    claude: folder(vars.CLAUDE_CONFIG_DIR, '.claude'),
    editor: vars.VISUAL || vars.EDITOR || undefined,
    debug: isOn(vars.KEEPSAKE_DEBUG),
    color: colorOf(vars),
    columns: Number.isInteger(columns) && columns > 0 ? columns : undefined,
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

/** https://no-color.org, and FORCE_COLOR as Node itself reads it. */
function colorOf(vars: Variables): boolean | undefined {
  if (vars.NO_COLOR) return false;
  const force = vars.FORCE_COLOR;
  if (force !== undefined) return force !== '0' && force !== 'false';
  return vars.TERM === 'dumb' ? false : undefined;
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== '0' && value !== 'false';
}
