import { Fault } from '../../core/model/fault.ts';
import { orFault } from '../or-fault.ts';
import type { World } from '../world.ts';
import { indexArchive, type OnIndexed } from './index-archive.ts';
import { indexDocuments } from './index-documents.ts';

/**
 * After sessions came in: hooks read the index as it is. It is disposable: whatever is wrong with it, the archive is safe, and the
 * next search mends it; the note says so.
 */
export async function bringIndexUp(world: World, onProject?: OnIndexed): Promise<string[]> {
  const indexed = await orFault(
    indexArchive(world, world.index, onProject).then(() => indexDocuments(world, world.index)),
  );
  if (!(indexed instanceof Fault) || indexed.code === 'busy' || indexed.code === 'conflict') return [];
  return [`The next search updates the search index: ${indexed.message}`];
}
