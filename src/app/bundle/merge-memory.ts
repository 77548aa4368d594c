import type { MergePlan } from '../../core/bundle/merge-plan.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { ARCHIVE_NAME, archivedAt, archiveName, summaryName } from '../../core/rolling/memory-file.ts';
import { mergeMemoryFile, mergeNote } from '../../core/rolling/merge-memory-file.ts';
import { isNoteName, isUnwritten } from '../../core/rolling/notes.ts';
import { rereadMemory } from '../rolling/reread.ts';
import { archiveNames, INDEX_FILE, MEMORY_FILE, readArchived } from '../rolling/rolling-memory.ts';
import { readRollingState, writeState } from '../rolling/state.ts';
import type { World } from '../world.ts';
import type { Texts } from './plan.ts';

/** memory.md, its archives and the notes of a bundle with those that are here: neither side's words are lost. */
export async function mergeMemory(world: World, plan: MergePlan, texts: Texts): Promise<void> {
  const incoming = new Map<string, string>();
  for (const { file, bytes } of texts)
    if (file.kind === 'memory') incoming.set(file.name, bytes.toString('utf8'));
  const { project } = plan;
  await world.archive.exclusive(async () => {
    const archived = await mergeArchives(world, project, incoming);
    const theirs = incoming.get('memory.md');
    if (theirs !== undefined) {
      const mine = (await world.archive.files.read(project, MEMORY_FILE))?.toString('utf8');
      const merged = mergeMemoryFile(mine, theirs, archived);
      if (merged !== mine) await world.archive.files.write(project, MEMORY_FILE, merged);
    }
    const index = incoming.get('memory-index.json');
    if (index !== undefined) await world.archive.files.create(project, INDEX_FILE, index);
    for (const [name, text] of incoming) await mergeNoteFile(world, project, name, text);
    await takeCursors(world, plan);
  });
  // An older version of Keepsake may have written what came in.
  if (incoming.size > 0) await rereadMemory(world, project);
}

/** Every archive with its summary; one of another content under its name gets the next free second. */
async function mergeArchives(
  world: World,
  project: ProjectId,
  incoming: Map<string, string>,
): Promise<string[]> {
  const taken = new Set(await archiveNames(world, project));
  const texts: string[] = [];
  for (const name of taken) texts.push((await readArchived(world, project, name))?.toString('utf8') ?? '');
  for (const [name, text] of incoming) {
    if (!ARCHIVE_NAME.test(name) || texts.includes(text)) continue;
    const free = archiveName(archivedAt(name) ?? world.clock.now(), taken);
    taken.add(free);
    texts.push(text);
    await world.archive.files.write(project, `memory/${free}`, text);
    const summary = incoming.get(summaryName(name));
    if (summary !== undefined && free === name)
      await world.archive.files.create(project, `memory/${summaryName(name)}`, summary);
  }
  return texts;
}

async function mergeNoteFile(world: World, project: ProjectId, name: string, text: string): Promise<void> {
  const note = name.replace(/\.md$/, '');
  if (!isNoteName(note) || isUnwritten(note, text)) return;
  const mine = (await world.archive.files.read(project, `memory/${name}`))?.toString('utf8');
  const merged =
    mine === undefined || isUnwritten(note, mine) ? text : mergeNote(mine, text, 'From an import');
  if (merged !== mine) await world.archive.files.write(project, `memory/${name}`, merged);
}

/** What memory.md has of a session is not added again. */
async function takeCursors(world: World, { project, sessions }: MergePlan): Promise<void> {
  const state = await readRollingState(world, project);
  const fresh = [...sessions].filter(([id, { line }]) => line.cursor && !Object.hasOwn(state.sessions, id));
  if (fresh.length === 0) return;
  for (const [id, { line }] of fresh) state.sessions[id] = line.cursor!;
  await writeState(world, project, { ...state, begun: true });
}
