import type { Change } from '../core/model/change.ts';
import type { FieldEdit } from '../core/model/field-edit.ts';
import type { ProjectId } from '../core/model/ids.ts';
import { shortHash } from '../core/model/ids.ts';
import { editStamp } from './edit-stamp.ts';
import type { World } from './world.ts';

/** The records of names and settings that the user sets now; the values themselves are changed beside them. */
export async function recordFields(
  world: World,
  project: ProjectId,
  values: Pick<FieldEdit, 'field' | 'key' | 'value'>[],
): Promise<Change[]> {
  const stamp = await editStamp(world, project);
  const at = new Date(world.clock.millis()).toISOString();
  return values.map((value) => {
    const editId = `v_${shortHash(JSON.stringify([value, stamp]), 12)}`;
    return { at: ['fieldEdits'], append: { editId, at, ...stamp, via: 'typed', ...value }, unique: 'editId' };
  });
}
