import type { ProjectId } from '../../core/model/ids.ts';
import { REFINE_ENGINE } from '../../core/model/refine-engine.ts';
import {
  type EntryOf,
  renewedEntries,
  type WrittenEntries,
  withSession,
} from '../../core/rolling/entries-text.ts';
import type { EntryParts } from '../../core/rolling/entry.ts';
import { type CountTokens, LIMITS } from '../../core/rolling/limits.ts';
import { summaryName } from '../../core/rolling/memory-file.ts';
import { placedEntries } from '../../core/rolling/placed-entries.ts';
import { sessionEntry } from '../../core/rolling/session-entry.ts';
import type { World } from '../world.ts';
import type { GrownSession } from './delta.ts';
import { archivePlace, MEMORY_FILE, type RollingMemory } from './rolling-memory.ts';
import { deltaHash, dropDelta, type RollingState, readDelta, writeDelta } from './state.ts';

/**
 * Under the lock. What is about to be written is noted first: killed anywhere in between, the next update knows its own entries
 * from a person's.
 */
export async function takeIn(
  world: World,
  rolling: RollingMemory,
  grown: GrownSession[],
  count: CountTokens,
): Promise<number> {
  const { project } = rolling;
  const pending = await readDelta(world, project);
  if (grown.length === 0) {
    // Killed after the state was written and before this: all of it is known now.
    if (pending && rolling.state.settled === deltaHash(pending)) await dropDelta(world, project);
    return 0;
  }
  const written = writtenBy(rolling.state.written, pending?.written ?? {});
  const entryOf = remembered(world, count);
  const archives = await archivesOf(world, rolling, grown);
  const made = planned(rolling.memory, grown, { written, entryOf });
  const renewals = [...archives].map(([place, text]) => renewedIn(text, grown, { written, entryOf, place }));
  const all = Object.assign(Object.create(null), ...renewals.map((it) => it.written), made);
  const delta = { written: { ...pending?.written, ...all } };
  await writeDelta(world, project, delta);
  await rolling.writeIndex({ ...rolling.index, deltaCreatedAtMemoryMtime: await modified(world, project) });
  for (const { place, text } of renewals)
    if (text !== archives.get(place)) await writeArchive(world, project, place, text);
  const { added, hashes, cursors } = await append(rolling, grown, { written, entryOf, archives, count });
  const { state } = rolling;
  // What an older engine wrote stays in it until a sync looks for words that nobody said.
  const first = state.begun ? {} : { engine: REFINE_ENGINE };
  const known = { ...state.written, ...all, ...hashes };
  await rolling.writeState({
    ...state,
    ...first,
    begun: true,
    sessions: { ...state.sessions, ...cursors },
    written: known,
    settled: deltaHash(delta),
  });
  // As refined lines write it.
  const times = grown.map((it) => it.last.replace(/\.\d+Z$/, 'Z'));
  const last = times.sort().at(-1) ?? '';
  const before = rolling.index.lastMemoryUpdateTs;
  await rolling.writeIndex({
    ...rolling.index,
    counter: 0,
    lastMemoryUpdateTs: last > (before ?? '') ? last : before,
    deltaCreatedAtMemoryMtime: null,
  });
  await dropDelta(world, project);
  return added;
}

type Writing = { written: WrittenEntries; entryOf: EntryOf };

/** The hashes of all that this update is going to write to memory.md. */
function planned(
  memory: string | undefined,
  grown: GrownSession[],
  writing: Writing,
): Record<string, string> {
  const hashes: Record<string, string> = Object.create(null);
  let text = memory;
  for (const session of grown) {
    const edit = withSession(text, session, session.known, writing);
    text = edit.memory;
    Object.assign(hashes, Object.fromEntries(edit.written));
  }
  return hashes;
}

