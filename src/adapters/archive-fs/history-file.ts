import { readFile } from 'node:fs/promises';
import type { HistoryEvent } from '../../core/model/history.ts';
import { diskFault, ifThere } from './disk-fault.ts';
import type { LogLine } from './manifest-log.ts';
import { openOwn, readFully, writeFully } from './write-file.ts';

/** `gen` says which change it came with; recoveries have none. */
type Recorded = { event: HistoryEvent; gen: number | undefined };

/** Every readable line; a torn or bad one is passed over. */
async function readRecorded(path: string): Promise<Recorded[]> {
  const text = (await ifThere(readFile(path, 'utf8'))) ?? '';
  return text.split('\n').flatMap((line) => {
    try {
      const { gen, ...event } = JSON.parse(line) as HistoryEvent & { gen?: unknown };
      if (typeof event.at !== 'string' || typeof event.action !== 'string') return [];
      return [{ event, gen: typeof gen === 'number' ? gen : undefined }];
    } catch {
      return [];
    }
  });
}

/** The file's events and those that only the log holds as yet. */
export async function readHistory(path: string, log: LogLine[]): Promise<HistoryEvent[]> {
  const recorded = await readRecorded(path);
  return [...recorded.map((line) => line.event), ...missing(recorded, log).map((line) => line.event)];
}

/** Under the lock, before the log goes: whatever a crash kept from reaching the file. */
export async function catchUpHistory(path: string, log: LogLine[], extra: HistoryEvent[]): Promise<void> {
  if (log.every((line) => line.events.length === 0) && extra.length === 0) return;
  const behind = missing(await readRecorded(path), log);
  await append(path, [...behind, ...extra.map((event) => ({ event, gen: undefined }))], true);
}

/** Under the lock. Not synced: until the log is folded it holds the same events. */
export async function appendHistory(path: string, events: HistoryEvent[], gen: number): Promise<void> {
  await append(
    path,
    events.map((event) => ({ event, gen })),
    false,
  );
}

/** The highest generation the history has seen: a rebuilt project must not count from below it. */
export async function lastHistoryGen(path: string): Promise<number> {
  return (await readRecorded(path)).reduce((most, line) => Math.max(most, line.gen ?? 0), 0);
}

function missing(recorded: Recorded[], log: LogLine[]): Recorded[] {
  const there = new Map<number | undefined, number>();
  for (const line of recorded) there.set(line.gen, (there.get(line.gen) ?? 0) + 1);
  return log.flatMap(({ events, gen }) => events.slice(there.get(gen) ?? 0).map((event) => ({ event, gen })));
}

async function append(path: string, recorded: Recorded[], sync: boolean): Promise<void> {
  const lines = recorded.map(
    ({ event, gen }) => `${JSON.stringify(gen === undefined ? event : { gen, ...event })}\n`,
  );
  try {
    const file = await openOwn(path);
    try {
      const { size } = await file.stat();
      const last = size === 0 ? undefined : (await readFully(file, Buffer.alloc(1), size - 1))[0];
      const start = last === undefined || last === 10 ? '' : '\n';
      if (lines.length > 0) await writeFully(file, Buffer.from(start + lines.join('')), size);
      if (sync) await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    throw diskFault(error, path, 'write');
  }
}
