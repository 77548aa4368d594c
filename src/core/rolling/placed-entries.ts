import { entryStarts, readHeading } from './entry.ts';
import { addedFrom, appendEntry, CARRY_END } from './memory-file.ts';

/** An entry of Keepsake in a memory file. Text and place are without the empty lines around it. */
export type PlacedEntry = {
  /** Stays the same while the session grows. */
  key: string;
  session: string;
  lines: [first: number, last: number];
  start: number;
  end: number;
  text: string;
  /** Carried over from an archive: it belongs to that. */
  carried: boolean;
};

export function entryKey(session: string, first: number): string {
  return `${session} ${first}`;
}

/** The entries of a memory file, in their order. */
export function placedEntries(memory: string): PlacedEntry[] {
  const added = addedFrom(memory);
  const starts = entryStarts(memory);
  return starts.flatMap((start, index) => {
    const raw = memory.slice(start, starts[index + 1]);
    const mark = raw.indexOf(`\n${CARRY_END}`);
    const text = (mark === -1 ? raw : raw.slice(0, mark)).trimEnd();
    const heading = readHeading(text.split('\n', 1)[0]!);
    if (!heading) return [];
    const { session, lines } = heading;
    const key = entryKey(session, lines[0]);
    return [{ key, session, lines, start, end: start + text.length, text, carried: start < added }];
  });
}

export function replaceEntry(memory: string, { start, end }: PlacedEntry, text: string): string {
  return memory.slice(0, start) + text + memory.slice(end);
}

export function removeEntry(memory: string, { start, end }: PlacedEntry): string {
  const after = memory.slice(end).replace(/^\s*\n/, '');
  return after.trim() === '' ? `${memory.slice(0, start).trimEnd()}\n` : memory.slice(0, start) + after;
}

/** Where its time puts it among what was added: in whatever order sessions come, the file is the same. */
export function insertEntry(memory: string | undefined, text: string): string {
  const known = memory ?? '';
  const added = addedFrom(known);
  const time = timeOf(text);
  const next = entryStarts(known).find((start) => start >= added && timeOf(known.slice(start)) > time);
  if (next === undefined) return appendEntry(memory, `\n${text}\n`);
  return `${known.slice(0, next)}${text}\n\n${known.slice(next)}`;
}

/** By the first line: its time, then the rest of it. */
function timeOf(entry: string): string {
  const [heading = ''] = entry.split('\n', 1);
  const [, time = '', rest = ''] = /^## (\d{4}-\d\d-\d\d[_T ]\d\d:?\d\d)?(.*)/.exec(heading.trimEnd()) ?? [];
  return `${time.replace(/\D/g, '').padEnd(12, '0')}${rest}`;
}
