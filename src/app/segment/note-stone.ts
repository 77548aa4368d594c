import type { ProjectLine } from '../../core/bundle/bundle-line.ts';
import { purgeEvent } from '../../core/bundle/import-events.ts';
import { isSessionId, type ProjectId } from '../../core/model/ids.ts';
import type { Tombstone } from '../../core/model/manifest.ts';
import { streamBase } from '../../core/model/stream-id.ts';
import { repoTag } from '../../core/remote/remote-key.ts';
import { targetOf } from '../bundle/target.ts';
import { isLastPurged, sweepPurged } from '../purge/sweep.ts';
import { purgeChanges } from '../purge/unregister.ts';
import { allRepositories } from '../repository/repositories.ts';
import type { OpenRemote } from './remote-record.ts';
import { stoneId } from './sent-again.ts';

/** A purge, and the folders that were named with it. */
export type ComingStone = { stone: Tombstone; projects: ProjectLine[] };

/**
 * Known to a folder only once it is carried out there: what is here beside its tombstone came after it, and by the user.
 * False where there is no folder that could know it.
 */
export async function noteStone(
  remote: OpenRemote,
  repo: string,
  { stone, projects }: ComingStone,
): Promise<boolean> {
  const { world } = remote;
  let isNoted = false;
  for (const projectId of await foldersOf(remote, repo, projects)) {
    const before = (await world.archive.open(projectId))?.manifest;
    if (!before) continue;
    isNoted = true;
    // Nothing is looked up by an id that no session has.
    const isHere = !isSessionId(stone.id) || Object.hasOwn(before.sessions, stone.id);
    if (!before.tombstones.some((it) => stoneId(it) === stoneId(stone))) {
      const changes = isHere ? [{ at: ['tombstones'], append: stone }] : purgeChanges(stone.id, stone.at);
      await world.archive.change(projectId, changes, isHere ? [] : [purgeEvent(stone)]);
    }
    // Copies without a record: a sync was killed while they came in.
    const copies = (await world.archive.originals.list(projectId)).flatMap(
      (name) => /^([^/]+)\.jsonl$/.exec(name)?.[1] ?? [],
    );
    const its = copies.filter((id) => streamBase(id) === stone.id).map((id) => ({ ...stone, id }));
    // Read again: someone may have registered it meanwhile.
    const manifest = (await world.archive.open(projectId))?.manifest ?? before;
    const isLast = !isSessionId(stone.id) || (await isLastPurged(world, projectId, stone.id));
    const tombstones = [...its, stone].filter(({ id }) => id !== stone.id || isLast);
    await sweepPurged(world, { ...manifest, tombstones }, new Set(tombstones.map(({ id }) => id)));
  }
  return isNoted;
}

/** Of its repository, and where an import puts what came with it: a folder may belong to another repository here. */
async function foldersOf(
  { world, keys }: OpenRemote,
  repo: string,
  projects: readonly ProjectLine[],
): Promise<Set<ProjectId>> {
  const repository = (await allRepositories(world)).find(({ key }) => repoTag(keys, key) === repo);
  const folders = new Set((repository?.folders ?? []).map(({ projectId }) => projectId));
  for (const line of projects) folders.add((await targetOf(world, line)).project);
  return folders;
}
