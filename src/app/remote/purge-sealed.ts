import { Fault } from '../../core/model/fault.ts';
import { repoTag } from '../../core/remote/remote-key.ts';
import type { SessionRow } from '../find/sessions.ts';
import { faultText, orFault } from '../or-fault.ts';
import type { PurgeSearch } from '../purge/places.ts';
import { type Purged, type PurgeTarget, preparePurge, type ReadyPurge } from '../purge/purge.ts';
import { type Unregistered, type UnregisterOptions, unregister } from '../purge/unregister.ts';
import { allRepositories } from '../repository/repositories.ts';
import { listRemotes, openRemote, type RemoteRecord, remotesOf } from '../segment/remote-record.ts';
import { loadRepoState } from '../segment/repo-state.ts';
import type { World } from '../world.ts';
import { carryOutOwn } from './carry-out.ts';

/** What a remote still has of it until the next sync: a number of segments, or `trouble` with the reason why that is unknown; '' is any remote. */
export type RemoteLeft = { remote: string; segments: number; trouble?: string };
export type WholePurge = Purged & { remotes: RemoteLeft[] };

/** A purge that reaches the sealed copies in the archive, too, and names the remotes that hold it until they are synced. */
export async function prepareWholePurge(
  world: World,
  target: PurgeTarget,
  look?: PurgeSearch,
): Promise<Omit<ReadyPurge, 'carryOut'> & { carryOut: () => Promise<WholePurge> }> {
  const { plan, carryOut } = await preparePurge(world, target, look);
  return {
    plan,
    carryOut: async () => {
      const done = await carryOut();
      return { ...done, remotes: await purgeSealed(world) };
    },
  };
}

/** Like `unregister`; with `purge` it reaches the sealed copies, too. */
export async function unregisterWhole(
  world: World,
  rows: SessionRow[],
  options: UnregisterOptions = {},
): Promise<Unregistered & { remotes?: RemoteLeft[] }> {
  const done = await unregister(world, rows, options);
  return options.purge ? { ...done, remotes: await purgeSealed(world) } : done;
}

/** Own segments are sealed again without what was purged, those of others are deleted here. Asks no store. */
async function purgeSealed(world: World): Promise<RemoteLeft[]> {
  const left: RemoteLeft[] = [];
  const records = await orFault(listRemotes(world));
  if (records instanceof Fault) return [{ remote: '', segments: 0, trouble: faultText(records) }];
  for (const record of records) {
    const cleaned = await orFault(cleanRemote(world, record));
    if (cleaned instanceof Fault)
      left.push({ remote: record.name, segments: 0, trouble: faultText(cleaned) });
    else if (cleaned > 0) left.push({ remote: record.name, segments: cleaned });
  }
  return left;
}

async function cleanRemote(world: World, record: RemoteRecord): Promise<number> {
  return (await remotesOf(world)).exclusive(async () => {
    const remote = await openRemote(world, record);
    let cleaned = 0;
    for (const repository of await allRepositories(world)) {
      const repo = repoTag(remote.keys, repository.key);
      cleaned += await carryOutOwn(remote, repo, repository, await loadRepoState(remote, repo));
    }
    return cleaned;
  });
}
