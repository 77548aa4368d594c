import { carryStart } from './carry-over.ts';
import { entryStarts } from './entry.ts';
import { type CountTokens, LIMITS } from './limits.ts';

/** What memory.md begins with. */
export const MEMORY_HEADER = '# Memory\n\nKeepsake adds to the end of this file; change what you like.\n';

export const CARRY_END = '<!-- end of what was carried over -->';
const CARRY_BEGIN = /^<!-- carried over from (memory_\d{8}_\d{6}\.md) -->$/m;

/** Adds an entry at the end; whatever is there already stays byte for byte. */
export function appendEntry(memory: string | undefined, entry: string): string {
  const before = memory === undefined || memory.trim() === '' ? MEMORY_HEADER : memory;
  return `${before}${before.endsWith('\n') ? '' : '\n'}${entry}`;
}

export type Rotation = { archive: string; memory: string; tokens: number };

/**
 * When memory.md is too long: all of it as an archive, and a new one that begins with the end of the old. `name` is
 * the archive's. Undefined when there is nothing to rotate.
 */
export function rotate(
  memory: string,
  name: string,
  count: CountTokens,
  options: { force?: boolean; limits?: typeof LIMITS } = {},
): Rotation | undefined {
  const { rotateAbove, carryOver } = options.limits ?? LIMITS;
  const tokens = count(memory);
  if (tokens <= rotateAbove && !options.force) return undefined;
  if (addedText(memory).trim() === '') return undefined;
  return { archive: memory, memory: carriedOver(memory, name, count, carryOver), tokens };
}

/** A new memory.md: what is carried over of an archive, and nothing else yet. */
export function carriedOver(
  archive: string,
  name: string,
  count: CountTokens,
  most = LIMITS.carryOver,
): string {
  const own = addedText(archive);
  const start = carryStart(own, most, count);
  const carried = own.slice(start);
  if (carried.trim() === '') return MEMORY_HEADER;
  const end = carried.endsWith('\n') ? '' : '\n';
  const text = `${headingOf(own, start)}${carried}${end}`;
  return `${MEMORY_HEADER}\n<!-- carried over from ${name} -->\n${text}${CARRY_END}\n`;
}

/** Of an entry that is carried over in part, its first line comes along: it says where the rest is from. */
function headingOf(text: string, start: number): string {
  const entry = entryStarts(text).findLast((place) => place <= start);
  return entry === undefined || entry === start ? '' : `${text.slice(entry, text.indexOf('\n', entry))}\n`;
}

/** The archive whose end a memory file begins with. */
export function carriedFrom(memory: string): string | undefined {
  return CARRY_BEGIN.exec(memory)?.[1];
}

/** What was added to a memory file itself: without its header and without what was carried over. */
export function addedText(memory: string): string {
  const rest = memory.startsWith(MEMORY_HEADER) ? memory.slice(MEMORY_HEADER.length) : memory;
  const begin = CARRY_BEGIN.exec(rest);
  if (!begin) return rest;
  const end = rest.indexOf(`\n${CARRY_END}\n`, begin.index);
  // A person took the mark away: then all of it counts as written here.
  if (end === -1) return rest;
  const before = rest.slice(0, begin.index);
  return `${before.trim() === '' ? '' : before}${rest.slice(end + CARRY_END.length + 2)}`;
}

/** Where what was added to a memory file itself begins: behind its header and what was carried over. */
export function addedFrom(memory: string): number {
  const begin = CARRY_BEGIN.exec(memory);
  const end = begin ? memory.indexOf(`\n${CARRY_END}\n`, begin.index) : -1;
  if (end !== -1) return end + CARRY_END.length + 2;
  return memory.startsWith(MEMORY_HEADER) ? MEMORY_HEADER.length : 0;
}

/** `memory_20260113_120000.md`, by UTC; the next free second when that name is taken. */
export function archiveName(at: string, taken: ReadonlySet<string>): string {
  for (let millis = Date.parse(at); ; millis += 1000) {
    const time = new Date(millis).toISOString();
    const name = `memory_${time.slice(0, 19).replace(/[-:]/g, '').replace('T', '_')}.md`;
    if (!taken.has(name)) return name;
  }
}

export const ARCHIVE_NAME = /^memory_(\d{4})(\d\d)(\d\d)_(\d\d)(\d\d)(\d\d)\.md$/;

/** When a file was archived, by its name: UTC, ISO. */
export function archivedAt(name: string): string | undefined {
  const [, year, month, day, hour, minute, second] = ARCHIVE_NAME.exec(name) ?? [];
  return year === undefined ? undefined : `${year}-${month}-${day}T${hour}:${minute}:${second}.000Z`;
}

export function summaryName(archive: string): string {
  return archive.replace(/\.md$/, '.summary.json');
}
