import {
  END_BYTES,
  exchangeHead,
  exchangeTail,
  type KnownEnd,
  readExchangeEnd,
  readExchangeFile,
  readKnownEnd,
} from '../core/layers/exchange-file.ts';
import { exchangeRecords, extendRecords } from '../core/layers/exchange-records.ts';
import type { ExchangeRecord } from '../core/model/exchange.ts';
import { type ProjectId, shortHash } from '../core/model/ids.ts';
import type { L1Line } from '../core/model/l1.ts';
import type { SessionRecord } from '../core/model/session.ts';
import type { World } from './world.ts';

/** Bytes at the end of what is told already: they say whether a longer file goes on from there. */
const TAIL = 256;

export type RefinedSession = Pick<SessionRecord, 'sessionId' | 'l1' | 'engine'>;

/** Where the exchanges of a refined file stand. */
export function exchangeFileName(l1File: string): string {
  return l1File.replace(/\.l1\.jsonl$/, '.l2.json');
}

/** The exchanges of a session (L2), all of them, brought up to date with its refined file. */
export async function sessionExchanges(
  world: World,
  project: ProjectId,
  session: RefinedSession,
): Promise<ExchangeRecord[]> {
  if (session.l1.file === '') return [];
  const bytes = await world.archive.files.read(project, exchangeFileName(session.l1.file));
  const stored = bytes && readExchangeFile(bytes, session.sessionId);
  if (!stored || !isOf(session, stored)) return anew(world, project, session);
  if (stored.end.l1.bytes === session.l1.bytes) return stored.all;
  const made = await grown(world, project, session, stored);
  return made ? [...stored.all.slice(0, -2), ...made] : anew(world, project, session);
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

/** The last one or two exchanges made again with what came after them; undefined when earlier ones change, too. */
async function grown(
  world: World,
  project: ProjectId,
  session: RefinedSession,
  { end, records }: KnownEnd,
): Promise<ExchangeRecord[] | undefined> {
  const { files } = world.archive;
  const name = exchangeFileName(session.l1.file);
  if ((await tailOf(world, project, session.l1.file, end.l1.bytes)) !== end.l1.tail) return undefined;
  const read = await linesFrom(world, project, session, end.resume.before);
  const known = read.offsets.filter((offset) => offset < end.l1.bytes).length;
  const made = extendRecords(session.sessionId, records, read.lines, known);
  if (!made) return undefined;
  const { at } = end.resume;
  const tail = Buffer.from(await tailText(world, project, session, made, at, read));
  if (at + tail.length >= (await files.size(project, name))) await files.writeAt(project, name, at, tail);
  // A shorter end would leave some of the old one behind it.
  else await files.write(project, name, Buffer.concat([await files.readAt(project, name, 0, at), tail]));
  return made;
}

async function anew(world: World, project: ProjectId, session: RefinedSession): Promise<ExchangeRecord[]> {
  const read = await linesFrom(world, project, session, 0);
  const made = exchangeRecords(session.sessionId, read.lines);
  const head = exchangeHead(session.sessionId);
  const tail = await tailText(world, project, session, made, Buffer.byteLength(head), read);
  await world.archive.files.write(project, exchangeFileName(session.l1.file), `${head}${tail}`);
  return made;
}

type Read = { lines: L1Line[]; offsets: number[] };

async function linesFrom(
  world: World,
  project: ProjectId,
  { l1 }: RefinedSession,
  from: number,
): Promise<Read> {
  const bytes = await world.archive.files.readAt(project, l1.file, from, l1.bytes - from);
  const lines: L1Line[] = [];
  const offsets: number[] = [];
  for (let at = 0; ; ) {
    const end = bytes.indexOf(0x0a, at);
    if (end === -1) return { lines, offsets };
    const line = parsed(bytes.toString('utf8', at, end));
    if (line) {
      lines.push(line);
      offsets.push(from + at);
    }
    at = end + 1;
  }
}

/** `made` tells the lines that were read, from the first on. */
async function tailText(
  world: World,
  project: ProjectId,
  { l1, engine }: RefinedSession,
  made: ExchangeRecord[],
  at: number,
  { offsets }: Read,
): Promise<string> {
  const first = made[0]?.l1_range[0] ?? 1;
  const placeOf = (record: ExchangeRecord | undefined) => record && offsets[record.l1_range[0] - first];
  const last = placeOf(made.at(-1)) ?? 0;
  const tail = await tailOf(world, project, l1.file, l1.bytes);
  const told = { file: l1.file, lines: l1.lines, bytes: l1.bytes, engine, tail };
  return exchangeTail(made, at, told, { before: placeOf(made.at(-2)) ?? last, last });
}

async function tailOf(world: World, project: ProjectId, file: string, bytes: number): Promise<string> {
  const from = Math.max(0, bytes - TAIL);
  const read = await world.archive.files.readAt(project, file, from, bytes - from);
  return shortHash(read.toString('base64'), 16);
}

function parsed(text: string): L1Line | undefined {
  try {
    return JSON.parse(text) as L1Line;
  } catch {
    return undefined;
  }
}
