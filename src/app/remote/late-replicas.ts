import type { SegmentName } from '../../core/remote/segment-name.ts';
import { openProjects } from '../find/projects.ts';
import { readPrivate } from '../segment/private-sessions.ts';
import { isAbandoned, type OpenRemote } from '../segment/remote-record.ts';
import { localSegments, type RepoState, readLocal, replicaFile } from '../segment/repo-state.ts';
import type { SegmentLine } from '../segment/segment-lines.ts';
import { sentAgain, stoneId } from '../segment/sent-again.ts';
import { cleanerOf, dropReplica, isUnfinished } from './carry-out.ts';
import { withoutPrivate } from './private.ts';

/** What came from a device that nobody speaks for any more may hold what was purged before, or is private: it must not stay. */
export async function dropLate(remote: OpenRemote, repo: string, state: RepoState): Promise<void> {
  const late = await lateReplicas(remote, { repo, state }, (name) => !isUnfinished(remote, state, name));
  for (const { name, lines } of late) await dropReplica(remote, state, name, lines);
}

/**
 * A part with something that was purged or is private and that the store does not list is not kept: another machine that looked through it took it
 * down, and it must not be put there again. Where the list was stale, it is fetched again.
 */
export async function forgetParts(
  remote: OpenRemote,
  repo: string,
  state: RepoState,
  listed: readonly SegmentName[],
): Promise<void> {
  const there = new Set(listed.map(({ id }) => id));
  const isGone = (name: SegmentName) => isUnfinished(remote, state, name) && !there.has(name.id);
  for (const { name } of await lateReplicas(remote, { repo, state }, isGone)) {
    state.taken.delete(name.device);
    await remote.remotes.files.remove(replicaFile(remote, name));
  }
}

/** What is here of devices that nobody speaks for any more, and holds something that was purged or is private. */
async function lateReplicas(
  remote: OpenRemote,
  { repo, state }: { repo: string; state: RepoState },
  isLookedAt: (name: SegmentName) => boolean,
): Promise<LateReplica[]> {
  const isMine = (device: string) => isAbandoned(remote, state, device);
  const replicas = await localSegments(remote, repo, 'replica');
  const names = replicas.filter((name) => isMine(name.device) && isLookedAt(name));
  if (names.length === 0) return [];
  const stones = (await openProjects(remote.world)).flatMap(({ tombstones }) => tombstones);
  const secret = await readPrivate(remote.world);
  if (stones.length + secret.size === 0) return [];
  const isPrivate = (lines: SegmentLine[]) => secret.size > 0 && withoutPrivate(lines, secret).isChanged;
  // Its other user, on the copy of a disk, may have it again.
  const again = await sentAgain(remote, { repo, state, isMine }, stones);
  const found: LateReplica[] = [];
  for (const [device, its] of Map.groupBy(names, (name) => name.device)) {
    const { clean } = cleanerOf(stones.filter((stone) => !again.get(stoneId(stone))?.has(device)));
    for (const name of its) {
      const lines = await readLocal(remote, replicaFile(remote, name), name);
      if (lines && (clean(lines).isChanged || isPrivate(lines))) found.push({ name, lines });
    }
  }
  return found;
}

type LateReplica = { name: SegmentName; lines: SegmentLine[] };
