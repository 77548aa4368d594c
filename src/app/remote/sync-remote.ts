import { Fault } from '../../core/model/fault.ts';
import { faultText, orFault } from '../or-fault.ts';
import { listedAtOnce, listStore } from '../segment/list-store.ts';
import {
  isResting,
  listRemotes,
  openRemote,
  quietFile,
  type RemoteRecord,
  readRemote,
  remotesOf,
  writeRemote,
} from '../segment/remote-record.ts';
import {
  isQuietSync,
  newRemoteSync,
  type RemoteSync,
  type RemoteSyncOptions,
} from '../segment/remote-sync.ts';
import type { RunOptions } from '../sync-report.ts';
import type { World } from '../world.ts';

/** Brings what other devices sent here, then sends what is new here. Nothing leaves that was not approved. */
export async function syncRemote(
  world: World,
  name: string,
  options: RemoteSyncOptions = {},
): Promise<RemoteSync> {
  return (await remotesOf(world)).exclusive(async () => {
    const record = await readRemote(world, name);
    const done = await orFault(syncUnlessQuiet(world, record, options), options.signal);
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

/** Where all is as after the last sync that had nothing to do, one list of the store is enough to know. */
async function syncUnlessQuiet(
  world: World,
  record: RemoteRecord,
  options: RemoteSyncOptions,
): Promise<RemoteSync> {
  const remotes = await remotesOf(world);
  const store = await remotes.open(record.address);
  const file = quietFile(record);
  const isKnown = async (look: string | undefined) =>
    look !== undefined && look === (await remotes.files.read(file))?.toString('utf8');
  const report = newRemoteSync(record);
  const first = await listedAtOnce(world, record, store);
  if (await isKnown(first?.look)) return report;
  const remote = await openRemote(world, record, store);
  const list = await listStore(remote, first);
  if (!first && (await isKnown(list.look))) return report;
  const { syncOpened } = await import('./sync-opened.ts');
  const done = await syncOpened(remote, list, { report, options });
  if (list.look !== undefined && options.direction === undefined && isQuietSync(done))
    await remotes.files.write(file, list.look);
  return done;
}

/** Syncs every remote in turn if `remote.auto` is on. One that cannot be reached does not stop the others; its record notes it. */
export async function autoSync(world: World, options: RunOptions = {}): Promise<void> {
  const { config } = await world.settings.resolve();
  if (!config.remote.auto) return;
  for (const record of await listRemotes(world)) {
    if (options.signal?.aborted) break;
    if (isResting(record, world.clock.millis())) continue;
    await orFault(syncRemote(world, record.name, options), options.signal);
  }
}
