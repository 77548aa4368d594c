import { type SegmentName, segmentName, segmentPlace } from '../../core/remote/segment-name.ts';
import { mayStay, type NotInStore, notInStore } from '../segment/may-stay.ts';
import { isAbandoned, type OpenRemote } from '../segment/remote-record.ts';
import {
  localSegments,
  ownSegmentFile,
  type RepoState,
  replicaFile,
  saveRepoState,
} from '../segment/repo-state.ts';
import type { AuthorOf } from './remote-authors.ts';

export type Pushed = {
  count: number;
  bytes: number;
  removed: number /** Of others, that the store had lost. */;
  restored: number;
};

/** Puts own segments that the store lacks, then takes down what was replaced or purged. What others wrote and the store lost is put again, too. */
export async function pushSegments(
  remote: OpenRemote,
  repo: string,
  state: RepoState,
  { listed, authorOf }: { listed: readonly SegmentName[]; authorOf: AuthorOf },
): Promise<Pushed> {
  const { store, remotes } = remote;
  const pushed: Pushed = { count: 0, bytes: 0, removed: 0, restored: 0 };
  const there = new Set(listed.map(segmentName));
  const own = await localSegments(remote, repo, 'own');
  // The log first: purges are known before anything else is.
  for (const name of own.toSorted((a, b) => Number(b.lane === 'log') - Number(a.lane === 'log'))) {
    if (there.has(segmentName(name))) continue;
    const bytes = await remotes.files.read(ownSegmentFile(remote, name));
    if (!bytes) continue;
    await store.put(segmentName(name), bytes);
    pushed.count++;
    pushed.bytes += bytes.length;
  }
  const ids = new Set(own.map(({ id }) => id));
  const isOver = (name: SegmentName) =>
    name.device === remote.device.device
      ? !ids.has(name.id)
      : state.dropped.has(name.id) &&
        isAbandoned(remote, state, name.device) &&
        authorOf(name.device) === undefined;
  const places = Map.groupBy(listed, segmentPlace);
  let gone: NotInStore | undefined;
  let isNoted = false;
  for (const name of listed) {
    if (!isOver(name)) continue;
    const isAlone = name.device !== remote.device.device && places.get(segmentPlace(name))!.length === 1;
    // What replaced it is gone, too: who still holds it would put it there again and again.
    if (isAlone) {
      gone ??= await notInStore(remote);
      const before = state.searched.get(name.id);
      const isLeft = await mayStay(remote, name, state.searched, gone);
      isNoted ||= state.searched.get(name.id) !== before;
      if (isLeft) continue;
    }
    await store.remove(segmentName(name));
    pushed.removed++;
  }
  // Otherwise it is brought and looked through at every sync.
  if (isNoted) await saveRepoState(remote, repo, state);
  const replicas = store.isOwnOnly ? [] : await localSegments(remote, repo, 'replica');
  const seen = new Set([...replicas.map(({ id }) => id), ...state.dropped]);
  const unseen = new Set(listed.filter(({ id }) => !seen.has(id)).map(segmentPlace));
  for (const name of replicas) {
    if (there.has(segmentName(name)) || state.dropped.has(name.id)) continue;
    // Perhaps not lost: its machine put another one there, which could not be fetched yet.
    if (unseen.has(segmentPlace(name))) continue;
    const bytes = await remotes.files.read(replicaFile(remote, name));
    if (!bytes) continue;
    await store.put(segmentName(name), bytes);
    pushed.restored++;
  }
  await store.flush();
  return pushed;
}
