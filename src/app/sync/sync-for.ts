import type { SessionId } from '../../core/model/ids.ts';
import type { Reads } from '../reads.ts';
import type { World } from '../world.ts';
import { syncRunning } from './sync-running.ts';

/** Brings up to date what is about to be read. For doors, once a command, request or call: lookups write nothing. */
export async function syncFor(world: World, reads: Reads, except?: SessionId): Promise<void> {
  if (reads === 'nothing') return;
  if (typeof reads === 'object' && 'layersOf' in reads) {
    const { layersBefore } = await import('../layers/sync.ts');
    return layersBefore(world, reads.layersOf);
  }
  if (reads === 'folder' || typeof reads === 'object') {
    const { syncFolder } = await import('./sync-folder.ts');
    await syncFolder(world, reads === 'folder' ? undefined : reads.folderOf);
  }
  await syncRunning(world, { record: reads !== 'index', except });
}
