import { Fault } from '../../core/model/fault.ts';
import type { IndexView, SearchIndex } from '../../ports/search-index.ts';
import type { World } from '../world.ts';
import { indexArchive } from './index-archive.ts';

export type OpenedView = { view: IndexView; notes: string[]; close: () => Promise<void> };

/** What else than sessions must be up to date: documents, of all projects or of some. */
export type Wanted = { documents?: boolean; projects?: readonly string[] | undefined };

/** A view of an index that is up to date. Whatever is wrong with the index, there is an answer, and a note says how. */
export async function openView(world: World, wanted: Wanted = {}): Promise<OpenedView> {
  try {
    await bringUp(world, world.index, wanted);
    return await viewOf(world.index, []);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    switch (error.code) {
      case 'corrupt':
        return rebuiltView(world, wanted);
      case 'busy':
      case 'conflict':
        return behind(world, wanted);
      case 'newer-version':
      case 'read-only':
      case 'disk-full':
        return fromFiles(world, error.message, wanted);
      default:
        throw error;
    }
  }
}

/** A view of an index that was made anew, since the one there was damaged. */
export async function rebuiltView(world: World, wanted: Wanted = {}): Promise<OpenedView> {
  try {
    await world.index.destroy();
    await bringUp(world, world.index, wanted);
    return await viewOf(world.index, ['The index was damaged; it was made again from the files.']);
  } catch (error) {
    return fromFiles(world, (error as Error).message, wanted);
  }
}

/** Another process is writing: what stands there is good, only the newest may be missing. */
async function behind(world: World, wanted: Wanted): Promise<OpenedView> {
  try {
    return await viewOf(world.index, [
      'Another process is updating the index; the newest turns may be missing.',
    ]);
  } catch (error) {
    return fromFiles(world, (error as Error).message, wanted);
  }
}

async function fromFiles(world: World, reason: string, wanted: Wanted): Promise<OpenedView> {
  const index = world.scratchIndex();
  try {
    await bringUp(world, index, wanted);
    const opened = await viewOf(index, [
      `${reason} This answer was made from the files, which takes longer.`,
    ]);
    const close = async () => {
      await opened.close();
      await index.destroy();
    };
    return { ...opened, close };
  } catch (error) {
    await index.destroy();
    throw error;
  }
}

async function bringUp(world: World, index: SearchIndex, { documents, projects }: Wanted): Promise<void> {
  await indexArchive(world, index);
  if (!documents) return;
  const { indexDocuments } = await import('./index-documents.ts');
  await indexDocuments(world, index, projects);
}

async function viewOf(index: SearchIndex, notes: string[]): Promise<OpenedView> {
  const view = await index.view();
  return { view, notes, close: async () => view.close() };
}
