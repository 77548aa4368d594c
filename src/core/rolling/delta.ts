import type { L1Line } from '../model/l1.ts';
import { digest, type Said, sentencesFor, wordCount } from './digest.ts';
import type { EntryParts } from './entry.ts';

/** Words that one entry tells of at most: a long session gives several. */
const WORDS_AN_ENTRY = 8000;
const CHANGES_FILES = new Set(['Edit', 'MultiEdit', 'Write', 'NotebookEdit']);

export type DeltaSource = {
  session: string;
  lines: L1Line[];
  /** Lines that memory.md has already. */
  after: number;
  local: (iso: string) => string;
};

/** What is new in a session, as entries: about a sentence for every 200 words. */
export function deltaEntries({ session, lines, after, local }: DeltaSource): EntryParts[] {
  const entries: EntryParts[] = [];
  for (const [first, end] of stretches(lines, after)) {
    const part = lines.slice(first, end);
    const said = saidIn(part);
    const words = said.reduce((sum, { text }) => sum + wordCount(text), 0);
    const told = digest(said, sentencesFor(words));
    const files = changedIn(part);
    if (told.length === 0 && files.length === 0) continue;
    const ts = part.findLast((line) => line.ts !== '')?.ts ?? '1970-01-01T00:00:00Z';
    entries.push({ ts, local: local(ts), session, lines: [first + 1, end], told, files });
  }
  return entries;
}

/** Cut where a new ask begins, once there is enough for an entry. */
function* stretches(lines: L1Line[], after: number): Generator<[number, number]> {
  let first = after;
  let words = 0;
  for (let at = after; at < lines.length; at++) {
    const line = lines[at]!;
    const asks = line.role === 'user' && !line.queued && !line.reply;
    if (at > first && words > 0 && (words >= WORDS_AN_ENTRY * 2 || (asks && words >= WORDS_AN_ENTRY))) {
      yield [first, at];
      [first, words] = [at, 0];
    }
    if (isSaid(line)) words += wordCount(line.text ?? '');
  }
  if (first < lines.length) yield [first, lines.length];
}

/** Tools, machines and injected text are no one's words. */
function isSaid(line: L1Line): boolean {
  return (line.role === 'user' || line.role === 'assistant') && line.sent === undefined;
}

function saidIn(lines: L1Line[]): Said[] {
  const spoken = lines.filter((line) => isSaid(line) && line.text);
  return spoken.map((line, at) => {
    const who = line.role as 'user' | 'assistant';
    const next = spoken[at + 1];
    const last = who === 'assistant' && (next === undefined || next.role === 'user');
    return { who, text: line.text!, last };
  });
}

function changedIn(lines: L1Line[]): string[] {
  const files = lines
    .filter((line) => line.role === 'tool' && CHANGES_FILES.has(line.name ?? '') && line.result === undefined)
    .map((line) => (line.target ?? '').replace(/:\d+(?:-\d+)?$/, ''));
  return [...new Set(files)].filter((file) => file !== '');
}
