import { fillOf } from '../model/purge-mask.ts';
import { type EntryParts, formatEntry } from './entry.ts';
import { readEntryLine } from './entry-body.ts';
import { hashOfBlock } from './memory-blocks.ts';
import { insertEntry, type PlacedEntry, placedEntries, removeEntry, replaceEntry } from './placed-entries.ts';
import type { SessionOfMemory } from './session-entry.ts';

const LEAST_FILL = 8;

/** By key, the hash of each entry as Keepsake wrote it: an entry of other words is a person's now, and stays. */
export type WrittenEntries = ReadonlyMap<string, ReadonlySet<string>>;

/** What an entry says of some lines of a session. */
export type EntryOf = (
  session: SessionOfMemory,
  lines: [first: number, last: number],
) => EntryParts | undefined;

export type MemoryEdit = {
  memory: string | undefined;
  /** By key, the hashes of what was written. */
  written: Map<string, string>;
  /** The entry that was added or extended. */
  added?: string;
  /** The last line that memory.md has of the session. */
  lines: number;
};

/**
 * A memory file with the updated entries of a session. `known` lines of the session are, or were, in it; if that is unknown,
 * its entries show it.
 */
export function withSession(
  memory: string | undefined,
  session: SessionOfMemory,
  known: number | undefined,
  { written, entryOf }: { written: WrittenEntries; entryOf: EntryOf },
): MemoryEdit {
  const renewal = renewedEntries(memory ?? '', session, { written, entryOf });
  const edit: MemoryEdit = { memory, written: renewal.written, lines: known ?? 0 };
  if (renewal.memory !== (memory ?? '')) edit.memory = renewal.memory;
  const own = placedEntries(edit.memory ?? '').filter((it) => it.session === session.session);
  // Where the place reached is known, numbers of lines that an older engine counted say nothing.
  const ours = (it: PlacedEntry) => isOurs(it, written) || edit.written.get(it.key) === hashOfBlock(it.text);
  const counted = known === undefined ? own : own.filter(ours);
  const covered = Math.max(known ?? 0, ...counted.map(({ lines }) => lines[1]));
  edit.lines = covered;
  if (covered >= session.lines) return edit;
  const last = own.findLast((it) => !it.carried);
  const open = last && last.lines[1] === covered && ours(last) ? last : undefined;
  const entry = entryOf(session, [open ? open.lines[0] : covered + 1, session.lines]);
  if (!entry) return edit;
  const text = formatEntry(entry);
  edit.memory = insertEntry(open ? removeEntry(edit.memory ?? '', open) : edit.memory, text);
  edit.written.set(`${session.session} ${entry.lines[0]}`, hashOfBlock(text));
  return { ...edit, added: text, lines: session.lines };
}

/** A memory file whose entries of a session say what is true of it now. Their lines stay the same. */
export function renewedEntries(
  memory: string,
  session: SessionOfMemory,
  { written, entryOf }: { written: WrittenEntries; entryOf: EntryOf },
): { memory: string; written: Map<string, string> } {
  let text = memory;
  const renewed = new Map<string, string>();
  for (const placed of placedEntries(memory).toReversed()) {
    if (placed.session !== session.session) continue;
    const entry = entryOf(session, placed.lines);
    const [heading = ''] = placed.text.split('\n', 1);
    // Where nothing is left to say, the heading keeps the place: what was withdrawn may come back.
    const body = entry ? formatEntry(entry).split('\n').slice(1) : [];
    const made = [heading, ...body].join('\n');
    // Text that equals what Keepsake would write counts as Keepsake's, whoever wrote it.
    if (made !== placed.text && !isOurs(placed, written)) continue;
    renewed.set(placed.key, hashOfBlock(made));
    if (made !== placed.text) text = replaceEntry(text, placed, made);
  }
  return { memory: text, written: renewed };
}

/** As it was written, or with something in it that a purge overwrote: what is left beside that may be of the same words. */
function isOurs({ key, text }: PlacedEntry, written: WrittenEntries): boolean {
  const known = written.get(key);
  return known?.has(hashOfBlock(text)) === true || (known !== undefined && isPurged(text));
}

function isPurged(text: string): boolean {
  const [, ...lines] = text.split('\n');
  return (
    text.includes(fillOf(LEAST_FILL).toString()) && lines.every((line) => readEntryLine(line) !== undefined)
  );
}
