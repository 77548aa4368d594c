import type { ProjectLine } from '../../core/bundle/bundle-line.ts';
import { purgeEvent } from '../../core/bundle/import-events.ts';
import type { Change } from '../../core/model/change.ts';
import type { HistoryEvent } from '../../core/model/history.ts';
import { isSessionId, type ProjectId } from '../../core/model/ids.ts';
import type { Manifest, Tombstone } from '../../core/model/manifest.ts';
import { streamBase } from '../../core/model/stream-id.ts';
import { repoTag } from '../../core/remote/remote-key.ts';
import { targetOf } from '../bundle/target.ts';
import { lastDecisions, sweepPurged } from '../purge/sweep.ts';
import { purgeChanges } from '../purge/unregister.ts';
import { allRepositories } from '../repository/repositories.ts';
import type { World } from '../world.ts';
import type { OpenRemote } from './remote-record.ts';
import { stoneId } from './sent-again.ts';

/** A purge, and the folders that were named with it. `again`: devices that sent its session after it. */
export type ComingStone = { stone: Tombstone; projects: ProjectLine[]; again?: ReadonlySet<string> };

/**
 * Purges of sessions are known to a folder only once they are carried out there: what is here beside a tombstone came after
 * it, and by the user. By the id of each that concerns a folder here: whether it is noted. One whose session someone brought in
 * meanwhile is not: it is to be carried out again.
 */
export async function noteStones(
  remote: OpenRemote,
  repo: string,
  coming: readonly ComingStone[],
): Promise<Map<string, boolean>> {
  const noted = new Map<string, boolean>();
  const again = new Set(coming.flatMap((it) => (it.again?.size ? [stoneId(it.stone)] : [])));
  for (const [project, stones] of await stonesByFolder(remote, repo, coming)) {
    const before = (await remote.world.archive.open(project))?.manifest;
    if (!before) continue;
    const open = await noteIn(remote.world, project, stones, again);
    for (const id of stones.map(stoneId)) noted.set(id, noted.get(id) !== false && !open.has(id));
    await sweepCopies(
      remote.world,
      before,
      stones.filter((stone) => !open.has(stoneId(stone))),
    );
  }
  return noted;
}

/** Folders of the repository, and where an import puts what came with a purge: that may be of another repository here. */
async function stonesByFolder(
  { world, keys }: OpenRemote,
  repo: string,
  coming: readonly ComingStone[],
): Promise<Map<ProjectId, Tombstone[]>> {
  const found = new Map<ProjectId, Tombstone[]>();
  if (coming.length === 0) return found;
  const repository = (await allRepositories(world)).find(({ key }) => repoTag(keys, key) === repo);
  const own = (repository?.folders ?? []).map(({ projectId }) => projectId);
  const targets = new Map<ProjectLine, ProjectId>();
  for (const { stone, projects } of coming) {
    for (const line of projects)
      if (!targets.has(line)) targets.set(line, (await targetOf(world, line)).project);
    for (const folder of new Set([...own, ...projects.map((line) => targets.get(line)!)]))
      found.set(folder, [...(found.get(folder) ?? []), stone]);
  }
  return found;
}

/** Gives those whose session is there though no device sent it after them. */
async function noteIn(
  world: World,
  project: ProjectId,
  stones: readonly Tombstone[],
  again: ReadonlySet<string>,
): Promise<Set<string>> {
  const open = new Set<string>();
  const events: HistoryEvent[] = [];
  let isChanged = false;
  const make = (now: Manifest) => {
    const { tombstones, sessions } = now;
    const known = new Set(tombstones.map(stoneId));
    const fresh = stones.filter((stone) => !known.has(stoneId(stone)));
    const changes = fresh.flatMap((stone): Change[] => {
      const append = [{ at: ['tombstones'], append: stone }];
      // Nothing is looked up by an id that no session has.
      if (!isSessionId(stone.id)) return append;
      if (!Object.hasOwn(sessions, stone.id)) {
        events.push(purgeEvent(stone));
        return purgeChanges(now, stone.id, stone.at);
      }
      if (again.has(stoneId(stone))) return append;
      open.add(stoneId(stone));
      return [];
    });
    isChanged = changes.length > 0;
    return changes;
  };
  await world.archive.changeFrom(project, make, () => events);
  // It may have gone some other way before, and be named in older copies of the record.
  if (isChanged) await world.archive.fold(project, { forget: true });
  return open;
}

/** Copies without a record: a sync was killed while they came in. */
async function sweepCopies(world: World, before: Manifest, stones: readonly Tombstone[]): Promise<void> {
  const { projectId } = before;
  const byId = new Map(stones.map((stone) => [stone.id, stone]));
  const streams = (await world.archive.originals.list(projectId)).flatMap((name) => {
    const id = /^([^/]+)\.jsonl$/.exec(name)?.[1] ?? '';
    const stone = byId.get(streamBase(id));
    return stone && id !== stone.id ? [{ ...stone, id }] : [];
  });
  const last = await lastDecisions(world, projectId);
  const isLast = ({ id }: Tombstone) => !isSessionId(id) || last.get(id) === 'purge';
  const tombstones = [...streams, ...stones.filter(isLast)];
  // Read again: someone may have registered it meanwhile.
  const manifest = (await world.archive.open(projectId))?.manifest ?? before;
  await sweepPurged(world, { ...manifest, tombstones }, new Set(tombstones.map(({ id }) => id)));
}
