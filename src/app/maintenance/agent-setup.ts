import {
  hasInstructions,
  withInstructions,
  withoutInstructions,
} from '../../core/agents/instructions-block.ts';
import { agentName, type OtherAgent } from '../../core/model/agent.ts';
import { AGENT_SETUPS, type SetupPlace, type SetupProgram } from '../../core/model/agent-setup.ts';
import { Fault } from '../../core/model/fault.ts';
import { shortHash } from '../../core/model/ids.ts';
import type { AgentConfig, ConfigPlace } from '../../ports/agent-config.ts';
import { readSetupRecord, type SetupRow, writeSetupRecord } from './setup-record.ts';

/** Puts Keepsake into agents that have no plugins of its kind. */
export type AgentInstaller = {
  config: AgentConfig;
  program: SetupProgram;
  places: SetupPlace[];
  /** The file that remembers how every settings file was before. */
  record: string;
};

type SetupChange = { path: string; before: string | undefined; after: string; place?: ConfigPlace };

/** What an agent would get. */
export type SetupPlan = {
  agent: OtherAgent;
  name: string;
  /** What will be done, in words. */
  steps: string[];
  /** What stands against it, with what to do by hand. */
  problems: string[];
  changes: SetupChange[];
};

/** The agents that have a folder on this machine. */
export async function agentsHere({ config, places }: AgentInstaller): Promise<SetupPlace[]> {
  const found: SetupPlace[] = [];
  for (const place of places) {
    const signs = await Promise.all([place.folder, ...place.signs].map((path) => config.hasFolder(path)));
    if (signs.includes(true)) found.push(place);
  }
  return found;
}

/** Without steps: it has all of that already. */
export async function planSetup(
  installer: AgentInstaller,
  { agent, folder }: SetupPlace,
  { instructions = false }: { instructions?: boolean } = {},
): Promise<SetupPlan> {
  const setup = AGENT_SETUPS[agent] ?? {};
  const plan: SetupPlan = { agent, name: agentName(agent), steps: [], problems: [], changes: [] };
  if (setup.mcp) await planEntry(installer, folder, setup.mcp, plan);
  if (instructions && setup.instructions !== undefined) {
    const path = `${folder}/${setup.instructions}`;
    const before = await installer.config.read(path);
    const after = withInstructions(before ?? '');
    if (after !== before) {
      plan.changes.push({ path, before, after });
      plan.steps.push(`Add a few lines on how to ask memory to ${path}.`);
    }
  }
  return plan;
}

type Mcp = NonNullable<(typeof AGENT_SETUPS)[OtherAgent]>['mcp'] & object;

async function planEntry(
  { config, program }: AgentInstaller,
  folder: string,
  { files, format, at, entry }: Mcp,
  plan: SetupPlan,
): Promise<void> {
  const texts = await Promise.all(files.map((file) => config.read(`${folder}/${file}`)));
  const first = Math.max(
    0,
    texts.findIndex((text) => text !== undefined),
  );
  const [path, before, place] = [`${folder}/${files[first]}`, texts[first], { format, at }];
  const value = entry(program);
  const isThere = (text: string) => JSON.stringify(config.entry(text, place)) === JSON.stringify(value);
  if (before !== undefined && isThere(before)) return;
  const after = config.withEntry(before ?? '', place, value);
  if (after === undefined || !isThere(after)) {
    plan.problems.push(
      `${path} can't be edited: it is no sound ${format.toUpperCase()}. Add this at ${at.join('.')} yourself: ${JSON.stringify(value)}`,
    );
    return;
  }
  plan.changes.push({ path, before, after, place });
  plan.steps.push(`Add the MCP server "keepsake" to ${path}${before === undefined ? ', which is new' : ''}.`);
}

