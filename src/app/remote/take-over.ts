import { recordKeysIn } from '../segment/line-keys.ts';
import { abandonedDevices, listRemotes, type OpenRemote, openRemote } from '../segment/remote-record.ts';
import {
  localSegments,
  ownSegmentFile,
  type RepoState,
  readLocal,
  replicaFile,
} from '../segment/repo-state.ts';
import { piecesIn } from '../segment/segment-lines.ts';
import { TALK } from '../segment/session-pieces.ts';
import { streamSource } from './whole-stream.ts';

/**
 * Records of a device that nobody uses any more and that no segment here contains are sent by this machine from now on. Their
 * segments were deleted when something in them was purged, before or after the device was retired.
 */
export async function takeOver(remote: OpenRemote, repo: string, state: RepoState): Promise<boolean> {
  const fresh = abandonedDevices(remote, state).filter((id) => !state.taken.has(id));
  if (fresh.length === 0) return false;
  const { keys, ends } = await heldHere(remote, repo);
  // Purges, their confirmations, retired devices and what others said of private sessions were already sent.
  for (const key of state.keys) if (!/^[tprh]:/.test(key) && !keys.has(key)) state.keys.delete(key);
  const sources = Map.groupBy(state.streams, ([, stream]) => stream);
  for (const [stream, from] of sources) {
    if (!from.some(([source]) => fresh.includes(source.split('/')[0]!))) continue;
    for (const [key, bytes] of state.received) {
      if (!key.startsWith(stream)) continue;
      const file = key.slice(stream.length);
      // A machine that ended while it sent has perhaps sent an original without its talk, which is all that light machines read.
      const isHeld = from.some(
        ([source]) =>
          (ends.get(`${source}/${file}`) ?? 0) >= bytes &&
          (file !== 'original' || (ends.get(`${source}/${TALK}`) ?? 0) > 0),
      );
      if (!isHeld) state.orphaned.add(key);
    }
  }
  state.sessions.clear();
  state.looked = '';
  for (const id of fresh) state.taken.add(id);
  return true;
}

/** Keys of all records in segments here, and how far those of others hold each of their files from its beginning. */
async function heldHere(
  remote: OpenRemote,
  repo: string,
): Promise<{ keys: Set<string>; ends: Map<string, number> }> {
  const keys = new Set<string>();
  const stretches = new Map<string, { at: number; end: number }[]>();
  for (const whose of ['own', 'replica'] as const) {
    const fileOf = whose === 'own' ? ownSegmentFile : replicaFile;
    for (const name of await localSegments(remote, repo, whose)) {
      const lines = (await readLocal(remote, fileOf(remote, name), name)) ?? [];
      for (const key of recordKeysIn(lines)) keys.add(key);
      for (const { project, session, file, at, end } of whose === 'own' ? [] : piecesIn(lines)) {
        const key = `${streamSource(name.device, project, session)}/${file}`;
        stretches.set(key, [...(stretches.get(key) ?? []), { at, end }]);
      }
    }
  }
  const ends = new Map<string, number>();
  for (const [key, all] of stretches) {
    let reached = 0;
    for (const { at, end } of all.toSorted((a, b) => a.at - b.at))
      if (at <= reached) reached = Math.max(reached, end);
    ends.set(key, reached);
  }
  return { keys, ends };
}

/** Segments written under the device id that this machine gives up belong to another device from now on. */
export async function retireOwn(remote: OpenRemote): Promise<void> {
  for (const record of await listRemotes(remote.world)) {
    const opened = await openRemote(remote.world, record);
    const { files } = opened.remotes;
    const repos = new Set((await files.list(`${record.name}/repos`)).map((name) => name.split('/')[0]!));
    for (const repo of repos) {
      for (const name of await localSegments(opened, repo, 'own')) {
        const bytes = await files.read(ownSegmentFile(opened, name));
        if (bytes) await files.write(replicaFile(opened, name), bytes);
        await files.remove(ownSegmentFile(opened, name));
      }
    }
  }
}
