import { entryStarts, holdsEntry } from './entry.ts';
import { addedText, appendEntry } from './memory-file.ts';

/**
 * memory.md with what another one has and it has not. Entries are distinguished by their headings; `archived` are the
 * texts that were rotated away. What is here stays byte for byte.
 */
export function mergeMemoryFile(
  mine: string | undefined,
  theirs: string,
  archived: readonly string[],
): string {
  if (mine === undefined || mine.trim() === '') return theirs;
  let merged = mine;
  const own = addedText(theirs);
  const starts = entryStarts(own);
  const lead = own.slice(0, starts[0] ?? own.length).trim();
  if (lead !== '' && !holdsLines(merged, lead)) merged = appendEntry(merged, `\n${lead}\n`);
  for (const [index, start] of starts.entries()) {
    const entry = own.slice(start, starts[index + 1]).trimEnd();
    const heading = entry.split('\n', 1)[0]!.trimEnd();
    if ([merged, ...archived].some((text) => holdsEntry(text, heading))) continue;
    merged = appendEntry(merged, `\n${entry}\n`);
  }
  return merged;
}

/** A person's note with the lines of another that it has not, below a heading. */
export function mergeNote(mine: string, theirs: string, heading: string): string {
  const known = new Set(mine.split(/\r?\n/).map((line) => line.trim()));
  const fresh = theirs.split(/\r?\n/).filter((line) => line.trim() !== '' && !known.has(line.trim()));
  if (fresh.length === 0) return mine;
  return `${mine.trimEnd()}\n\n## ${heading}\n\n${fresh.join('\n')}\n`;
}

function holdsLines(text: string, lines: string): boolean {
  const known = new Set(text.split(/\r?\n/).map((line) => line.trim()));
  return lines.split(/\r?\n/).every((line) => line.trim() === '' || known.has(line.trim()));
}
