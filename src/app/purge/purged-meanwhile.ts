import type { Tombstone } from '../../core/model/manifest.ts';
import { openProjects } from '../find/projects.ts';
import { textsOf } from '../find/purged-marks.ts';
import type { SessionRef } from '../find/session-ref.ts';
import type { World } from '../world.ts';
import { addToOpen } from './open-purge.ts';
import { findTexts } from './places.ts';
import { finishTexts } from './text.ts';

/** The texts and messages that are purged now, by their ids. */
export async function purgedTombstones(world: World): Promise<Map<string, Tombstone>> {
  const tombstones = (await openProjects(world)).flatMap((it) => it.tombstones);
  return new Map(tombstones.filter(({ salt }) => salt !== undefined).map((it) => [it.id, it]));
}

/**
 * For who worked while someone purged: what was read before a purge may have been written after its last look. `known`:
 * what was purged when the work began. `taken`: sessions whose record may be of their copy as it was before.
 */
export async function erasePurgedMeanwhile(
  world: World,
  known: ReadonlyMap<string, Tombstone>,
  taken: readonly SessionRef[],
): Promise<void> {
  const stones = [...(await purgedTombstones(world)).values()].filter(({ id }) => !known.has(id));
  if (stones.length === 0) return;
  await world.index.destroy();
  const { files } = await findTexts(world, await openProjects(world), textsOf(stones));
  if (files.length + taken.length === 0) return;
  for (const project of await world.archive.projects()) {
    const sessions = taken.filter((ref) => ref.project === project).map(({ session }) => session);
    await addToOpen(world, project, { stones, sessions });
  }
  await finishTexts(world);
}
