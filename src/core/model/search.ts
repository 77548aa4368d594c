/** What kind of text a source is. A new kind is one small file in `core/search/documents/`. */
export type SourceKind = 'session' | 'keepits' | 'memory' | 'journal' | 'facts' | 'concepts';

/** Features of a line that ranking needs, as bits. */
export const LINE = { time: 1, number: 2, question: 4, asks: 8, kept: 16 } as const;

export type LineRole = 'user' | 'assistant' | 'tool' | 'other';

/** A line's role as a number; `removed` for lines of a source that is gone. */
export const ROLE = { user: 0, assistant: 1, tool: 2, other: 3, removed: 255 } as const satisfies Record<
  LineRole | 'removed',
  number
>;

/** Roles that standing lines have: their numbers are below it. */
export const ROLES = 4;

/** One line of a source, ready for the index. Its text stays in its file. */
export type IndexLine = {
  role: LineRole;
  /** Bits of `LINE`. */
  flags: number;
  ts: string;
  /** Where it is told: offset and length in the source's own file (L1 for sessions). */
  at: number;
  bytes: number;
  /** Byte offset in the original. */
  src: number;
  /** The first line of an exchange. */
  startsExchange: boolean;
  /** Every term, repeated as often as it stands there. A speaker's name is the term `@name`. */
  terms: string[];
};

/** What one update brings of one source: the lines after those that the index has. */
export type SourceUpdate = {
  project: string;
  kind: SourceKind;
  /** A session's id, or a file's name. */
  name: string;
  agent: string;
  /** The file whose lines these are, relative to the project's folder. */
  file: string;
  /** Bytes of that file once these lines are in the index, and those that were there before. */
  from: number;
  to: number;
  /** Which engine made the file; another one makes the index start this source anew. */
  engine: number;
  branch: string;
  title: string;
  first: string;
  last: string;
  /** Changed files, with how often. Replaces what was known. */
  files: [path: string, times: number][];
  lines: IndexLine[];
};
