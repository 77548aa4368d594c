import { exchangeRecords, extendRecords } from '../core/layers/exchange-records.ts';
import type { ExchangeFile, ExchangeRecord } from '../core/model/exchange.ts';
import { type ProjectId, shortHash } from '../core/model/ids.ts';
import type { L1Line } from '../core/model/l1.ts';
import { LAYERS_ENGINE } from '../core/model/layers-engine.ts';
import type { SessionRecord } from '../core/model/session.ts';
import type { World } from './world.ts';

/** Bytes at the end of what is told already: they say whether a longer file goes on from there. */
const TAIL = 256;

export type RefinedSession = Pick<SessionRecord, 'sessionId' | 'l1' | 'engine'>;

/** Where the exchanges of a refined file stand. */
export function exchangeFileName(l1File: string): string {
  return l1File.replace(/\.l1\.jsonl$/, '.l2.json');
}

/**
 * The exchanges of a session (L2), brought up to date with its refined file. Of a session that grew only its end is read;
 * a file that is gone, damaged or of another engine is made again.
 */
export async function sessionExchanges(
  world: World,
  project: ProjectId,
  session: RefinedSession,
): Promise<ExchangeRecord[]> {
  const { l1 } = session;
  if (l1.file === '') return [];
  const name = exchangeFileName(l1.file);
  const stored = await storedFile(world, project, name, session);
  if (stored && stored.l1.bytes === l1.bytes) return stored.exchanges;
  const made =
    (stored && (await grown(world, project, session, stored))) ?? (await anew(world, project, session));
  await world.archive.files.write(project, name, `${JSON.stringify(made)}\n`);
  return made.exchanges;
}

async function storedFile(
  world: World,
  project: ProjectId,
  name: string,
  { sessionId, l1, engine }: RefinedSession,
): Promise<ExchangeFile | undefined> {
  const bytes = await world.archive.files.read(project, name);
  if (!bytes) return undefined;
  const file = parsed(bytes.toString('utf8'));
  if (!isExchangeFile(file)) return undefined;
  if (file.sessionId !== sessionId || file.l1.file !== l1.file || file.l1.engine !== engine) return undefined;
  return file.l1.bytes <= l1.bytes ? file : undefined;
}

/** Checked by hand: this is read wherever a session is taken in, and must not load the schemas. */
function isExchangeFile(value: unknown): value is ExchangeFile {
  const file = value as Partial<ExchangeFile> | undefined;
  return (
    file?.engine === LAYERS_ENGINE &&
    typeof file.l1?.bytes === 'number' &&
    typeof file.l1.tail === 'string' &&
    typeof file.resume?.before === 'number' &&
    Array.isArray(file.exchanges) &&
    file.exchanges.every(isRecord)
  );
}

function isRecord(record: Partial<ExchangeRecord>): boolean {
  const { id, ts, summary, outcome, src } = record;
  const lists = [
    record.files,
    record.keywords,
    record.l1_range,
    record.commands,
    record.said,
    record.failed,
    record.fixed,
    record.design,
  ];
  const words = [id, ts, summary, record.details, record.ask, outcome];
  return words.every((it) => typeof it === 'string') && typeof src === 'number' && lists.every(Array.isArray);
}

async function grown(
  world: World,
  project: ProjectId,
  session: RefinedSession,
  stored: ExchangeFile,
): Promise<ExchangeFile | undefined> {
  const { l1 } = session;
  if ((await tailOf(world, project, l1.file, stored.l1.bytes)) !== stored.l1.tail) return undefined;
  const from = stored.resume.before;
  const read = await linesFrom(world, project, session, from);
  const exchanges = extendRecords(session.sessionId, stored.exchanges, read.lines);
  return exchanges && fileOf(world, project, session, exchanges, read);
}

async function anew(world: World, project: ProjectId, session: RefinedSession): Promise<ExchangeFile> {
  const read = await linesFrom(world, project, session, 0);
  return fileOf(world, project, session, exchangeRecords(session.sessionId, read.lines), read);
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
    const line = parsed(bytes.toString('utf8', at, end)) as L1Line | undefined;
    if (line) {
      lines.push(line);
      offsets.push(from + at);
    }
    at = end + 1;
  }
}

async function fileOf(
  world: World,
  project: ProjectId,
  { sessionId, l1, engine }: RefinedSession,
  exchanges: ExchangeRecord[],
  { lines, offsets }: Read,
): Promise<ExchangeFile> {
  const placeOf = (record: ExchangeRecord | undefined): number | undefined =>
    record && offsets[lines.findIndex((line) => line.src === record.src)];
  const last = placeOf(exchanges.at(-1)) ?? 0;
  return {
    engine: LAYERS_ENGINE,
    sessionId,
    l1: { ...l1, engine, tail: await tailOf(world, project, l1.file, l1.bytes) },
    resume: { before: placeOf(exchanges.at(-2)) ?? last, last },
    exchanges,
  };
}

async function tailOf(world: World, project: ProjectId, file: string, bytes: number): Promise<string> {
  const from = Math.max(0, bytes - TAIL);
  return shortHash(
    (await world.archive.files.readAt(project, file, from, bytes - from)).toString('base64'),
    16,
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