/** Edits the files; how each was before is noted first, so that a killed one can be undone. */
export async function setUp(
  { config, record }: AgentInstaller,
  { agent, changes }: SetupPlan,
): Promise<void> {
  for (const { path, before, after, place } of changes) {
    const rows = await readSetupRecord(config, record);
    const known = rows.find((row) => row.path === path);
    // What Keepsake itself wrote before is not how it was before.
    const original =
      known && before !== undefined && hashOf(before) === known.hash ? known.before : (before ?? null);
    const row: SetupRow = {
      agent,
      path,
      before: original,
      hash: hashOf(after),
      folders: known?.folders ?? [],
      ...(place ? { format: place.format, at: [...place.at] } : {}),
    };
    const others = rows.filter((it) => it.path !== path);
    await writeSetupRecord(config, record, [...others, row]);
    const folders = await config.write(path, after);
    if (folders.length > 0) await writeSetupRecord(config, record, [...others, { ...row, folders }]);
  }
}

/** What taking Keepsake out of agents came to. */
type SetupRemoval = { restored: string[]; edited: string[]; problems: string[] };

/** Every file as it was; of one that was changed since, only Keepsake's own part goes. */
export async function takeOut(
  installer: AgentInstaller,
  agents?: readonly OtherAgent[],
): Promise<SetupRemoval> {
  const { config, record } = installer;
  const removal: SetupRemoval = { restored: [], edited: [], problems: [] };
  const rows = await readSetupRecord(config, record);
  const left: SetupRow[] = [];
  for (const row of rows) {
    const isAsked = agents === undefined || agents.includes(row.agent as OtherAgent);
    if (!isAsked || !(await undo(config, row, removal))) left.push(row);
  }
  if (left.length > 0) await writeSetupRecord(config, record, left);
  else if (rows.length > 0) await config.remove(record, []);
  return removal;
}

async function undo(config: AgentConfig, row: SetupRow, removal: SetupRemoval): Promise<boolean> {
  const { path, before, hash, folders } = row;
  const text = await config.read(path);
  if (text === undefined) return true;
  if (hashOf(text) === hash) {
    if (before === null) await config.remove(path, folders);
    else await config.write(path, before);
    removal.restored.push(path);
    return true;
  }
  const place = placeOf(row);
  const after = place ? config.withoutEntry(text, place) : withoutInstructions(text);
  if (after === undefined) {
    removal.problems.push(`${path} can't be edited any more. Delete "keepsake" in it yourself.`);
    return false;
  }
  if (after !== text) {
    await config.write(path, after);
    removal.edited.push(path);
  }
  return true;
}

function placeOf({ format, at }: SetupRow): ConfigPlace | undefined {
  return format !== undefined && at !== undefined ? { format, at } : undefined;
}

/** Files that a removal would touch, in words. */
export async function planTakeOut(
  { config, record }: AgentInstaller,
  agents?: readonly OtherAgent[],
): Promise<string[]> {
  const steps: string[] = [];
  for (const { agent, path, before, hash, format, at } of await readSetupRecord(config, record)) {
    if (agents !== undefined && !agents.includes(agent as OtherAgent)) continue;
    const text = await config.read(path);
    if (text === undefined) continue;
    const isOurs =
      format !== undefined && at !== undefined
        ? config.entry(text, { format, at }) !== undefined
        : hasInstructions(text);
    if (!isOurs) continue;
    if (hashOf(text) !== hash) steps.push(`Take Keepsake out of ${path}, which was changed since.`);
    else steps.push(before === null ? `Remove ${path}.` : `Put ${path} back as it was.`);
  }
  return steps;
}

/** The place of an agent by name; refuses one that takes nothing, with those that do. */
export function setupPlace({ places }: AgentInstaller, agent: string): SetupPlace {
  const found = places.find((it) => it.agent === agent);
  if (found) return found;
  const names = ['claude-code', ...places.map((it) => it.agent)].join(', ');
  throw new Fault('usage', `Keepsake can't be installed into "${agent}".`, { hint: `One of: ${names}.` });
}

function hashOf(text: string): string {
  return shortHash(text, 32);
}
