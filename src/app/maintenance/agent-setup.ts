import {
  hasInstructions,
  withInstructions,
  withoutInstructions,
} from '../../core/agents/instructions-block.ts';
import { agentName, type OtherAgent } from '../../core/model/agent.ts';
import {
  AGENT_SETUPS,
  type SetupEntry,
  type SetupFile,
  type SetupPlace,
  type SetupProgram,
} from '../../core/model/agent-setup.ts';
import { Fault } from '../../core/model/fault.ts';
import { HOOK_FOR } from '../../core/model/hook-for.ts';
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

type SetupChange = {
  path: string;
  before: string | undefined;
  after: string;
  places: ConfigPlace[];
  whole?: true;
};

/** What an agent would get. */
export type SetupPlan = {
  agent: OtherAgent;
  name: string;
  /** What will be done, in words. */
  steps: string[];
  /** What prevents the setup, with instructions for doing it by hand. */
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
  for (const entry of setup.entries ?? []) await planEntry(installer, folder, entry, plan);
  if (setup.plugin) await planFile(installer, folder, setup.plugin, plan);
  if (instructions && setup.instructions !== undefined) {
    const path = `${folder}/${setup.instructions}`;
    const before = await installer.config.read(path);
    const after = withInstructions(before ?? '');
    if (after !== before) {
      plan.changes.push({ path, before, after, places: [] });
      plan.steps.push(`Add a few lines on how to use memory to ${path}.`);
    }
  }
  return plan;
}

async function planEntry(
  { config, program }: AgentInstaller,
  folder: string,
  { what, files, format, at, own, entry }: SetupEntry,
  plan: SetupPlan,
): Promise<void> {
  const texts = await Promise.all(files.map((file) => config.read(`${folder}/${file}`)));
  const first = Math.max(
    0,
    texts.findIndex((text) => text !== undefined),
  );
  const path = `${folder}/${files[first]}`;
  const planned = plan.changes.find((change) => change.path === path);
  const before = planned ? planned.after : texts[first];
  const place: ConfigPlace = { format, at, ...(own === undefined ? {} : { own }) };
  const value = entry(program);
  const isThere = (text: string) => JSON.stringify(config.entry(text, place)) === JSON.stringify(value);
  if (before !== undefined && isThere(before)) return;
  const after = config.withEntry(before ?? '', place, value);
  if (after === undefined || !isThere(after)) {
    plan.problems.push(
      `${path} can't be edited: it is not valid ${format.toUpperCase()}. Add this at ${at.join('.')} yourself: ${JSON.stringify(value)}`,
    );
    return;
  }
  if (planned) {
    planned.after = after;
    planned.places.push(place);
  } else plan.changes.push({ path, before: texts[first], after, places: [place] });
  plan.steps.push(`Add ${what} to ${path}${before === undefined ? ' (new file)' : ''}.`);
}

async function planFile(
  { config, program }: AgentInstaller,
  folder: string,
  { what, file, text }: SetupFile,
  plan: SetupPlan,
): Promise<void> {
  const path = `${folder}/${file}`;
  const before = await config.read(path);
  const after = text(program);
  if (before === after) return;
  if (before !== undefined && !before.includes(HOOK_FOR)) {
    plan.problems.push(
      `${path} already exists and was not written by Keepsake. Rename it, then install again.`,
    );
    return;
  }
  plan.changes.push({ path, before, after, places: [], whole: true });
  plan.steps.push(`Write ${what} to ${path}.`);
}

/** Edits the files; how each was before is noted first, so that a killed one can be undone. */
export async function setUp(
  { config, record }: AgentInstaller,
  { agent, changes }: SetupPlan,
): Promise<void> {
  for (const { path, before, after, places, whole } of changes) {
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
      ...(places.length > 0 ? { places: mergedPlaces(known, places) } : {}),
      ...(whole ? { whole } : {}),
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
  const { path, before, hash, folders, whole } = row;
  const text = await config.read(path);
  if (text === undefined) return true;
  if (hashOf(text) === hash) {
    if (before === null) await config.remove(path, folders);
    else await config.write(path, before);
    removal.restored.push(path);
    return true;
  }
  if (whole) {
    if (text.includes(HOOK_FOR))
      removal.problems.push(`${path} was changed after the installation. Delete it yourself.`);
    return true;
  }
  const places = placesOf(row);
  let after: string | undefined = places.length === 0 ? withoutInstructions(text) : text;
  for (const place of places) after = after === undefined ? after : config.withoutEntry(after, place);
  if (after === undefined) {
    removal.problems.push(`${path} can't be edited. Delete "keepsake" in it yourself.`);
    return false;
  }
  if (after !== text) {
    await config.write(path, after);
    removal.edited.push(path);
  }
  return true;
}

/** Older records have one place of a file. */
function placesOf({ format, at, places = [] }: SetupRow): ConfigPlace[] {
  return format !== undefined && at !== undefined ? [{ format, at }, ...places] : places;
}

function mergedPlaces(known: SetupRow | undefined, places: ConfigPlace[]): NonNullable<SetupRow['places']> {
  const all = [...(known ? placesOf(known) : []), ...places].map((place) => ({
    ...place,
    at: [...place.at],
  }));
  const keys = all.map(({ at }) => at.join('\n'));
  return all.filter((_, index) => keys.lastIndexOf(keys[index]!) === index);
}

/** Files that a removal would touch, in words. */
export async function planTakeOut(
  { config, record }: AgentInstaller,
  agents?: readonly OtherAgent[],
): Promise<string[]> {
  const steps: string[] = [];
  for (const row of await readSetupRecord(config, record)) {
    const { agent, path, before, hash } = row;
    if (agents !== undefined && !agents.includes(agent as OtherAgent)) continue;
    const text = await config.read(path);
    if (text === undefined) continue;
    if (!isOurs(config, row, text)) continue;
    if (hashOf(text) !== hash)
      steps.push(`Remove Keepsake from ${path}, which was changed after the installation.`);
    else steps.push(before === null ? `Remove ${path}.` : `Restore ${path}.`);
  }
  return steps;
}

/** Whether a file still has what was put there. */
function isOurs(config: AgentConfig, row: SetupRow, text: string): boolean {
  if (row.whole) return text.includes(HOOK_FOR);
  const places = placesOf(row);
  return places.length === 0
    ? hasInstructions(text)
    : places.some((place) => config.entry(text, place) !== undefined);
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
