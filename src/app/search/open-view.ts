import { Fault } from '../../core/model/fault.ts';
import type { IndexView, SearchIndex } from '../../ports/search-index.ts';
import { orFault } from '../or-fault.ts';
import type { World } from '../world.ts';
import { indexArchive } from './index-archive.ts';

export type OpenedView = { view: IndexView; notes: string[]; close: () => Promise<void> };

/** What else than sessions must be up to date: documents, of all projects or of some. */
export type Wanted = { documents?: boolean; projects?: readonly string[] | undefined };

/** A view of an index that is up to date. Whatever is wrong with the index, there is an answer, and a note says how. */
export async function openView(world: World, wanted: Wanted = {}): Promise<OpenedView> {
  const opened = await orFault(upToDate(world, world.index, wanted));
  if (!(opened instanceof Fault)) return opened;
  switch (opened.code) {
    case 'corrupt':
      return rebuiltView(world, wanted);
    case 'busy':
    case 'conflict':
      return behind(world, wanted);
    case 'newer-version':
    case 'read-only':
    case 'disk-full':
      return fromFiles(world, opened.message, wanted);
    default:
      throw opened;
  }
}

/** A view of an index that was rebuilt, since the one there was damaged. */
export async function rebuiltView(world: World, wanted: Wanted = {}): Promise<OpenedView> {
  const rebuild = async () => {
    await world.index.destroy();
    return upToDate(world, world.index, wanted, ['The search index was damaged and was rebuilt.']);
  };
  const opened = await orFault(rebuild());
  return opened instanceof Fault ? fromFiles(world, opened.message, wanted) : opened;
}

/** Another process is writing: what is there is good, only the newest may be missing. */
async function behind(world: World, wanted: Wanted): Promise<OpenedView> {
  const note = 'Another process is updating the index; the newest turns may be missing.';
  const opened = await orFault(viewOf(world.index, [note]));
  return opened instanceof Fault ? fromFiles(world, opened.message, wanted) : opened;
}

async function fromFiles(world: World, reason: string, wanted: Wanted): Promise<OpenedView> {
  const index = world.scratchIndex();
  const note = `${reason} Keepsake searched the files instead, which takes longer.`;
  const opened = await orFault(upToDate(world, index, wanted, [note]));
  if (opened instanceof Fault) {
    await index.destroy();
    throw opened;
  }
  const close = async () => {
    await opened.close();
    await index.destroy();
  };
  return { ...opened, close };
}

async function upToDate(
  world: World,
  index: SearchIndex,
  wanted: Wanted,
  notes: string[] = [],
): Promise<OpenedView> {
  await bringUp(world, index, wanted);
  return viewOf(index, notes);
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
