import { readEntryLine } from './entry-body.ts';

/** What one entry of memory.md holds, and of which lines of a session. */
export type EntryParts = {
  /** UTC, ISO: when the last of it was said. */
  ts: string;
  /** The same moment on the user's clock: `2026-01-05 14:03`. */
  local: string;
  /** As short as it is still unique. */
  session: string;
  /** Lines of L1, counted from 1, both ends included. */
  lines: [first: number, last: number];
  /** What it says, a line each. */
  body: string[];
};

const ENTRY_START = /^## \d{4}-\d\d-\d\d[_T ]/gm;
const HEADING = /^## (\d{4}-\d\d-\d\d_\d{4}) \(local \d\d-\d\d_\d{4}\) session (\S+) lines (\d+)-(\d+)$/;

/** The first line of an entry: no two entries have the same one. */
export function entryHeading({ ts, local, session, lines }: EntryParts): string {
  const utc = ts.slice(0, 16).replace('T', '_').replace(':', '');
  const wall = local.slice(5, 16).replace(/[ T]/, '_').replace(':', '');
  return `## ${utc} (local ${wall}) session ${session} lines ${lines[0]}-${lines[1]}`;
}

/** An entry as it is in memory.md, without the empty lines around it. */
export function formatEntry(parts: EntryParts): string {
  return [entryHeading(parts), ...parts.body.map(onOneLine)].join('\n');
}

/** Where entries begin, ascending: those of Keepsake and those that a person or another program dated. */
export function entryStarts(text: string): number[] {
  return [...text.matchAll(ENTRY_START)].map((match) => match.index);
}

/** Which session's lines a heading speaks of. */
export function readHeading(line: string): { session: string; lines: [number, number] } | undefined {
  const [, , session, first, last] = HEADING.exec(line.trimEnd()) ?? [];
  return session === undefined ? undefined : { session, lines: [Number(first), Number(last)] };
}

/** The text without the entries of one session. `isIts` is asked with the short id of each heading. */
export function withoutSession(text: string, isIts: (session: string) => boolean): string {
  const starts = entryStarts(text);
  let kept = starts[0] === undefined ? text : text.slice(0, starts[0]);
  for (const [index, start] of starts.entries()) {
    const entry = text.slice(start, starts[index + 1]);
    const heading = readHeading(entry.slice(0, entry.indexOf('\n')));
    kept += heading !== undefined && isIts(heading.session) ? othersLines(entry) : entry;
  }
  return kept;
}

/** What of an entry Keepsake did not write: a person's lines, and marks of the file. */
function othersLines(entry: string): string {
  return entry
    .split(/(?<=\n)/)
    .filter((line) => !line.startsWith('## ') && readEntryLine(line) === undefined)
    .join('');
}

/** A marker on its own would be one again, were the file ever read as a message. */
function onOneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/##\s*(\/?keepit[^#\n]{0,12})##\s*/giu, '')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
}
