import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { type AgentFolder, agentRow, OTHER_AGENTS, type OtherAgent } from '../core/model/agent.ts';

/** All that the product takes from the environment. */
export type Environment = {
  home: string;
  cwd: string;
  archive: string;
  claude: string;
  /** Where other agents keep their sessions. */
  agents: Record<OtherAgent, string[]>;
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
    value
      ? resolve(
          cwd,
          value.replace(/^~(?=$|[/\\])/, () => home),
        )
      : join(home, fallback);
  const columns = Number(vars.COLUMNS);
  return {
    home,
    cwd,
    archive: folder(vars.CLAUDE_MEMORY_DIR, '.claude-memory'),
    claude: folder(vars.CLAUDE_CONFIG_DIR, '.claude'),
    agents: agentFolders((value) => folder(value, ''), home, vars),
    editor: vars.VISUAL || vars.EDITOR || undefined,
    debug: isOn(vars.KEEPSAKE_DEBUG),
    color: colorOf(vars),
    columns: Number.isInteger(columns) && columns > 0 ? columns : undefined,
  };
}

/** The folders that the table of agents names, as this machine has them. */
function agentFolders(
  resolved: (value: string) => string,
  home: string,
  vars: Variables,
): Record<OtherAgent, string[]> {
  const placeOf = ({ path, variable, behind }: AgentFolder): string => {
    const set = variable === undefined ? undefined : vars[variable];
    if (set) return behind === undefined ? resolved(set) : join(resolved(set), behind);
    return path === 'editors' ? editorData(home, vars) : join(home, path.replace(/^~\//, ''));
  };
  return Object.fromEntries(
    OTHER_AGENTS.map((agent) => [agent, (agentRow(agent)?.folders ?? []).map(placeOf)]),
  ) as Record<OtherAgent, string[]>;
}

/** Where VS Code and editors made from it keep their data, each in a folder of its name. */
function editorData(home: string, vars: Variables): string {
  if (process.platform === 'darwin') return join(home, 'Library', 'Application Support');
  if (process.platform === 'win32') return vars.APPDATA || join(home, 'AppData', 'Roaming');
  return vars.XDG_CONFIG_HOME || join(home, '.config');
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
