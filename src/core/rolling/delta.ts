import { type L1Line, saidText, startsExchange } from '../model/l1.ts';
import { type DigestMessage, digest, sentencesFor, wordCount } from './digest.ts';
import type { EntryParts } from './entry.ts';

/** Words that one entry covers at most: a long session gives several. */
const WORDS_AN_ENTRY = 8000;
const CHANGES_FILES = new Set(['Edit', 'MultiEdit', 'Write', 'NotebookEdit']);

export type DeltaSource = {
  session: string;
  /** Lines that come before the first that is given. */
  before: number;
  local: (iso: string) => string;
};

/** What is new in a session, as entries: about a sentence for every 200 words. Takes lines in any number of steps. */
export class DeltaMaker {
  readonly #source: DeltaSource;
  #entries: EntryParts[] = [];
  #lines: L1Line[] = [];
  /** Number of the line before `#lines`. */
  #before: number;

  constructor(source: DeltaSource) {
    this.#source = source;
    this.#before = source.before;
  }

  add(lines: L1Line[]): void {
    for (const line of lines) this.#lines.push(line);
    const parts = [...stretches(this.#lines)];
    // The last one goes on with what comes next.
    parts.pop();
    for (const [first, end] of parts) this.#addEntry(first, end);
    const done = parts.at(-1)?.[1] ?? 0;
    this.#lines.splice(0, done);
    this.#before += done;
  }

  /** Memory has all that was given so far, and so many lines more. */
  skip(more: number): void {
    this.#entries = [];
    this.#before += this.#lines.length + more;
    this.#lines = [];
  }

  end(): EntryParts[] {
    if (this.#lines.length > 0) this.#addEntry(0, this.#lines.length);
    return this.#entries;
  }

  #addEntry(first: number, end: number): void {
    const part = this.#lines.slice(first, end);
    const messages = messagesIn(part);
    const words = messages.reduce((sum, { text }) => sum + wordCount(text), 0);
    const sentences = digest(messages, sentencesFor(words));
    const files = changedIn(part);
    if (sentences.length === 0 && files.length === 0) return;
    const ts = part.findLast((line) => line.ts !== '')?.ts ?? '1970-01-01T00:00:00Z';
    const { session, local } = this.#source;
    const lines: [number, number] = [this.#before + first + 1, this.#before + end];
    this.#entries.push({ ts, local: local(ts), session, lines, sentences, files });
  }
}

/** Cut where a new ask begins, once there is enough for an entry. */
function* stretches(lines: L1Line[]): Generator<[number, number]> {
  let first = 0;
  let words = 0;
  for (const [at, line] of lines.entries()) {
    const asks = startsExchange(line);
    if (at > first && words > 0 && (words >= WORDS_AN_ENTRY * 2 || (asks && words >= WORDS_AN_ENTRY))) {
      yield [first, at];
      [first, words] = [at, 0];
    }
    if (isMessageLine(line)) words += wordCount(line.text ?? '');
  }
  if (first < lines.length) yield [first, lines.length];
}

/** Tools, machines and injected text are no one's words. */
function isMessageLine(line: L1Line): boolean {
  return (line.role === 'user' || line.role === 'assistant') && line.sent === undefined;
}

function messagesIn(lines: L1Line[]): DigestMessage[] {
  const spoken = lines.filter((line) => isMessageLine(line) && line.text);
  return spoken.map((line, at) => {
    const who = line.role as 'user' | 'assistant';
    const next = spoken[at + 1];
    const last = who === 'assistant' && (next === undefined || next.role === 'user');
    return { who, text: saidText(line), last };
  });
}

function changedIn(lines: L1Line[]): string[] {
  const files = lines
    .filter((line) => line.role === 'tool' && CHANGES_FILES.has(line.name ?? '') && line.result === undefined)
    .map((line) => (line.target ?? '').replace(/:\d+(?:-\d+)?$/, ''));
  return [...new Set(files)].filter((file) => file !== '');
}
