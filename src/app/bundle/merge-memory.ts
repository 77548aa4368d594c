import type { MergePlan } from '../../core/bundle/merge-plan.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { withoutSession } from '../../core/rolling/entry.ts';
import {
  type BlockRecords,
  memoryBlocks,
  mergeRolling,
  observedBlocks,
} from '../../core/rolling/memory-blocks.ts';
import { ARCHIVE_NAME, archivedAt, archiveName, summaryName } from '../../core/rolling/memory-file.ts';
import { linesOfText, mergeLines, type NoteLine, textOfLines } from '../../core/rolling/note-lines.ts';
import { isUnwritten, NOTES, type NoteName } from '../../core/rolling/notes.ts';
import { sessionMark } from '../rolling/delta.ts';
import { type MemoryRecords, observeMemory, writeRecords } from '../rolling/memory-records.ts';
import { rereadMemory } from '../rolling/reread.ts';
import {
  archiveNames,
  archivePlace,
  INDEX_FILE,
  MEMORY_FILE,
  readArchived,
} from '../rolling/rolling-memory.ts';
import { readRollingState, writeState } from '../rolling/state.ts';
import type { World } from '../world.ts';
import type { Planned, Texts } from './plan.ts';

/** memory.md, its archives and the notes of a bundle with those that are here: neither side's words are lost. */
export async function mergeMemory(world: World, { plan, bundle }: Planned, texts: Texts): Promise<void> {
  const { project } = plan;
  const incoming = new Map<string, string>();
  const purged = await purgedMarks(world, project);
  for (const { file, bytes } of texts)
    if (file.kind === 'memory')
      incoming.set(
        file.name,
        withoutSession(bytes.toString('utf8'), (mark) => purged.has(mark)),
      );
  await world.archive.exclusive(async () => {
    const before = await observeMemory(world, project);
    const notes = await mergeNotes(world, project, before.notes, notesOf(bundle.project.notes, incoming));
    await mergeArchives(world, project, incoming);
    const index = incoming.get('memory-index.json');
    if (index !== undefined) await world.archive.files.create(project, INDEX_FILE, index);
    const blocks = await mergeRollingMemory(world, project, before.blocks, {
      blocks: bundle.project.blocks,
      incoming,
    });
    const after: MemoryRecords = { version: 1, notes, blocks };
    if (JSON.stringify(after) !== JSON.stringify(before)) await writeRecords(world, project, after);
    await takeCursors(world, plan);
  });
  // An older version of Keepsake may have written what came in.
  if (incoming.size > 0) await rereadMemory(world, project);
}

/** Sessions that were purged here, as entries name them: who sent the memory may not know of it yet. */
async function purgedMarks(world: World, project: ProjectId): Promise<ReadonlySet<string>> {
  const manifest = (await world.archive.open(project))?.manifest;
  const gone = (manifest?.tombstones ?? []).filter(
    ({ kind, id }) => kind === 'session' && !Object.hasOwn(manifest!.sessions, id),
  );
  return new Set(gone.map(({ id }) => sessionMark(id)));
}

/** Of an older version only the texts are known. */
function notesOf(
  lines: Record<string, unknown[]> | undefined,
  incoming: ReadonlyMap<string, string>,
): MemoryRecords['notes'] {
  const notes: MemoryRecords['notes'] = {};
  for (const name of NOTES) {
    const text = incoming.get(`${name}.md`);
    if (lines && Object.hasOwn(lines, name)) notes[name] = lines[name] as NoteLine[];
    else if (text !== undefined && !isUnwritten(name, text)) notes[name] = linesOfText(text);
  }
  return notes;
}

async function mergeNotes(
  world: World,
  project: ProjectId,
  mine: MemoryRecords['notes'],
  theirs: MemoryRecords['notes'],
): Promise<MemoryRecords['notes']> {
  const notes = { ...mine };
  for (const [name, lines] of Object.entries(theirs) as [NoteName, NoteLine[]][]) {
    const merged = mergeLines(mine[name] ?? [], lines);
    const text = textOfLines(merged);
    notes[name] = merged;
    if (text !== textOfLines(mine[name] ?? []))
      await world.archive.files.write(project, `memory/${name}.md`, text);
  }
  return notes;
}

async function mergeRollingMemory(
  world: World,
  project: ProjectId,
  known: BlockRecords,
  { blocks, incoming }: { blocks: BlockRecords | undefined; incoming: ReadonlyMap<string, string> },
): Promise<BlockRecords> {
  const memory = (await world.archive.files.read(project, MEMORY_FILE))?.toString('utf8') ?? '';
  const archives = new Map<string, string>();
  for (const name of await archiveNames(world, project))
    archives.set(name, (await readArchived(world, project, name))?.toString('utf8') ?? '');
  const theirs = {
    memory: incoming.get('memory.md') ?? '',
    archives: [...incoming].filter(([name]) => ARCHIVE_NAME.test(name)).map(([, text]) => text),
  };
  const first = { hlc: 0, device: '' };
  const records = blocks ?? observedBlocks({}, memoryBlocks([theirs.memory, ...theirs.archives]), first);
  const merged = mergeRolling({ memory, archives, records: known }, { ...theirs, records });
  if (merged.memory !== memory) await world.archive.files.write(project, MEMORY_FILE, merged.memory);
  for (const [name, text] of merged.archives)
    if (text !== archives.get(name))
      await world.archive.files.write(project, await archivePlace(world, project, name), text);
  return merged.records;
}

/** Every archive with its summary; one of another content under its name gets the next free second. */
async function mergeArchives(world: World, project: ProjectId, incoming: Map<string, string>): Promise<void> {
  const taken = new Set(await archiveNames(world, project));
  const texts: string[] = [];
  for (const name of taken) texts.push((await readArchived(world, project, name))?.toString('utf8') ?? '');
  const known = memoryBlocks(texts);
  for (const [name, text] of incoming) {
    if (!ARCHIVE_NAME.test(name) || texts.includes(text)) continue;
    // All of it may be here, in a file that was changed since.
    if ([...memoryBlocks([text]).keys()].every((key) => known.has(key))) continue;
    const free = archiveName(archivedAt(name) ?? world.clock.now(), taken);
    taken.add(free);
    texts.push(text);
    await world.archive.files.write(project, `memory/${free}`, text);
    const summary = incoming.get(summaryName(name));
    if (summary !== undefined && free === name)
      await world.archive.files.create(project, `memory/${summaryName(name)}`, summary);
  }
}

/** What memory.md has of a session is not added again. */
async function takeCursors(world: World, { project, sessions }: MergePlan): Promise<void> {
  const state = await readRollingState(world, project);
  const fresh = [...sessions].filter(([id, { line }]) => line.cursor && !Object.hasOwn(state.sessions, id));
  if (fresh.length === 0) return;
  for (const [id, { line }] of fresh) state.sessions[id] = line.cursor!;
  await writeState(world, project, { ...state, begun: true });
}
