import type { Change } from '../core/model/change.ts';
import type { FieldEdit } from '../core/model/field-edit.ts';
import { type ProjectId, shortHash } from '../core/model/ids.ts';
import type { Manifest } from '../core/model/manifest.ts';
import { latestOf, nextStamp, type Stamp, type Stamped } from '../core/model/record-order.ts';
import type { World } from './world.ts';

/** The stamp of an edit that is made now: later than every edit of this user's that the projects know. */
export async function editStamp(
  world: World,
  project: ProjectId | readonly ProjectId[],
  also: readonly Stamped[] = [],
): Promise<Stamp> {
  const latest = [latestOf(also)];
  for (const id of typeof project === 'string' ? [project] : project)
    latest.push(await latestEdit(world, id));
  const device = await world.archive.device(world.random.uuid);
  return nextStamp(Math.max(...latest), world.clock.millis(), device);
}

/** From the head, so that an edit costs the same however many there are; what an older version wrote is read whole. */
async function latestEdit(world: World, project: ProjectId): Promise<number> {
  const clock = (await world.archive.head(project))?.clock;
  if (clock !== undefined) return clock;
  const manifest = (await world.archive.open(project))?.manifest;
  return manifest ? latestOf(editsOf(manifest)) : -1;
}

function editsOf({ overlays, factEdits = [], conceptEdits = [], fieldEdits = [] }: Manifest): Stamped[] {
  return [...overlays, ...factEdits, ...conceptEdits, ...fieldEdits];
}

/** The records of names and settings that the user sets now; the values themselves are changed beside them. */
export async function recordFields(
  world: World,
  project: ProjectId | readonly ProjectId[],
  values: Pick<FieldEdit, 'field' | 'key' | 'value'>[],
): Promise<Change[]> {
  const stamp = await editStamp(world, project);
  const at = new Date(world.clock.millis()).toISOString();
  return values.map((value) => {
    const editId = `v_${shortHash(JSON.stringify([value, stamp]), 12)}`;
    return { at: ['fieldEdits'], append: { editId, at, ...stamp, via: 'typed', ...value }, unique: 'editId' };
  });
}
