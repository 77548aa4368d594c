import { Fault } from '../../core/model/fault.ts';
import { faultText, orFault } from '../or-fault.ts';
import { listStore } from '../segment/list-store.ts';
import {
  type OpenRemote,
  openRemote,
  quietFile,
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
import type { World } from '../world.ts';

/** Brings what other devices sent here, then sends what is new here. Nothing leaves that was not approved. */
export async function syncRemote(
  world: World,
  name: string,
  options: RemoteSyncOptions = {},
): Promise<RemoteSync> {
  return (await remotesOf(world)).exclusive(async () => {
    const record = await readRemote(world, name);
    const done = await orFault(syncUnlessQuiet(await openRemote(world, record), options), options.signal);
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
async function syncUnlessQuiet(remote: OpenRemote, options: RemoteSyncOptions): Promise<RemoteSync> {
  const { remotes, record } = remote;
  const file = quietFile(record);
  const list = await listStore(remote);
  const report = newRemoteSync(record);
  const known = list.look === undefined ? undefined : (await remotes.files.read(file))?.toString('utf8');
  if (known !== undefined && known === list.look) return report;
  const { syncOpened } = await import('./sync-opened.ts');
  const done = await syncOpened(remote, list, { report, options });
  if (list.look !== undefined && options.direction === undefined && isQuietSync(done))
    await remotes.files.write(file, list.look);
  return done;
}
