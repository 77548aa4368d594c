import type { ProjectId } from '../../core/model/ids.ts';
import type { Stamp, Stamped } from '../../core/model/record-order.ts';
import { fields, list, object, oneOf, record } from '../../core/model/shape.ts';
import {
  type BlockRecords,
  hashOfBlock,
  memoryBlocks,
  observedBlocks,
} from '../../core/rolling/memory-blocks.ts';
import { editedLines, linesOfText, type NoteLine, textOfLines } from '../../core/rolling/note-lines.ts';
import { isUnwritten, NOTES, type NoteName } from '../../core/rolling/notes.ts';
import { editStamp } from '../edit-records.ts';
import { readStored, type StoredKind } from '../read-stored.ts';
import type { World } from '../world.ts';
import { archiveNames, MEMORY_FILE, readArchived } from './rolling-memory.ts';

const RECORDS_FILE = 'rolling/records.json';

/** What was added to, changed in and deleted from notes and rolling memory, so that several archives end alike. */
export type MemoryRecords = {
  version: 1;
  notes: Partial<Record<NoteName, NoteLine[]>>;
  blocks: BlockRecords;
};

export const MEMORY_RECORDS: StoredKind<MemoryRecords> = {
  schema: fields({
    version: oneOf(1),
    notes: record(list(object<NoteLine>())),
    blocks: record(object<BlockRecords[string]>()),
  }),
  format: ['version', 1],
  damaged: 'Keepsake treats the current content of the files as already recorded.',
};

/** Under the lock: the records of a project, brought up to date with its files, which people edit as they like. */
export async function observeMemory(world: World, project: ProjectId): Promise<MemoryRecords> {
  const { value } = await readStored(world, project, RECORDS_FILE, MEMORY_RECORDS);
  const known: MemoryRecords = value ?? { version: 1, notes: {}, blocks: {} };
  const stamp = await editStamp(world, project, stampsIn(known));
  const seen: MemoryRecords = {
    version: 1,
    notes: await observeNotes(world, project, known.notes, stamp),
    blocks: await observeRolling(world, project, known.blocks, stamp),
  };
  if (JSON.stringify(seen) !== JSON.stringify(known)) await writeRecords(world, project, seen);
  return seen;
}

export async function writeRecords(world: World, project: ProjectId, records: MemoryRecords): Promise<void> {
  await world.archive.files.write(project, RECORDS_FILE, `${JSON.stringify(records)}\n`);
}

/** The form for a bundle; masked text is marked, because it must not replace unmasked text. */
export async function memoryRecords(
  world: World,
  project: ProjectId,
  mask: ((text: string) => string) | undefined,
): Promise<Pick<MemoryRecords, 'notes' | 'blocks'>> {
  const { notes, blocks } = await world.archive.exclusive(() => observeMemory(world, project));
  if (!mask) return { notes, blocks };
  const masked: BlockRecords = { ...blocks };
  for (const [key, text] of memoryBlocks(await memoryTextsHere(world, project))) {
    const record = blocks[key];
    const safe = mask(text);
    if (record && safe !== text) masked[key] = { ...record, hash: hashOfBlock(safe), masked: true };
  }
  const lines = Object.entries(notes).map(([name, all]) => [
    name,
    all.map((line) => {
      const text = mask(line.text);
      return text === line.text ? line : { ...line, text, masked: true as const };
    }),
  ]);
  return { notes: Object.fromEntries(lines) as MemoryRecords['notes'], blocks: masked };
}

async function observeNotes(
  world: World,
  project: ProjectId,
  known: MemoryRecords['notes'],
  stamp: Stamp,
): Promise<MemoryRecords['notes']> {
  const notes = { ...known };
  for (const name of NOTES) {
    const text = (await world.archive.files.read(project, `memory/${name}.md`))?.toString('utf8');
    // A file that is not there says nothing: its folder may be out of reach.
    if (text === undefined || isUnwritten(name, text)) continue;
    const before = notes[name];
    notes[name] = before
      ? isSameText(before, text)
        ? before
        : editedLines(before, text, stamp)
      : linesOfText(text);
  }
  return notes;
}

function isSameText(lines: NoteLine[], text: string): boolean {
  return textOfLines(lines).trimEnd() === text.replace(/\r\n/g, '\n').trimEnd();
}

async function observeRolling(
  world: World,
  project: ProjectId,
  known: BlockRecords,
  stamp: Stamp,
): Promise<BlockRecords> {
  if ((await world.archive.files.size(project, MEMORY_FILE)) === 0) return known;
  return observedBlocks(known, memoryBlocks(await memoryTextsHere(world, project)), stamp);
}

async function memoryTextsHere(world: World, project: ProjectId): Promise<string[]> {
  const texts = [(await world.archive.files.read(project, MEMORY_FILE))?.toString('utf8') ?? ''];
  for (const name of await archiveNames(world, project))
    texts.push((await readArchived(world, project, name))?.toString('utf8') ?? '');
  return texts;
}

function stampsIn({ notes, blocks }: MemoryRecords): Stamped[] {
  const lines = Object.values(notes).flatMap((it) => it ?? []);
  return [...lines, ...Object.values(blocks)].map((it) => ({ at: '', hlc: 'hlc' in it ? it.hlc : 0 }));
}
