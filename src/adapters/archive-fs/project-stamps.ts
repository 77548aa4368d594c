import { type BigIntStats, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isProjectId, type ProjectId } from '../../core/model/ids.ts';
import { diskFault, errorCode } from './disk-fault.ts';

/** Every change appends to the log or replaces the manifest. */
const RECORD = ['manifest.json', 'manifest.log'];

/** Synchronous: these are a few looks at what the system has in memory. */
export function projectStamps(folder: string): Map<ProjectId, string> {
  const stamps = new Map<ProjectId, string>();
  try {
    for (const name of readdirSync(folder))
      if (isProjectId(name)) stamps.set(name, stampOf(join(folder, name)));
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw diskFault(error, folder, 'read');
  }
  return stamps;
}

function stampOf(folder: string): string {
  const seen = RECORD.map((name) => {
    const found = statSync(join(folder, name), { bigint: true, throwIfNoEntry: false });
    return found === undefined ? '' : `${found.ino}-${found.size}-${found.mtimeNs}`;
  });
  return seen[0] === '' ? '' : seen.join(',');
}

/** File systems note the time of a change by clocks of up to two seconds a tick: two changes of one tick look like one. */
const SURE_AFTER_MS = 2000;

/** By the time at which the folder got or lost an entry. */
export function listStamp(folder: string): string {
  const found = statSync(folder, { bigint: true, throwIfNoEntry: false });
  return found && hasSettled(found) ? `${found.ino}-${found.mtimeNs}` : '';
}

/** Whether the next change will have another time. */
export function hasSettled({ mtimeNs }: BigIntStats): boolean {
  return Date.now() - Number(mtimeNs / 1_000_000n) > SURE_AFTER_MS;
}
