import { Fault } from '../../core/model/fault.ts';
import { orFault } from '../or-fault.ts';
import type { World } from '../world.ts';
import { indexArchive, type OnIndexed } from './index-archive.ts';
import { indexDocuments } from './index-documents.ts';

/**
 * Updates the index after new sessions, because hooks read it as it is. The index is disposable: if something is wrong with it,
 * the archive is safe and the next search repairs it; a note says that.
 */
export async function bringIndexUp(world: World, onProject?: OnIndexed): Promise<string[]> {
  const indexed = await orFault(
    indexArchive(world, world.index, onProject).then(() => indexDocuments(world, world.index)),
  );
  if (!(indexed instanceof Fault) || indexed.code === 'busy' || indexed.code === 'conflict') return [];
  return [`The next search updates the search index: ${indexed.message}`];
}