function renewedIn(
  archive: string,
  grown: GrownSession[],
  { place, ...writing }: Writing & { place: string },
): { place: string; text: string; written: Record<string, string> } {
  const hashes: Record<string, string> = Object.create(null);
  let text = archive;
  for (const session of grown) {
    const { memory, written } = renewedEntries(text, session, writing);
    text = memory;
    Object.assign(hashes, Object.fromEntries(written));
  }
  return { place, text, written: hashes };
}

/** memory.md is written before each rotation and at the end; its tokens are counted only when it may be too long. */
async function append(
  rolling: RollingMemory,
  grown: GrownSession[],
  { archives, count, ...writing }: Writing & { archives: ReadonlyMap<string, string>; count: CountTokens },
): Promise<{ added: number; hashes: Record<string, string>; cursors: RollingState['sessions'] }> {
  const hashes: Record<string, string> = Object.create(null);
  const cursors: RollingState['sessions'] = Object.create(null);
  let [text, added] = [rolling.memory, 0];
  let tokens = count(text ?? '');
  for (const session of grown) {
    const before = text;
    const known = session.known ?? archivedLines(archives, session.session, text);
    const edit = withSession(text, session, known, writing);
    text = edit.memory;
    if (edit.added !== undefined) added++;
    Object.assign(hashes, Object.fromEntries(edit.written));
    const { record, exchanges, of } = session;
    const src = exchanges.at(-1)?.src ?? 0;
    cursors[record.sessionId] = { src, bytes: record.l1.bytes, lines: edit.lines, of };
    if (text === undefined || text === before) continue;
    tokens += count(edit.added ?? '');
    if (tokens <= LIMITS.rotateAbove * 0.98) continue;
    await rolling.writeMemory(text);
    await rolling.rotate();
    text = rolling.memory;
    tokens = count(text ?? '');
  }
  if (text !== undefined && text !== rolling.memory) await rolling.writeMemory(text);
  return { added, hashes, cursors };
}

function writtenBy(...known: Record<string, string>[]): WrittenEntries {
  const written = new Map<string, Set<string>>();
  for (const hashes of known)
    for (const [key, hash] of Object.entries(hashes))
      written.set(key, (written.get(key) ?? new Set()).add(hash));
  return written;
}

/** Counting tokens takes longer than anything else: each entry is made once. */
function remembered(world: World, count: CountTokens): EntryOf {
  const made = new Map<string, EntryParts | undefined>();
  const { local } = world.clock;
  return (session, lines) => {
    const key = `${session.session} ${lines.join(' ')}`;
    if (!made.has(key)) made.set(key, sessionEntry(session, lines, { count, local }));
    return made.get(key);
  };
}

/** The archives that have entries of these sessions, by their places. */
async function archivesOf(
  world: World,
  { project, index }: RollingMemory,
  grown: GrownSession[],
): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const { file } of index.rotatedFiles) {
    const place = await archivePlace(world, project, file);
    const text = (await world.archive.files.read(project, place))?.toString();
    if (text && grown.some(({ session }) => text.includes(` session ${session} lines `)))
      texts.set(place, text);
  }
  return texts;
}

/** What an archive says changed: its summary is written again. */
async function writeArchive(world: World, project: ProjectId, place: string, text: string): Promise<void> {
  await world.archive.files.write(project, place, text);
  const name = place.slice(place.lastIndexOf('/') + 1);
  await world.archive.files.remove(project, `memory/${summaryName(name)}`);
}

/** The last line of a session that an archive or memory.md has; undefined if none has any. */
function archivedLines(
  archives: ReadonlyMap<string, string>,
  session: string,
  memory: string | undefined,
): number | undefined {
  const entries = [...archives.values(), memory ?? ''].flatMap(placedEntries);
  const own = entries.filter((it) => it.session === session);
  return own.length === 0 ? undefined : Math.max(...own.map(({ lines }) => lines[1]));
}

async function modified(world: World, project: ProjectId): Promise<number | null> {
  const found = await world.transcripts.inspect(world.archive.files.path(project, MEMORY_FILE));
  return found && found !== 'folder' ? found.mtimeMs : null;
}
