import { Fault } from '../../core/model/fault.ts';
import type { ShareLevel } from '../../core/remote/levels.ts';
import { repoTag } from '../../core/remote/remote-key.ts';
import type { SegmentName } from '../../core/remote/segment-name.ts';
import { faultText, orFault } from '../or-fault.ts';
import { readRepository } from '../repository/read-repository.ts';
import { allRepositories, type Repository } from '../repository/repositories.ts';
import {
  type OpenRemote,
  openRemote,
  type RemoteRecord,
  readRemote,
  remotesOf,
  renewDevice,
  writeRemote,
} from '../segment/remote-record.ts';
import { loadRepoState, saveRepoState } from '../segment/repo-state.ts';
import type { RunOptions } from '../sync-report.ts';
import type { World } from '../world.ts';
import { applySegments, waitingLog } from './apply-segments.ts';
import { carryOutOwn, carryOutPurges, dropLate, purgeArchive } from './carry-out.ts';
import { fetchOriginal } from './fetch-original.ts';
import { fetchSegments } from './fetch-segments.ts';
import { forgetOthers } from './forget-others.ts';
import { withdrawPrivate } from './private.ts';
import { listedSegments, pushSegments } from './push-segments.ts';
import { authorsOf } from './remote-authors.ts';
import { retireOwn } from './retire-own.ts';
import { sealRepo } from './seal-repo.ts';

export type RemoteSyncOptions = RunOptions & { direction?: 'push' | 'pull' };

export type RemoteSync = {
  remote: string;
  pulled: { segments: number; bytes: number; sessions: number; records: number };
  pushed: {
    segments: number;
    bytes: number;
    sessions: number;
    records: number;
    removed: number;
    restored: number;
  };
  /** Purges that came from other devices and were carried out. */
  purges: number;
  /** Sessions that were made private after they had left. */
  withdrawn: number;
  /** Projects that wait for approval. */
  waiting: string[];
  notes: string[];
};

/** Brings what other devices sent here, then sends what is new here. Nothing leaves that was not approved. */
export async function syncRemote(
  world: World,
  name: string,
  options: RemoteSyncOptions = {},
): Promise<RemoteSync> {
  return (await remotesOf(world)).exclusive(async () => {
    const record = await readRemote(world, name);
    const done = await orFault(syncOpened(await openRemote(world, record), options), options.signal);
    const now = world.clock.now();
    const { trouble: _, troubleSince, triedAt: __, ...sound } = await readRemote(world, name);
    if (!(done instanceof Fault)) {
      await writeRemote(world, { ...sound, lastSync: now });
      return done;
    }
    if (done.code !== 'cancelled')
      await writeRemote(world, {
        ...sound,
        trouble: faultText(done),
        troubleSince: troubleSince ?? now,
        triedAt: now,
      });
    throw done;
  });
}

async function syncOpened(
  remote: OpenRemote,
  options: RemoteSyncOptions,
  again = false,
): Promise<RemoteSync> {
  const { record, world } = remote;
  const report = newReport(record);
  const repositories = await sharedRepositories(remote);
  const byTag = new Map(repositories.map((it) => [repoTag(remote.keys, it.repository.key), it]));
  const tags = record.pull === 'here' ? await tagsHere(remote) : [...byTag.keys()];
  const prefixes = record.pull === 'all' ? ['r/'] : tags.map((tag) => `r/${tag}/`);
  const listed = new Map<string, SegmentName[]>();
  for (const prefix of prefixes)
    for (const [repo, names] of await listedSegments(remote, prefix)) listed.set(repo, names);
  if (options.direction !== 'push') {
    for (const [repo, names] of listed) {
      stopIfAsked(options);
      if (await pullRepo(remote, { repo, names }, report)) {
        if (again) throw new Fault('conflict', 'Two machines use one device id.', { hint: 'Sync again.' });
        const renewed = await takeNewDevice(world, remote);
        report.notes.push(
          `Another machine writes as this one (a copied disk or a restored backup): this machine is a device of its own from now on (${renewed.device.device.slice(0, 8)}).`,
        );
        const rest = await syncOpened(renewed, options, true);
        return { ...rest, notes: [...report.notes, ...rest.notes] };
      }
    }
  }
  if (options.direction !== 'pull') {
    for (const [repo, { repository, level }] of byTag) {
      stopIfAsked(options);
      await pushRepo(remote, { repo, repository, level }, listed.get(repo) ?? [], { report, options });
    }
  }
  report.waiting = record.shares.filter(({ level, approved }) => level !== approved).map(({ name }) => name);
  return report;
}

