import type { Change } from '../../core/model/change.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import { latestOf, type Stamped } from '../../core/model/record-order.ts';

const LISTS = ['overlays', 'factEdits', 'conceptEdits', 'fieldEdits'] as const;

/** The highest clock of this user's edits in a manifest. */
export function clockOf(manifest: Partial<Pick<Manifest, (typeof LISTS)[number]>>): number {
  return Math.max(...LISTS.map((list) => latestOf(manifest[list] ?? [])));
}

/** The clock after these changes. It never goes back: a removed edit may still be known elsewhere. */
export function clockAfter(clock: number, changes: readonly Change[]): number {
  let latest = clock;
  for (const { at, append, put, merge, init } of changes) {
    if (at.length === 0) {
      for (const whole of [put, merge, init])
        if (whole !== undefined) latest = Math.max(latest, clockOf(whole as Partial<Manifest>));
    } else if (LISTS.some((list) => list === at[0])) {
      const edits = [append, ...(Array.isArray(put) ? put : [])].filter((it) => it !== undefined);
      latest = Math.max(latest, latestOf(edits as Stamped[]));
    }
  }
  return latest;
}
