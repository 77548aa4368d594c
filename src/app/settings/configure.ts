import type { Change } from '../../core/model/change.ts';
import { choicesOf, SETTINGS, type Setting } from '../../core/model/config.ts';
import { Fault } from '../../core/model/fault.ts';
import { settingLeaves } from '../../core/model/field-state.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { projectNameOf, readValue, valueAt, withSetting } from '../../core/model/resolve-config.ts';
import { isSettingPath } from '../../core/model/setting-path.ts';
import { whatIsWrong } from '../../core/model/setting-rules.ts';
import type { SettingSource } from '../../ports/settings.ts';
import { recordFields } from '../edit-records.ts';
import { locateProject } from '../find/locate-project.ts';
import { makeProject } from '../find/make-project.ts';
import { findProject, pathMeant } from '../find/project.ts';
import { nearest } from '../nearest.ts';
import { orFault } from '../or-fault.ts';
import { projectsOf } from '../repository/repositories.ts';
import { shareSettings } from '../repository/share-settings.ts';
import type { World } from '../world.ts';
import { noteRecordSettings } from './note-record-settings.ts';

export type SettingRow = {
  key: string;
  value: unknown;
  source: SettingSource;
  default: unknown;
  /** What it does, for a person. */
  about: string;
  /** Where only these words will do. */
  choices?: string[];
};

/** Every setting with its value here and where that comes from. */
export async function listSettings(world: World, project?: string): Promise<SettingRow[]> {
  const own = project === undefined ? {} : await projectSettings(world, await findProject(world, project));
  const { config, sources, warnings } = await world.settings.resolve(own);
  for (const warning of warnings) world.report?.(warning);
  return [...SETTINGS.values()].map((setting) => {
    const { key, fallback, about } = setting;
    const choices = choicesOf(setting);
    return {
      key,
      value: valueAt(config, key),
      source: sources.get(key) ?? 'default',
      default: fallback,
      about,
      ...(choices ? { choices } : {}),
    };
  });
}

/** One setting, or all below a group such as `levels`. */
export async function getSettings(world: World, key: string, project?: string): Promise<SettingRow[]> {
  const rows = await listSettings(world, project);
  const found = rows.filter((row) => row.key === key || row.key.startsWith(`${key}.`));
  if (found.length === 0) throw unknownKey(key);
  return found;
}

/** Sets one setting from words of a command line; `text` undefined takes it out again. */
export async function setSetting(
  world: World,
  key: string,
  text: string | undefined,
  project?: string,
): Promise<SettingRow> {
  const setting = SETTINGS.get(key);
  if (key === 'version') {
    throw new Fault('usage', "The key version is written by Keepsake and can't be set.", {
      hint: '`keepsake config list` shows all settings.',
    });
  }
  if (!setting) throw unknownKey(key);
  const value = text === undefined ? undefined : checked(setting, text);
  if (project === undefined) await world.settings.writeGlobal((values) => withSetting(values, key, value));
  else await setInProject(world, await projectFor(world, project, key), key, value);
  if (key === 'record') await noteRecordSettings(world);
  const [row] = await getSettings(world, key, project);
  return row!;
}

export async function projectSettings(world: World, project: ProjectId): Promise<Record<string, unknown>> {
  return (await world.archive.open(project))?.manifest.settings ?? {};
}

/** Replaces a project's settings as a whole: what an editor hands back. */
export async function putProjectSettings(
  world: World,
  project: ProjectId,
  settings: Record<string, unknown>,
): Promise<void> {
  await world.settings.resolve(settings);
  const before = new Map(settingLeaves(await projectSettings(world, project)));
  const after = new Map(settingLeaves(settings));
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    (key) => isSettingPath(key) && JSON.stringify(before.get(key)) !== JSON.stringify(after.get(key)),
  );
  const records = await recordFields(
    world,
    await projectsOf(world, project),
    changed.map((key) => settingOf(key, after.get(key))),
  );
  const event = { at: world.clock.now(), action: 'settings' as const, note: 'Settings edited.' };
  await world.archive.change(project, [{ at: ['settings'], put: settings }, ...records], [event]);
  await shareSettings(world, project);
  await noteRecordSettings(world);
}

/** Unset, it has no value. */
function settingOf(key: string, value: unknown) {
  return { field: 'setting' as const, key, ...(value === undefined ? {} : { value }) };
}

/** A folder that no session was recorded of can be kept out before the first one is. */
async function projectFor(world: World, text: string, key: string): Promise<ProjectId> {
  const found = await orFault(findProject(world, text));
  if (!(found instanceof Fault)) return found;
  const path = pathMeant(world, text);
  const isNamed = key === 'record' && found.code === 'not-found' && /[\\/]|^[.~]/.test(text);
  if (!isNamed || (await world.machine.accessTo(path)) === 'missing') throw found;
  const { project } = await locateProject(world, path);
  await makeProject(world, project, path, `Excluded from the archive: ${path}`);
  return project;
}

function checked(setting: Setting, text: string): unknown {
  const value = readValue(setting.rule, text);
  const wrong = whatIsWrong(setting.rule, value);
  if (wrong === undefined) return value;
  throw new Fault('usage', `${setting.key} can't be ${JSON.stringify(text)}: ${wrong}.`, {
    hint: `${setting.about} Default: ${JSON.stringify(setting.fallback)}.`,
  });
}

/** One place is changed, not the whole, so that two changes at once both stay. */
async function setInProject(world: World, project: ProjectId, key: string, value: unknown): Promise<void> {
  const at = ['settings', ...key.split('.')];
  const older = projectNameOf(key);
  const changes: Change[] = [value === undefined ? { at, drop: true } : { at, put: value }];
  if (older !== undefined) changes.unshift({ at: ['settings', older], drop: true });
  const unset = older === undefined ? [] : [settingOf(older, undefined)];
  changes.push(
    ...(await recordFields(world, await projectsOf(world, project), [...unset, settingOf(key, value)])),
  );
  const note = value === undefined ? `${key} unset.` : `${key} = ${JSON.stringify(value)}`;
  await world.archive.change(project, changes, [{ at: world.clock.now(), action: 'settings', note }]);
  await shareSettings(world, project);
}

function unknownKey(key: string): Fault {
  const near = nearest(key, SETTINGS.keys());
  const hint =
    near.length > 0 ? `Did you mean ${near.join(' or ')}?` : '`keepsake config list` shows all settings.';
  return new Fault('usage', `No setting ${JSON.stringify(key.slice(0, 100))}.`, { hint });
}
