import type { ProjectId } from './ids.ts';
/** What memory contains besides the sessions. A new kind is one small file in `core/search/documents/`. */
export const DOCUMENT_KINDS = [
  'fact',
  'concept',
  'exchange',
  'keepit',
  'memory',
  'summary',
  'note',
  'journal',
] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

/** The index's marks of a project's documents begin so; those of the project itself are its id, which has no colon. */
export const DOCUMENTS_MARK = 'documents:';

/** What kind of text a source is. */
export type SourceKind = 'session' | DocumentKind;

/** What a hit is: something said in a session, or a document. */
export type HitKind = 'turn' | DocumentKind;

/** Features of a line that ranking needs, as bits. */
export const LINE = { time: 1, number: 2, question: 4, asks: 8, kept: 16 } as const;

export type LineRole = 'user' | 'assistant' | 'tool' | 'other' | 'document';

/** A line's role as a number; those of sessions are below `document`; `removed` for lines of a source that is gone. */
export const ROLE = {
  user: 0,
  assistant: 1,
  tool: 2,
  other: 3,
  document: 4,
  removed: 255,
} as const satisfies Record<LineRole | 'removed', number>;

/** The number of roles without `removed`: all role numbers are below it. */
export const ROLES = 5;

/** One line of a source, ready for the index. Its text stays in its file. */
export type IndexLine = {
  role: LineRole;
  /** Bits of `LINE`. */
  flags: number;
  ts: string;
  /** Its place: offset and length in the L1 file; of a document its number among those of its file, and 0. */
  at: number;
  bytes: number;
  /** Byte offset in the original; of a document a number that changes with its words. */
  src: number;
  /** The first line of an exchange. */
  startsExchange: boolean;
  /** Every term, repeated as often as it is there. A speaker's name is the term `@name`. */
  terms: string[];
};

/** What one update brings of one source: the lines after those that the index has. */
export type SourceUpdate = {
  project: ProjectId;
  kind: SourceKind;
  /** A session's id, or a file's name. */
  name: string;
  agent: string;
  /** The file whose lines these are, relative to the project's folder. */
  file: string;
  /** Bytes of that file once these lines are in the index, and those that were there before. */
  from: number;
  to: number;
  /** The engine of the file, or the content of a file of documents; if it differs, the index rebuilds this source. */
  engine: number;
  branch: string;
  /** Whose session it is; absent: this user's. */
  by?: string;
  title: string;
  first: string;
  last: string;
  /** Changed files, with how often. Replaces what was known. */
  files: [path: string, times: number][];
  lines: IndexLine[];
};
