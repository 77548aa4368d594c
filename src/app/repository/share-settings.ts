import { mergeFields } from '../../core/bundle/merge-fields.ts';
import type { FieldEdit } from '../../core/model/field-edit.ts';
import { fieldRecords } from '../../core/model/field-state.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import { ifReadable } from '../or-fault.ts';
import type { World } from '../world.ts';
import { projectsOf } from './repositories.ts';

/**
 * Gives every folder of a project the settings of all folders, because hooks read only those of their own folder. The last edit
 * of a key counts, in any folder. True if something changed.
 */
export async function shareSettings(world: World, project: ProjectId): Promise<boolean> {
  const folders = await projectsOf(world, project);
  if (folders.length < 2) return false;
  const heads = await Promise.all(folders.map((id) => ifReadable(world.archive.head(id))));
  const values = new Set(heads.map((head) => JSON.stringify(head?.settings ?? {})));
  if (values.size === 1 && values.has('{}')) return false;
  const manifests: Manifest[] = [];
  for (const id of folders) {
    const opened = await ifReadable(world.archive.open(id));
    if (opened) manifests.push(opened.manifest);
  }
  const records = manifests.flatMap(settingRecords);
  let changed = false;
  for (const { projectId, displayName, settings, sessions, fieldEdits } of manifests) {
    const here = { displayName, settings, sessions: Object.values(sessions), fieldEdits };
    const { changes } = mergeFields(here, records);
    if (changes.length === 0) continue;
    await world.archive.change(projectId, changes);
    changed = true;
  }
  return changed;
}

function settingRecords({ settings, fieldEdits }: Manifest): FieldEdit[] {
  return fieldRecords({ settings, sessions: [], fieldEdits }).filter(({ field }) => field === 'setting');
}
