import { Fault } from '../../core/model/fault.ts';
import type { ShareLevel } from '../../core/remote/levels.ts';
import { type SegmentName, segmentPlace } from '../../core/remote/segment-name.ts';
import type { Repository } from '../repository/repositories.ts';
import { listStore, type StoreList } from '../segment/list-store.ts';
import { type OpenRemote, openRemote, renewDevice } from '../segment/remote-record.ts';
import { newRemoteSync, type RemoteSync, type RemoteSyncOptions } from '../segment/remote-sync.ts';
import { loadRepoState, localSegments, saveRepoState } from '../segment/repo-state.ts';
import type { World } from '../world.ts';
import { joinAs } from './add-remote.ts';
import { applySegments, waitingLog } from './apply-segments.ts';
import { carryOutOwn, carryOutPurges, purgeArchive } from './carry-out.ts';
import { bringAbandoned, fetchOriginal } from './fetch-original.ts';
import { fetchSegments } from './fetch-segments.ts';
import { forgetOthers } from './forget-others.ts';
import { dropLate, forgetParts } from './late-replicas.ts';
import { withdrawPrivate } from './private.ts';
import { pushSegments } from './push-segments.ts';
import { authorsOf } from './remote-authors.ts';
import { sealRepo } from './seal-repo.ts';
import { retireOwn, takeOver } from './take-over.ts';

/** Brings what other devices sent, then sends what is new; `list` is what the store has. */
export async function syncOpened(
  remote: OpenRemote,
  list: StoreList,
  { report, options, again = false }: { report: RemoteSync; options: RemoteSyncOptions; again?: boolean },
): Promise<RemoteSync> {
  const { record, world } = remote;
  if (options.direction !== 'push') {
    const [large] = list.tooLarge;
    if (large !== undefined)
      report.notes.push(
        `${list.tooLarge.length} files on the remote are larger than any segment, so they were not read. Keepsake did not write them: delete them there (${large}).`,
      );
    for (const [repo, names] of list.names) {
      stopIfAsked(options);
      if (await pullRepo(remote, { repo, names, isShared: list.shared.has(repo) }, report)) {
        if (again)
          throw new Fault('conflict', 'Two machines use the same device id.', { hint: 'Sync again.' });
        const renewed = await takeNewDevice(world, remote);
        const fresh = newRemoteSync(record);
        fresh.notes.push(
          ...report.notes,
          `Another machine uses the device id of this one (a copied disk or a restored backup). This machine now has a new device id (${renewed.device.device.slice(0, 8)}).`,
        );
        return syncOpened(renewed, await listStore(renewed), { report: fresh, options, again: true });
      }
    }
  }
  if (options.direction !== 'pull') {
    for (const [repo, { repository, level }] of list.shared) {
      stopIfAsked(options);
      const names = list.names.get(repo) ?? [];
      await pushRepo(remote, { repo, repository, level }, names, { report, options });
    }
    stopIfAsked(options);
  }
  return report;
}

/** True where another machine writes under this device's id: then nothing was imported. */
async function pullRepo(
  remote: OpenRemote,
  { repo, names, isShared }: { repo: string; names: SegmentName[]; isShared: boolean },
  report: RemoteSync,
): Promise<boolean> {
  const state = await loadRepoState(remote, repo);
  const wanted = remote.record.light ? await wantedByLight(remote, repo, names) : names;
  const fetched = await fetchSegments(remote, { repo, state, listed: wanted });
  report.notes.push(...fetched.notes);
  if (fetched.isCloned) return true;
  const authorOf = await authorsOf(remote, repo, state);
  const waiting = await waitingLog(remote, repo, state);
  const ownLines = waiting.flatMap(({ device, lines }) => (authorOf(device) === undefined ? lines : []));
  await purgeArchive(remote, { repo, state, authorOf }, ownLines);
  for (const { device, lines } of waiting) {
    const author = authorOf(device);
    if (author !== undefined) await forgetOthers(remote, { repo, device, state }, author.name, lines);
  }
  // Only who sends can seal it again.
  const brought = isShared
    ? await bringAbandoned(remote, { repo, state, listed: names, lines: ownLines, authorOf })
    : undefined;
  report.notes.push(...(brought?.notes ?? []));
  const applied = await applySegments(remote, { repo, state, authorOf });
  report.notes.push(...applied.notes);
  // An original that is here is kept up with what is said.
  for (const { session, device } of applied.behind)
    await fetchOriginal(remote, { repo, state, listed: names }, { session, from: device });
  if (applied.behind.length > 0) await applySegments(remote, { repo, state, authorOf, isLast: true });
  report.purges += await carryOutPurges(remote, { repo, state, authorOf }, applied.lines);
  if (applied.segments > 0) await dropLate(remote, repo, state);
  await saveRepoState(remote, repo, state);
  report.pulled.segments += fetched.count + (brought?.count ?? 0);
  report.pulled.bytes += fetched.bytes + (brought?.bytes ?? 0);
  report.pulled.sessions += applied.sessions;
  report.pulled.records += applied.records;
  return false;
}

/** Originals stay in the store; for an original that is here, its resealed replacement is downloaded. */
async function wantedByLight(
  remote: OpenRemote,
  repo: string,
  names: readonly SegmentName[],
): Promise<SegmentName[]> {
  const here = new Set((await localSegments(remote, repo, 'replica')).map(segmentPlace));
  return names.filter((name) => name.lane !== 'bytes' || here.has(segmentPlace(name)));
}

type Sharing = { repo: string; repository: Repository; level: ShareLevel };

async function pushRepo(
  remote: OpenRemote,
  { repo, repository, level }: Sharing,
  listed: readonly SegmentName[],
  { report, options }: { report: RemoteSync; options: RemoteSyncOptions },
): Promise<void> {
  const { signal, onProgress } = options;
  let done = 0;
  const onSession = (current: string) =>
    onProgress?.({ phase: 'read', done: done++, total: 0, bytes: 0, totalBytes: 0, current });
  const state = await loadRepoState(remote, repo);
  await carryOutOwn(remote, repo, repository, state);
  report.withdrawn += await withdrawPrivate(remote, repo, state);
  await forgetParts(remote, repo, state, listed);
  if (await takeOver(remote, repo, state)) await saveRepoState(remote, repo, state);
  const sealed = await sealRepo(remote, repository, level, { state, signal, onSession });
  const authorOf = await authorsOf(remote, repo, state);
  const pushed = await pushSegments(remote, repo, state, { listed, authorOf });
  report.pushed.segments += pushed.count;
  report.pushed.bytes += pushed.bytes;
  report.pushed.removed += pushed.removed;
  report.pushed.restored += pushed.restored;
  report.pushed.sessions += sealed.sessions.length;
  report.pushed.records += sealed.records;
}

async function takeNewDevice(world: World, remote: OpenRemote): Promise<OpenRemote> {
  await retireOwn(remote);
  const { name, former, device } = remote.device;
  const renewed = await renewDevice(world, { name, former: [...former, device] });
  await joinAs(remote.store, renewed, undefined);
  return openRemote(world, remote.record);
}

function stopIfAsked({ signal }: RemoteSyncOptions): void {
  if (signal?.aborted) throw new Fault('cancelled', 'Stopped. The next sync continues from here.');
}
