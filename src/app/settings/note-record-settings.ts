import type { Unrecorded } from '../../core/model/unrecorded.ts';
import { ifPossible, ifReadable } from '../or-fault.ts';
import type { World } from '../world.ts';

/** Repeats what projects set about recording where hooks find it with one small read. */
export async function noteRecordSettings(world: World): Promise<void> {
  const projects: Unrecorded['projects'] = {};
  for (const project of await world.archive.projects()) {
    const head = await ifReadable(world.archive.head(project));
    if (!head || !('record' in head.settings)) continue;
    // A wrong setting is reported elsewhere, by its regular reader.
    const resolved = await ifPossible(world.settings.resolve(head.settings), undefined);
    if (resolved) projects[project] = { path: head.originalPath, record: resolved.config.record };
  }
  await world.archive.unrecorded.change((now) => ({ ...now, projects }));
}
