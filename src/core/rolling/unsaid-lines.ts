import { entryStarts, readHeading } from './entry.ts';

/** What a sentence of memory.md rests on: whether that speaker still says it, and whether the session's file contains it at all. */
export type SaidTest = {
  isSaid(session: string, who: 'user' | 'assistant', text: string): boolean;
  isInFile(session: string, text: string): boolean;
};

/** A sentence of an entry, by whom, as Keepsake wrote it. */
const SENTENCE = /^- (user|assistant): (.*)$/;

/** The sessions that a memory file has entries of, by their short ids. */
export function sessionsNamed(text: string): string[] {
  const headings = entryStarts(text).map((start) =>
    readHeading(text.slice(start, text.indexOf('\n', start))),
  );
  return [...new Set(headings.flatMap((heading) => heading?.session ?? []))];
}

/** The sentences of one session's entries. */
export function quotedSentences(
  text: string,
  session: string,
): { who: 'user' | 'assistant'; text: string }[] {
  return entriesOf(text).flatMap((entry) =>
    readHeading(entry.split('\n', 1)[0]!)?.session === session ? entry.split('\n').flatMap(sentence) : [],
  );
}

/**
 * A memory file without the sentences that nobody said: the session's file contains them, but no message of that speaker does.
 * What the file does not hold a person wrote here, and stays. An entry of which nothing is left goes.
 */
export function withoutUnsaid(text: string, said: SaidTest): string {
  const starts = entryStarts(text);
  const before = starts[0] === undefined ? text : text.slice(0, starts[0]);
  return (
    before +
    entriesOf(text)
      .map((entry) => cleaned(entry, said))
      .join('')
  );
}

function entriesOf(text: string): string[] {
  const starts = entryStarts(text);
  return starts.map((start, index) => text.slice(start, starts[index + 1]));
}

function cleaned(entry: string, { isSaid, isInFile }: SaidTest): string {
  const lines = entry.split('\n');
  const session = readHeading(lines[0]!)?.session;
  if (session === undefined) return entry;
  const isUnsaid = (line: string) =>
    sentence(line).some((it) => !isSaid(session, it.who, it.text) && isInFile(session, it.text));
  const left = lines.filter((line, index) => index === 0 || !isUnsaid(line));
  if (left.length === lines.length) return entry;
  return left.slice(1).every((line) => line.trim() === '') ? '' : left.join('\n');
}

function sentence(line: string): { who: 'user' | 'assistant'; text: string }[] {
  const [, who, text] = SENTENCE.exec(line.trimEnd()) ?? [];
  return who === undefined || text === undefined ? [] : [{ who: who as 'user' | 'assistant', text }];
}
