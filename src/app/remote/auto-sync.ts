import { orFault } from '../or-fault.ts';
import { listRemotes, type RemoteRecord } from '../segment/remote-record.ts';
import type { RunOptions } from '../sync-report.ts';
import type { World } from '../world.ts';
import { syncRemote } from './sync-remote.ts';

const FIRST_WAIT_MS = 5 * 60_000;
const LONGEST_WAIT_MS = 3_600_000;

/** Syncs every remote in turn if `remote.auto` is on. One that cannot be reached does not stop the others; its record notes it. */
export async function autoSync(world: World, options: RunOptions = {}): Promise<void> {
  const { config } = await world.settings.resolve();
  if (!config.remote.auto) return;
  for (const record of await listRemotes(world)) {
    if (options.signal?.aborted) break;
    if (isWaiting(record, world.clock.millis())) continue;
    await orFault(syncRemote(world, record.name, options), options.signal);
  }
}

/** One that fails is tried less and less often, at least once an hour. */
function isWaiting({ troubleSince, triedAt }: RemoteRecord, now: number): boolean {
  if (troubleSince === undefined || triedAt === undefined) return false;
  const [since, tried] = [Date.parse(troubleSince), Date.parse(triedAt)];
  const wait = Math.min(LONGEST_WAIT_MS, Math.max(FIRST_WAIT_MS, tried - since));
  return now >= tried && now - tried < wait;
}
