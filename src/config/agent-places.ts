import { join } from 'node:path';
import {
  type AgentFolder,
  ASKED_AGENTS,
  type AskedAgent,
  agentRow,
  OTHER_AGENTS,
  type OtherAgent,
} from '../core/model/agent.ts';
import { AGENT_SETUPS, SETUP_AGENTS, type SetupPlace } from '../core/model/agent-setup.ts';
import { type Environment, folderFromVariable } from './environment.ts';

type Variables = Record<string, string | undefined>;

/** The folders that the table of agents names, as this machine has them. */
export function agentPlaces(
  { home, cwd }: Pick<Environment, 'home' | 'cwd'>,
  vars: Variables = process.env,
): Record<OtherAgent | AskedAgent, string[]> {
  const placeOf = placing({ home, cwd }, vars);
  return Object.fromEntries(
    [...OTHER_AGENTS, ...ASKED_AGENTS].map((agent) => [agent, (agentRow(agent)?.folders ?? []).map(placeOf)]),
  ) as Record<OtherAgent | AskedAgent, string[]>;
}

/** Where agents keep their settings, and where their sessions: either shows that one is here. */
export function setupPlaces(
  { home, cwd }: Pick<Environment, 'home' | 'cwd'>,
  vars: Variables = process.env,
): SetupPlace[] {
  const placeOf = placing({ home, cwd }, vars);
  return SETUP_AGENTS.map((agent) => {
    const own = (agentRow(agent)?.folders ?? []).filter(({ path }) => path !== 'editors').map(placeOf);
    const { folder } = AGENT_SETUPS[agent]!;
    return { agent, folder: folder ? placeOf(folder) : own[0]!, signs: own };
  });
}

function placing({ home, cwd }: Pick<Environment, 'home' | 'cwd'>, vars: Variables) {
  const resolved = (value: string) => folderFromVariable(value, { home, cwd });
  return ({ path, variable, behind }: AgentFolder): string => {
    const set = variable === undefined ? undefined : vars[variable];
    if (set) return behind === undefined ? resolved(set) : join(resolved(set), behind);
    if (path !== 'editors') return join(home, path.replace(/^~\//, ''));
    return behind === undefined ? editorData(home, vars) : join(editorData(home, vars), behind);
  };
}

/** Where VS Code and editors made from it keep their data, each in a folder of its name. */
function editorData(home: string, vars: Variables): string {
  if (process.platform === 'darwin') return join(home, 'Library', 'Application Support');
  if (process.platform === 'win32') return vars.APPDATA || join(home, 'AppData', 'Roaming');
  return vars.XDG_CONFIG_HOME || join(home, '.config');
}