function newReport({ name }: RemoteRecord): RemoteSync {
  return {
    remote: name,
    pulled: { segments: 0, bytes: 0, sessions: 0, records: 0 },
    pushed: { segments: 0, bytes: 0, sessions: 0, records: 0, removed: 0, restored: 0 },
    purges: 0,
    withdrawn: 0,
    waiting: [],
    notes: [],
  };
}

/** Approved ones, and how much of each may leave. */
async function sharedRepositories({
  world,
  record,
}: OpenRemote): Promise<{ repository: Repository; level: ShareLevel }[]> {
  const all = await allRepositories(world);
  return record.shares.flatMap(({ identity, approved }) => {
    const repository = all.find(({ key }) => key === identity);
    return repository && approved !== undefined ? [{ repository, level: approved }] : [];
  });
}

/** Of the repositories that have sessions here, and of the one that this folder is a checkout of. */
async function tagsHere({ world, keys }: OpenRemote): Promise<string[]> {
  const { identity } = await readRepository(world, world.places.cwd);
  const known = (await allRepositories(world)).map(({ key }) => key);
  return [...new Set(identity === undefined ? known : [...known, identity])].map((key) => repoTag(keys, key));
}

/** True where another machine writes under this device's id: then nothing was taken in. */
async function pullRepo(
  remote: OpenRemote,
  { repo, names }: { repo: string; names: SegmentName[] },
  report: RemoteSync,
): Promise<boolean> {
  const state = await loadRepoState(remote, repo);
  const wanted = remote.record.light ? names.filter(({ lane }) => lane !== 'bytes') : names;
  const fetched = await fetchSegments(remote, { repo, state, listed: wanted });
  report.notes.push(...fetched.notes);
  if (fetched.isCloned) return true;
  const authorOf = await authorsOf(remote, repo, state);
  const waiting = await waitingLog(remote, repo, state);
  await purgeArchive(
    remote,
    state,
    waiting.flatMap(({ device, lines }) => (authorOf(device) === undefined ? lines : [])),
  );
  for (const { device, lines } of waiting) {
    const author = authorOf(device);
    if (author !== undefined) await forgetOthers(remote, { repo, device, state }, author, lines);
  }
  const applied = await applySegments(remote, { repo, state, authorOf });
  report.notes.push(...applied.notes);
  // What was fetched before is kept up with what is said.
  if (remote.record.light)
    for (const session of applied.behind)
      await fetchOriginal(remote, { repo, state, listed: names }, session);
  report.purges += await carryOutPurges(remote, repo, state, applied.lines);
  if (applied.segments > 0) await dropLate(remote, repo, state);
  await saveRepoState(remote, repo, state);
  report.pulled.segments += fetched.count;
  report.pulled.bytes += fetched.bytes;
  report.pulled.sessions += applied.sessions;
  report.pulled.records += applied.records;
  return false;
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
  await carryOutOwn(remote, repo, repository);
  report.withdrawn += await withdrawPrivate(remote, repo, await loadRepoState(remote, repo));
  const sealed = await sealRepo(remote, repository, level, { signal, onSession });
  const state = await loadRepoState(remote, repo);
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
  await renewDevice(world, { name, former: [...former, device] });
  return openRemote(world, remote.record);
}

function stopIfAsked({ signal }: RemoteSyncOptions): void {
  if (signal?.aborted) throw new Fault('cancelled', 'Stopped. The next sync goes on from here.');
}
