import { entryStarts } from './entry.ts';
import { addedFrom, carriedFrom, MEMORY_HEADER } from './memory-file.ts';
import { insertEntry } from './placed-entries.ts';

/**
 * The memory files of several folders of one project as one text, for reading: the first one with what the others added,
 * each entry where its time puts it. An entry in several files is included once.
 */
export function mergedMemory(texts: string[]): string {
  const [first = '', ...others] = texts;
  const known = new Set(blocksOf(first));
  let merged = first;
  for (const text of others) {
    for (const block of blocksOf(text)) {
      if (known.has(block)) continue;
      known.add(block);
      merged = block.startsWith('## ') ? insertEntry(merged, block) : withPreface(merged, block);
    }
  }
  return merged;
}

/** What was written by hand before the first entry, and the entries; what was carried over is in an archive. */
function blocksOf(text: string): string[] {
  const added = addedFrom(text);
  const starts = entryStarts(text).filter((start) => start >= added);
  const preface =
    carriedFrom(text) === undefined ? text.slice(0, starts[0] ?? text.length).replace(MEMORY_HEADER, '') : '';
  const entries = starts.map((start, index) => text.slice(start, starts[index + 1]));
  return [preface, ...entries].map((block) => block.trim()).filter((block) => block !== '');
}

function withPreface(text: string, preface: string): string {
  const at = entryStarts(text)[0] ?? text.length;
  return `${text.slice(0, at).trimEnd()}\n\n${preface}\n\n${text.slice(at)}`;
}
