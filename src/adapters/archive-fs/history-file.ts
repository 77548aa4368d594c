import { type FileHandle, readFile } from 'node:fs/promises';
import type { HistoryEvent } from '../../core/model/history.ts';
import { parseStoredLines } from '../../core/model/parse-stored.ts';
import type { RepositoryNote } from '../../core/model/repository.ts';
import { fields, figure, object, text } from '../../core/model/shape.ts';
import { diskFault, ifThere } from './disk-fault.ts';
import type { LogLine } from './manifest-log.ts';
import { openOwn, readFully, writeFileAtomic, writeFully } from './write-file.ts';

const NEWLINE = 10;
const HOLE = '\0';
const TAIL_GUESS = 4096;

/** `gen` says which change it came with; recoveries have none. */
export type Recorded = { event: HistoryEvent; gen: number | undefined; project?: ProjectFields | undefined };

/** Who the project is from then on: enough to rebuild it when every manifest is lost. */
export type ProjectFields = {
  originalPath?: string;
  displayName?: string;
  settings?: Record<string, unknown>;
  gitRemote?: string;
  repository?: RepositoryNote;
  sample?: boolean;
};

/** The raw form of a line; callers decide which actions and details they know. */
const lineShape = fields({ at: text, action: text }, { gen: figure, project: object<ProjectFields>() });

/** Every readable line; a torn or damaged one is passed over, and named by `inspect`. */
export async function readRecorded(path: string): Promise<Recorded[]> {
  return (await readLines(path)).values.map(({ gen, project, ...event }) => ({
    event: event as HistoryEvent,
    gen,
    project,
  }));
}

/** How many lines can't be read. */
export async function damagedEvents(path: string): Promise<number> {
  return (await readLines(path)).damaged.length;
}

async function readLines(path: string) {
  const content = (await ifThere(readFile(path, 'utf8'))) ?? '';
  // A last line whose end was cut off may be whole anyway.
  return parseStoredLines(`${content}\n`, lineShape);
}

/** The file's events and those that only the log holds as yet. */
export async function readHistoryFile(path: string, log: LogLine[]): Promise<HistoryEvent[]> {
  const recorded = await readRecorded(path);
  return [...recorded.map((line) => line.event), ...missing(recorded, log).map((line) => line.event)];
}

/** Under the lock, before the log goes: whatever a crash kept from reaching the file. */
export async function completeHistory(path: string, log: LogLine[], extra: HistoryEvent[]): Promise<void> {
  if (log.every((line) => line.events.length === 0) && extra.length === 0) return;
  await dropHoles(path);
  const behind = missing(await readRecorded(path), log);
  await append(path, [...behind, ...extra.map((event) => ({ event, gen: undefined }))], true);
}

/** Where a power failure took a write that nobody had synced, there are zeros; the log has those events still. */
async function dropHoles(path: string): Promise<void> {
  const content = (await ifThere(readFile(path, 'utf8'))) ?? '';
  if (!content.includes(HOLE)) return;
  const isWhole = (line: string) => parseStoredLines(`${line}\n`, lineShape).values.length > 0;
  const lines = content.split('\n').flatMap((line) => {
    const filled = line.replaceAll(HOLE, '');
    return filled === line || isWhole(filled) ? [filled] : [];
  });
  await writeFileAtomic(path, lines.join('\n'));
}

/** Under the lock. Not synced: until the log is folded it holds the same events. */
export async function appendHistory(path: string, line: LogLine): Promise<void> {
  await append(path, recordedOf(line), false);
}

function recordedOf(line: LogLine): Recorded[] {
  const project = fieldsOf(line);
  return line.events.map((event, place) => ({
    event,
    gen: line.gen,
    project: place === 0 ? project : undefined,
  }));
}

const PROJECT_PLACES = new Set([undefined, 'displayName', 'originalPath', 'settings', 'repository']);

/** Undefined where the change left them as they were. */
function fieldsOf(line: LogLine): ProjectFields | undefined {
  const { changes, originalPath, displayName, settings, repository } = line;
  const touching = changes.filter(({ at }) => PROJECT_PLACES.has(at[0]));
  if (touching.length === 0) return undefined;
  const fields: ProjectFields = { originalPath, displayName };
  if (settings && Object.keys(settings).length > 0) fields.settings = settings;
  if (repository) fields.repository = repository;
  for (const { gitRemote, sample } of touching.flatMap(({ init, merge }) => [init ?? {}, merge ?? {}])) {
    if (typeof gitRemote === 'string') fields.gitRemote = gitRemote;
    if (sample === true) fields.sample = true;
  }
  return fields;
}

function missing(recorded: Recorded[], log: LogLine[]): Recorded[] {
  const there = new Map<number | undefined, number>();
  for (const line of recorded) there.set(line.gen, (there.get(line.gen) ?? 0) + 1);
  return log.flatMap((line) => recordedOf(line).slice(there.get(line.gen) ?? 0));
}

async function append(path: string, recorded: Recorded[], sync: boolean): Promise<void> {
  const lines = recorded.map(({ event, gen, project }) => `${JSON.stringify({ gen, ...event, project })}\n`);
  try {
    const file = await openOwn(path);
    try {
      if (lines.length > 0) {
        const { at, start } = await endOfLines(file);
        await writeFully(file, Buffer.from(start + lines.join('')), at);
      }
      if (sync) await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    throw diskFault(error, path, 'write');
  }
}

/** What a crash left of a line is cut off: the log has its event still. A whole line only lacks its end. */
async function endOfLines(file: FileHandle): Promise<{ at: number; start: '' | '\n' }> {
  const { size } = await file.stat();
  for (let guess = TAIL_GUESS; ; guess *= 4) {
    const from = Math.max(0, size - guess);
    const tail = await readFully(file, Buffer.allocUnsafe(size - from), from);
    const end = tail.lastIndexOf(NEWLINE) + 1;
    if (end === tail.length) return { at: size, start: '' };
    if (end === 0 && from > 0) continue;
    const { values } = parseStoredLines(`${tail.toString('utf8', end)}\n`, lineShape);
    if (values.length > 0) return { at: size, start: '\n' };
    await file.truncate(from + end);
    return { at: from + end, start: '' };
  }
}
