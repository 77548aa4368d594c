import { Fault } from '../../core/model/fault.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import type { Via } from '../../core/model/via.ts';
import { ARCHIVE_NAME } from '../../core/rolling/memory-file.ts';
import { isNoteName, isUnwritten, NOTES, type NoteName, noteTemplate } from '../../core/rolling/notes.ts';
import { redact } from '../../core/text/redact.ts';
import { loadTokenCounter } from '../../core/text/tokens.ts';
import { refuseUnrecorded } from '../find/recording.ts';
import type { World } from '../world.ts';
import { observeMemory } from './memory-records.ts';
import { authorOfFile, othersFiles } from './others-memory.ts';
import { archivePlace } from './rolling-memory.ts';

/** Whose words a file holds, and how they came in: notes are typed, the rest is made from sessions. */
export type Authored = { by: string; via: Via };

export type MemoryFile = Authored & {
  name: string;
  kind: 'memory' | 'archive' | 'summary' | 'note' | 'index' | 'layer';
  path: string;
  bytes: number;
  /** Of texts. */
  tokens?: number;
  /** UTC, ISO. */
  modified?: string;
  /** A note that nobody has written yet. */
  unwritten?: true;
  /** Older than a month and stored away. */
  putAway?: true;
};

const LONGEST_NOTE = 1_000_000;

/** What a note says; its template where nobody has written it. */
export async function getNote(
  world: World,
  project: ProjectId,
  name: string,
): Promise<{ name: string; text: string; written: boolean } & Authored> {
  if ((await othersFiles(world, project)).includes(name)) return othersNote(world, project, name);
  const file = fileOf(name);
  const bytes = await world.archive.files.read(project, await placeOf(world, project, file));
  const note = noteName(name);
  if (bytes === undefined && note === undefined) {
    throw new Fault('not-found', `The rolling memory of this project has no ${file}.`, {
      hint: '`keepsake memory list` lists its files.',
    });
  }
  const text = bytes?.toString() ?? noteTemplate(note!);
  const written = note === undefined || !isUnwritten(note, text);
  return { name: file, text, written, by: 'me', via: viaOf(note === undefined ? 'memory' : 'note') };
}

async function othersNote(world: World, project: ProjectId, name: string) {
  const text = (await world.archive.files.read(project, name))?.toString() ?? '';
  const by = await authorOfFile(world, project, name);
  return { name, text, written: true, by, via: 'import' as const };
}

/** Replaces a note, or adds to its end. */
export async function setNote(
  world: World,
  project: ProjectId,
  { name, text, append }: { name: string; text: string; append?: boolean },
): Promise<{ name: string; bytes: number; secrets: string[] }> {
  const note = noteName(name);
  if (note === undefined) {
    throw new Fault('usage', `${JSON.stringify(name.slice(0, 60))} is not a note.`, {
      hint: `Notes are named ${NOTES.join(', ')}.`,
    });
  }
  if (text.length > LONGEST_NOTE)
    throw new Fault('bad-input', 'A note has at most 1,000,000 characters.', { hint: 'Shorten it.' });
  await refuseUnrecorded(world, { project });
  const file = `memory/${note}.md`;
  const written = await world.archive.exclusive(async () => {
    // What was there before is older than what is written now.
    await observeMemory(world, project);
    const before = (await world.archive.files.read(project, file))?.toString() ?? '';
    const kept = append && !isUnwritten(note, before) ? withEnd(before) : '';
    const whole = withEnd(kept + text);
    await world.archive.files.write(project, file, whole);
    await observeMemory(world, project);
    return whole;
  });
  return { name: `${note}.md`, bytes: Buffer.byteLength(written), secrets: Object.keys(redact(text).counts) };
}

/** Every file of a project's memory but its sessions. */
export async function listMemory(world: World, project: ProjectId): Promise<MemoryFile[]> {
  const count = await loadTokenCounter();
  const names = (await world.archive.files.list(project, 'memory')).filter(
    (name) => kindOf(name) !== undefined,
  );
  const found: MemoryFile[] = [];
  for (const name of names) {
    const path = world.archive.files.path(project, `memory/${name}`);
    const text = (await world.archive.files.read(project, `memory/${name}`))?.toString() ?? '';
    const file = await world.transcripts.inspect(path);
    const plain = name.replace(/^archive\//, '');
    const note = noteName(plain);
    const kind = kindOf(name)!;
    found.push({
      name: plain,
      kind,
      by: 'me',
      via: viaOf(kind),
      path,
      bytes: Buffer.byteLength(text),
      ...(plain.endsWith('.md') ? { tokens: count(text) } : {}),
      ...(file && file !== 'folder' ? { modified: new Date(file.mtimeMs).toISOString() } : {}),
      ...(note !== undefined && isUnwritten(note, text) ? { unwritten: true } : {}),
      ...(plain === name ? {} : { putAway: true }),
    });
  }
  return [...found, ...(await listOthers(world, project))];
}

/** What others wrote, in the archive only: it is found by search and never injected. */
async function listOthers(world: World, project: ProjectId): Promise<MemoryFile[]> {
  const found: MemoryFile[] = [];
  for (const file of await othersFiles(world, project)) {
    const plain = file.slice(file.lastIndexOf('/') + 1);
    const text = (await world.archive.files.read(project, file))?.toString() ?? '';
    const note = noteName(plain);
    if (note !== undefined && isUnwritten(note, text)) continue;
    const by = await authorOfFile(world, project, file);
    found.push({
      name: file,
      kind: kindOf(plain) ?? 'note',
      by,
      via: 'import',
      path: world.archive.files.path(project, file),
      bytes: Buffer.byteLength(text),
    });
  }
  return found;
}

function viaOf(kind: MemoryFile['kind']): Via {
  return kind === 'note' ? 'typed' : 'agent';
}

function kindOf(name: string): MemoryFile['kind'] | undefined {
  const plain = name.replace(/^archive\//, '');
  if (plain === 'memory.md') return 'memory';
  if (ARCHIVE_NAME.test(plain)) return 'archive';
  if (/^memory_.*\.summary\.json$/.test(plain)) return 'summary';
  if (noteName(plain) !== undefined) return 'note';
  if (/^memory-index.*\.json$/.test(plain)) return 'index';
  return /^(?:facts|concepts)\.json$/.test(plain) ? 'layer' : undefined;
}

function noteName(name: string): NoteName | undefined {
  const plain = name.replace(/\.md$/, '');
  return isNoteName(plain) ? plain : undefined;
}

/** A note, or one of the files that `memory list` shows. */
function fileOf(name: string): string {
  const plain = name.replace(/^memory\//, '');
  const note = noteName(plain);
  if (note !== undefined) return `${note}.md`;
  if (plain === 'memory') return 'memory.md';
  if (kindOf(plain) !== undefined) return plain;
  throw new Fault('usage', `${JSON.stringify(name.slice(0, 60))} is not a file of the rolling memory.`, {
    hint: `Notes are named ${NOTES.join(', ')}; \`keepsake memory list\` lists the other files.`,
  });
}

async function placeOf(world: World, project: ProjectId, file: string): Promise<string> {
  const archive = ARCHIVE_NAME.test(file) ? file : undefined;
  if (archive === undefined) return `memory/${file}`;
  return archivePlace(world, project, archive);
}

function withEnd(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
