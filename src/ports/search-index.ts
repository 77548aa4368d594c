import type { ProjectId } from '../core/model/ids.ts';
import type { SourceKind, SourceUpdate } from '../core/model/search.ts';

/** How far the index has read a source. */
export type IndexCursor = {
  to: number;
  engine: number;
  file: string;
  /** Facts about the source besides its lines: a title or a branch can appear after the last of them. */
  title?: string;
  branch?: string;
  by?: string;
};

export type SourceRow = {
  /** Dense number from 0, only valid within one view. */
  id: number;
  project: ProjectId;
  kind: SourceKind;
  name: string;
  agent: string;
  file: string;
  /** See `IndexCursor`. */
  engine: number;
  branch: string;
  title: string;
  first: string;
  last: string;
  /** The author of the session; empty for this user. */
  by: string;
};

/** This user's sessions except one, without those that an engine before `engine` read. */
export type OnlySources = { mine: true; except: string; engine: number };

/** Lines that contain a term, ascending, and how often (capped at 255); without removed sources. */
export type Postings = { lines: Uint32Array; counts: Uint8Array };

export type LinePlace = { at: number; bytes: number; src: number; ts: string };

/**
 * One consistent state of the index, as columns. A line's number, an exchange's and a source's are positions in them.
 * `role` is one of `ROLE` in core/model/search.ts.
 */
export interface IndexView {
  readonly lineCount: number;
  /** All source numbers are below this. */
  readonly sourceCount: number;
  /** Terms of a line (capped at 65,535). */
  readonly length: Uint16Array;
  readonly role: Uint8Array;
  readonly flags: Uint8Array;
  /** The exchange that a line belongs to. */
  readonly exchange: Uint32Array;
  /** The source that an exchange belongs to. */
  readonly source: Uint32Array;
  /** Lines and terms of each source by role, number `ROLES * source + role`; of those that exist. */
  totals(): { lines: Uint32Array; terms: Uint32Array; sources: number };
  postings(term: string): Postings;
  /** Number of lines that contain a term: the length of `postings`, without reading them. */
  linesWith(term: string): number;
  /** Terms with this beginning, most frequent first. */
  termsFrom(prefix: string, limit: number): string[];
  sources(ids?: Iterable<number>): SourceRow[];
  /** Numbers of the sources of these projects, or of some of them, ascending. */
  sourcesIn(projects: readonly string[], only?: OnlySources): number[];
  /** Runs of lines of a source, in order: [first line, count]. */
  runs(source: number): [number, number][];
  /** The same for several sources at once. */
  runsOf(sources: readonly number[]): Map<number, [number, number][]>;
  places(lines: number[]): LinePlace[];
  /** Sources that changed a file whose path is this one or ends with it (whole names only), with how often. */
  sourcesWithFile(path: string): { source: number; times: number }[];
  close(): void;
}

/** A disposable index: it can be deleted at any time and is rebuilt from files, with the same content. */
export interface SearchIndex {
  /** By `project/kind/name`. Throws Fault `corrupt`, `newer-version` or `busy`; the caller decides what to do. */
  cursors(): Promise<Map<string, IndexCursor>>;
  /** The cursor of one source. */
  cursor(project: string, kind: SourceKind, name: string): Promise<IndexCursor | undefined>;
  /** Marks that updates stored, by key: the indexed generation of each project. */
  marks(): Promise<Map<string, string>>;
  /** All or nothing, marks too. An update whose `from` is not where the source ends is refused with Fault `conflict`. */
  update(updates: SourceUpdate[], marks?: Record<string, string>): Promise<void>;
  /** It is no longer found; its terms leave the file at a later `tidy`, or at once with `destroy`. */
  remove(project: string, kind: SourceKind, name: string): Promise<void>;
  view(): Promise<IndexView>;
  /** Merges small segments; cheap if there is nothing to do. */
  tidy(): Promise<void>;
  /** Deletes it whole: file, WAL, everything. */
  destroy(): Promise<void>;
  /** Bytes on the disk, version, lines, and whether it can be used. */
  state(): Promise<{ usable: boolean; version: number; lines: number; bytes: number; reason?: string }>;
  close(): Promise<void>;
}
