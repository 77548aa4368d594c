import type { ProjectId } from '../core/model/ids.ts';
import type { Manifest } from '../core/model/manifest.ts';
import { nextStamp, type Stamp, type Stamped } from '../core/model/record-order.ts';
import type { World } from './world.ts';

/** The stamp of an edit that is made now: later than every edit of this user's that the project knows. */
export async function editStamp(
  world: World,
  project: ProjectId,
  also: readonly Stamped[] = [],
): Promise<Stamp> {
  const manifest = (await world.archive.open(project))?.manifest;
  const device = await world.archive.device(world.random.uuid);
  return nextStamp([...(manifest ? editsOf(manifest) : []), ...also], world.clock.millis(), device);
}

function editsOf({ overlays, factEdits = [], conceptEdits = [], fieldEdits = [] }: Manifest): Stamped[] {
  return [...overlays, ...factEdits, ...conceptEdits, ...fieldEdits];
}
