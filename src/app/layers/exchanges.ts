import {
  END_BYTES,
  ExchangeReader,
  exchangeHead,
  exchangeTail,
  type KnownEnd,
  readExchangeEnd,
  readKnownEnd,
} from '../../core/layers/exchanges/file.ts';
import { exchangeRecords, extendRecords, nothingBefore } from '../../core/layers/exchanges/records.ts';
import type { ExchangeRecord } from '../../core/model/exchange.ts';
import { type ProjectId, shortHash } from '../../core/model/ids.ts';
import type { SessionRecord } from '../../core/model/session.ts';
import type { World } from '../world.ts';
import { filePieces, linesFrom, rewindsInFile, stretchesOf } from './lines.ts';
import { exchangeFileName } from './statement-files.ts';

/** Bytes at the end of the covered part: they show whether a longer file continues it. */
const TAIL = 256;
/** Bytes of L1 whose exchanges are made together. */
const AT_ONCE = 4 * 1024 * 1024;
/** Exchanges that are held until they are written. */
const HELD = 400;

export type RefinedSession = Pick<SessionRecord, 'sessionId' | 'l1' | 'engine'>;

/** The exchanges of a session (L2), all of them. Where their file is behind the refined one, they are made in memory. */
export async function sessionExchanges(
  world: World,
  project: ProjectId,
  session: RefinedSession,
): Promise<ExchangeRecord[]> {
  if (session.l1.file === '') return [];
  const known = await currentExchanges(world, project, session, (record) => record);
  if (known) return known;
  const made: ExchangeRecord[] = [];
  for await (const some of madeExchanges(world, project, session))
    made.push(...some.map(({ record }) => record));
  return made;
}

/** The same, with their file brought up to date; of each only what is asked for, since a long session fills the memory. */
export async function updatedExchanges<T>(
  world: World,
  project: ProjectId,
  session: RefinedSession,
  as: (record: ExchangeRecord) => T,
): Promise<T[]> {
  if (session.l1.file === '') return [];
  const known = await currentExchanges(world, project, session, as);
  if (known) return known;
  await updateExchanges(world, project, session);
  const stored = await storedExchanges(world, project, session, as);
  if (stored) return stored;
  await anew(world, project, session);
  return (await storedExchanges(world, project, session, as)) ?? [];
}

/** The stored ones, if their file is up to date. In one read, which is all that most sessions of a project take. */
async function currentExchanges<T>(
  world: World,
  project: ProjectId,
  session: RefinedSession,
  as: (record: ExchangeRecord) => T,
): Promise<T[] | undefined> {
  if (session.l1.bytes > AT_ONCE) {
    const stored = await storedEnd(world, project, session);
    const isCurrent = stored && isOf(session, stored) && stored.end.l1.bytes === session.l1.bytes;
    return isCurrent ? storedExchanges(world, project, session, as) : undefined;
  }
  const bytes = await world.archive.files.read(project, exchangeFileName(session.l1.file));
  const end = bytes && readExchangeEnd(bytes.subarray(-END_BYTES));
  const stored = end && readKnownEnd(bytes.subarray(end.resume.at), end);
  if (!stored || !isOf(session, stored) || end.l1.bytes !== session.l1.bytes) return undefined;
  const reader = new ExchangeReader(session.sessionId, as);
  return reader.take(bytes) && reader.isWhole ? reader.found : undefined;
}

/** Undefined when the file is damaged, of another engine or of another session. */
async function storedExchanges<T>(
  world: World,
  project: ProjectId,
  { sessionId, l1 }: RefinedSession,
  as: (record: ExchangeRecord) => T,
): Promise<T[] | undefined> {
  const reader = new ExchangeReader(sessionId, as);
  const name = exchangeFileName(l1.file);
  const size = await world.archive.files.size(project, name);
  for await (const piece of filePieces(world, project, name, [0, size]))
    if (!reader.take(piece)) return undefined;
  return reader.isWhole ? reader.found : undefined;
}

/**
 * Brings the file of a session's exchanges up to date, at a cost that does not depend on how long the session is: the
 * ends of both files are read, and its own end is written. A file that is gone, damaged or of another engine is made
 * again, with the same bytes.
 */
export async function updateExchanges(
  world: World,
  project: ProjectId,
  session: RefinedSession,
): Promise<void> {
  if (session.l1.file === '') return;
  const stored = await storedEnd(world, project, session);
  if (stored && isOf(session, stored)) {
    if (stored.end.l1.bytes === session.l1.bytes) return;
    if (await grown(world, project, session, stored)) return;
  }
  await anew(world, project, session);
}

