import { shortHash } from '../model/ids.ts';
import { compare, type Stamp } from '../model/record-order.ts';
import { entryStarts } from './entry.ts';
import { addedText, appendEntry } from './memory-file.ts';

/** What is known of one block of rolling memory: a hash of its words as they were last seen, or that it was deleted. */
export type BlockRecord = Stamp & {
  hash: string;
  gone?: true | undefined;
  /** Secrets in it were masked on the way: it gives way to the same block as it was. */
  masked?: true | undefined;
};
/** By key: the heading of an entry; other text by its words. */
export type BlockRecords = Record<string, BlockRecord>;

/** As Keepsake wrote it, or as it was before there were records: every archive stamps it alike. */
const FIRST: Stamp = { hlc: 0, device: '' };

/** The blocks of memory.md and its archives, each once. What was carried over belongs to the file it is from. */
export function memoryBlocks(texts: Iterable<string>): Map<string, string> {
  const blocks = new Map<string, string>();
  for (const text of texts)
    for (const { key, text: block } of blocksOf(addedText(text)))
      if (!blocks.has(key)) blocks.set(key, block);
  return blocks;
}

/** Each with its place: blocks follow one another without a gap. */
function blocksOf(text: string): { key: string; text: string; start: number; end: number }[] {
  const starts = entryStarts(text);
  const cuts = [...(starts[0] === 0 ? [] : [0]), ...starts];
  return cuts.flatMap((start, index) => {
    const end = cuts[index + 1] ?? text.length;
    const block = text.slice(start, end).trim();
    if (block === '') return [];
    const isEntry = starts.includes(start);
    return [
      {
        key: `b_${shortHash(isEntry ? block.split('\n', 1)[0]!.trim() : block, 16)}`,
        text: block,
        start,
        end,
      },
    ];
  });
}

/** The records once these blocks exist: who changed or deleted one did so now. */
export function observedBlocks(
  known: BlockRecords,
  blocks: ReadonlyMap<string, string>,
  stamp: Stamp,
): BlockRecords {
  const records: BlockRecords = Object.assign(Object.create(null), known);
  for (const [key, text] of blocks) {
    const hash = hashOfBlock(text);
    const record = Object.hasOwn(known, key) ? known[key] : undefined;
    if (!record) records[key] = { ...FIRST, hash };
    else if (record.gone || record.hash !== hash) records[key] = { ...stamp, hash };
  }
  for (const [key, record] of Object.entries(known))
    if (!record.gone && !blocks.has(key)) records[key] = { ...stamp, hash: record.hash, gone: true };
  return records;
}

/** The later record of each block. Any order and number of merges gives the same. */
function mergeBlocks(mine: BlockRecords, theirs: BlockRecords): BlockRecords {
  const merged: BlockRecords = Object.assign(Object.create(null), mine);
  for (const [key, record] of Object.entries(theirs)) {
    const known = Object.hasOwn(merged, key) ? merged[key] : undefined;
    if (!known || isLater(record, known)) merged[key] = record;
  }
  return merged;
}

function isLater(a: BlockRecord, b: BlockRecord): boolean {
  const order =
    a.hlc - b.hlc ||
    compare(a.device, b.device) ||
    Number(b.masked ?? false) - Number(a.masked ?? false) ||
    Number(a.gone ?? false) - Number(b.gone ?? false) ||
    compare(a.hash, b.hash);
  return order > 0;
}

/** A memory file without the blocks that were deleted elsewhere, and with the words of those that were changed there. */
function rewrittenMemory(memory: string, records: BlockRecords, theirs: ReadonlyMap<string, string>): string {
  let rewritten = memory;
  for (const { key, text } of blocksOf(addedText(memory))) {
    const record = Object.hasOwn(records, key) ? records[key] : undefined;
    if (!record || (!record.gone && record.hash === hashOfBlock(text))) continue;
    const other = theirs.get(key);
    if (!record.gone && (other === undefined || hashOfBlock(other) !== record.hash)) continue;
    // The last one: what was carried over comes before what was added.
    const at = rewritten.lastIndexOf(text);
    const end = at + text.length;
    rewritten = record.gone
      ? rewritten.slice(0, at).trimEnd() + (rewritten.slice(end) || '\n')
      : rewritten.slice(0, at) + other + rewritten.slice(end);
  }
  return rewritten;
}

export type RollingTexts = { memory: string; archives: ReadonlyMap<string, string>; records: BlockRecords };

/**
 * Rolling memory with what another archive has, changed or deleted. Both sides' records were observed before. Where a block
 * lies (memory.md or an archive) is each archive's own affair.
 */
export function mergeRolling(
  mine: RollingTexts,
  theirs: Omit<RollingTexts, 'archives'> & { archives: Iterable<string> },
): RollingTexts {
  const incoming = memoryBlocks([theirs.memory, ...theirs.archives]);
  const records = mergeBlocks(mine.records, theirs.records);
  const start = mine.memory.trim() === '' ? theirs.memory : mine.memory;
  let memory = rewrittenMemory(start, records, incoming);
  const archives = new Map(
    [...mine.archives].map(([name, text]) => [name, rewrittenMemory(text, records, incoming)]),
  );
  const here = memoryBlocks([memory, ...archives.values()]);
  for (const block of missingBlocks(records, here, incoming)) memory = appendEntry(memory, `\n${block}\n`);
  const blocks = memoryBlocks([memory, ...archives.values()]);
  // One whose words did not come along is not here: it must not count as deleted here later.
  for (const [key, record] of Object.entries(records))
    if (!record.gone && !blocks.has(key)) delete records[key];
  return { memory, archives, records };
}

/** Blocks that exist elsewhere and not here, by their headings: an entry begins with its time. */
function missingBlocks(
  records: BlockRecords,
  mine: ReadonlyMap<string, string>,
  theirs: ReadonlyMap<string, string>,
): string[] {
  const missing = [...theirs].filter(
    ([key, text]) =>
      !mine.has(key) && records[key]?.gone !== true && records[key]?.hash === hashOfBlock(text),
  );
  return missing.map(([, text]) => text).sort(compare);
}

export function hashOfBlock(text: string): string {
  return shortHash(text, 16);
}