async function storedEnd(
  world: World,
  project: ProjectId,
  { sessionId, l1 }: RefinedSession,
): Promise<KnownEnd | undefined> {
  const { files } = world.archive;
  const name = exchangeFileName(l1.file);
  const size = await files.size(project, name);
  const head = Buffer.from(exchangeHead(sessionId));
  if (size === 0 || !head.equals(await files.readAt(project, name, 0, head.length))) return undefined;
  const from = Math.max(0, size - END_BYTES);
  const end = readExchangeEnd(await files.readAt(project, name, from, size - from));
  if (!end || end.resume.at < head.length || end.resume.at > size) return undefined;
  return readKnownEnd(await files.readAt(project, name, end.resume.at, size - end.resume.at), end);
}

function isOf({ l1, engine }: RefinedSession, { end }: KnownEnd): boolean {
  return end.l1.file === l1.file && end.l1.engine === engine && end.l1.bytes <= l1.bytes;
}

/** Rebuilds the last one or two exchanges with the new lines; false if earlier ones change, too. */
async function grown(
  world: World,
  project: ProjectId,
  session: RefinedSession,
  { end, records }: KnownEnd,
): Promise<boolean> {
  const { files } = world.archive;
  const name = exchangeFileName(session.l1.file);
  if ((await tailOf(world, project, session.l1.file, end.l1.bytes)) !== end.l1.tail) return false;
  // Above this amount of new text, the session is handled like a new one.
  if (session.l1.bytes - end.resume.before > AT_ONCE) return false;
  const { lines, offsets } = await linesFrom(world, project, session.l1, end.resume.before);
  const known = offsets.filter((offset) => offset < end.l1.bytes).length;
  const made = extendRecords(session.sessionId, records, lines, known);
  if (!made) return false;
  const { at } = end.resume;
  const first = made[0]!.l1_range[0];
  const placed = made.map((record) => ({ record, offset: offsets[record.l1_range[0] - first]! }));
  const tail = Buffer.from(await tailText(world, { ...session, project }, placed, at));
  if (at + tail.length >= (await files.size(project, name))) await files.writeAt(project, name, at, tail);
  // A shorter end would leave some of the old one behind it.
  else await files.write(project, name, Buffer.concat([await files.readAt(project, name, 0, at), tail]));
  return true;
}

/** All exchanges from the refined file, stretch by stretch, so that a long session does not fill the memory. */
async function* madeExchanges(
  world: World,
  project: ProjectId,
  { sessionId, l1 }: RefinedSession,
): AsyncGenerator<Placed[]> {
  const carried = nothingBefore(await rewindsInFile(world, project, l1));
  for await (const { lines, offsets, firstLine } of stretchesOf(world, project, l1)) {
    const made = exchangeRecords(sessionId, lines, firstLine, carried);
    yield made.map((record) => ({ record, offset: offsets[record.l1_range[0] - firstLine]! }));
  }
}

/** Makes the file again; a write that was cut off has no end. */
async function anew(world: World, project: ProjectId, session: RefinedSession): Promise<void> {
  const { files } = world.archive;
  const name = exchangeFileName(session.l1.file);
  const head = exchangeHead(session.sessionId);
  let [at, written] = [Buffer.byteLength(head), false];
  // The last two are at the end of the file.
  let held: Placed[] = [];
  for await (const made of madeExchanges(world, project, session)) {
    held.push(...made);
    if (held.length <= HELD) continue;
    const text = held
      .slice(0, -2)
      .map(({ record }) => `${JSON.stringify(record)},\n`)
      .join('');
    if (written) await files.writeAt(project, name, at, text);
    else await files.write(project, name, `${head}${text}`);
    [at, written] = [at + Buffer.byteLength(text), true];
    held = held.slice(-2);
  }
  const tail = await tailText(world, { ...session, project }, held, at);
  if (written) await files.writeAt(project, name, at, tail);
  else await files.write(project, name, `${head}${tail}`);
}

/** An exchange, and where in L1 it begins. */
type Placed = { record: ExchangeRecord; offset: number };

async function tailText(
  world: World,
  { project, l1, engine }: RefinedSession & { project: ProjectId },
  made: Placed[],
  at: number,
): Promise<string> {
  const last = made.at(-1)?.offset ?? 0;
  const tail = await tailOf(world, project, l1.file, l1.bytes);
  const of = { file: l1.file, lines: l1.lines, bytes: l1.bytes, engine, tail };
  const records = made.map(({ record }) => record);
  return exchangeTail(records, at, of, { before: made.at(-2)?.offset ?? last, last });
}

async function tailOf(world: World, project: ProjectId, file: string, bytes: number): Promise<string> {
  const from = Math.max(0, bytes - TAIL);
  const read = await world.archive.files.readAt(project, file, from, bytes - from);
  return shortHash(read.toString('base64'), 16);
}
