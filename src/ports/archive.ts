import type { Change } from '../core/model/change.ts';
import type { Needle } from '../core/model/folded-text.ts';
import type { HistoryEvent } from '../core/model/history.ts';
import type { ProjectId, SessionId } from '../core/model/ids.ts';
import type { Manifest } from '../core/model/manifest.ts';
import type { PurgedText } from '../core/model/purge-mask.ts';
import type { RepositoryNote } from '../core/model/repository.ts';
import type { Unrecorded } from '../core/model/unrecorded.ts';

/** What is known of a project without reading its whole manifest. */
export type ProjectHead = {
  projectId: ProjectId;
  originalPath: string;
  displayName: string;
  gen: number;
  /** The project's own settings. */
  settings: Record<string, unknown>;
  /** The repository that its folder belongs to. */
  repository?: RepositoryNote;
  /** The highest clock of this user's edits; missing if only the whole manifest has it. */
  clock?: number;
};

/** How a manifest was found on opening it. `notes` are sentences for a person. */
export type Opened = {
  manifest: Manifest;
  notes: string[];
  /** Sessions may be missing although their originals are here: register them again. */
  rebuilt?: true;
};

export type Absorbed = {
  /**
   * new: first seen. grown: the source continued where the copy ended. same: nothing to add. replaced: the source differs from
   * the copy; its unknown lines were added after the old ones.
   */
  status: 'new' | 'grown' | 'same' | 'replaced';
  /** Bytes of the own copy, before and after. */
  before: number;
  after: number;
  /** The copy has content that the source no longer has; the copy keeps it. */
  truncated?: true;
};

/** The source as it was when it was last imported. */
export type SeenSource = { size: number; mtimeMs: number; dev: number; ino: number };

/** A file to absorb, and how it was when it was last read. */
export type AbsorbSource = { path: string; seen?: SeenSource | undefined };

export type OriginalsMode = 'copy' | 'link' | 'symlink';

/** The own copies of the agent's files. A name is `<sessionId>.jsonl` or `<sessionId>/<subfolder>/<file>`. */
export interface Originals {
  /**
   * Takes in what the source has and the copy has not. Idempotent; safe beside others doing the same.
   * All that both have is compared, unless the source only grew since it was `seen`: then both ends are.
   * Texts that were purged are left out: something as long is in their place.
   */
  absorb(project: ProjectId, name: string, source: AbsorbSource, mode: OriginalsMode): Promise<Absorbed>;
  /**
   * Adds to a copy that has no source file and no other writer. False, and nothing is written, where it does not end at `from`, or
   * where texts were purged: then it must be absorbed.
   */
  extend(project: ProjectId, name: string, from: number, bytes: Buffer): Promise<boolean>;
  /** The path of the copy, for reading only. */
  path(project: ProjectId, name: string): string;
  size(project: ProjectId, name: string): Promise<number | undefined>;
  /** All names, or only those of the files beside one session. */
  list(project: ProjectId, session?: SessionId): Promise<string[]>;
  /** sha256 over the sha256 of each MiB; `known` has the hashes of whole blocks from an earlier call. `first`: only this many bytes. */
  hash(
    project: ProjectId,
    name: string,
    known?: string[],
    first?: number,
  ): Promise<{ hash: string; blocks: string[] }>;
  remove(project: ProjectId, name: string): Promise<void>;
}

/**
 * Derived files below a project's folder, or below `cache/` when the project is undefined. Those below `memory/` lie
 * where `places` says.
 */
export interface Files {
  path(project: ProjectId | undefined, name: string): string;
  read(project: ProjectId | undefined, name: string): Promise<Buffer | undefined>;
  /** A part of a file; shorter, or empty, where the file ends before. */
  readAt(project: ProjectId | undefined, name: string, at: number, bytes: number): Promise<Buffer>;
  /** Bytes; 0 where there is no such file. */
  size(project: ProjectId | undefined, name: string): Promise<number>;
  /** Atomic: temp file in the same folder, complete write, fsync, rename, fsync of the folder. */
  write(project: ProjectId | undefined, name: string, bytes: string | Uint8Array): Promise<void>;
  /** Like `write`, but only if the file does not exist; otherwise false. */
  create(project: ProjectId | undefined, name: string, bytes: string | Uint8Array): Promise<boolean>;
  /** Writes at a position, never truncates, leaves no hole: two writers of the same bytes do no harm. */
  writeAt(
    project: ProjectId | undefined,
    name: string,
    at: number,
    bytes: string | Uint8Array,
  ): Promise<void>;
  /** Every file below the folder, named relative to it, sorted. A folder that is not there is empty. */
  list(project: ProjectId | undefined, folder: string): Promise<string[]>;
  remove(project: ProjectId | undefined, name: string): Promise<void>;
}

/** Where a project's `memory/` files are: in the archive, or in the project's own `.claude/memory/`. */
export type MemoryPlace = {
  kind: 'archive' | 'project';
  folder: string;
  /** The project's folder, if it was once opted in. */
  asked?: string;
  /** Why the project's folder is not used although it was requested: a sentence. */
  trouble?: string;
  /** A move was interrupted; repeating it finishes it. */
  unfinished?: 'in' | 'out';
};

/** The files in a project's `.claude/memory/`, by any author. */
export type FoundMemory = {
  folder: string;
  files: string[];
  /** Over the names and contents of all files; changes with any of them. */
  hash: string;
  /** Made by this archive for this project. */
  ours: boolean;
  /** Why it cannot be used: a sentence. */
  trouble?: string;
};

export type MovedMemory = {
  place: MemoryPlace;
  moved: number;
  bytes: number;
  /** Existing files that were left in place: ours are kept under these names in the project's folder. */
  aside: string[];
};

/** Moves a project's `memory/` files. Each move can be interrupted anywhere and repeated. */
export interface MemoryPlaces {
  where(project: ProjectId): MemoryPlace;
  /** Reads only. `root` is the project's own folder. */
  inspect(project: ProjectId, root: string): Promise<FoundMemory>;
  /** Into `<root>/.claude/memory/`. A folder that others made is used only if its hash is given, which shows that it was reviewed. */
  enter(project: ProjectId, root: string, approved?: string): Promise<MovedMemory>;
  /** Back into the archive. */
  leave(project: ProjectId): Promise<MovedMemory>;
}

/** What a search for purged texts found or overwrote. */
export type Wiped = {
  files: {
    path: string;
    matches: number;
    /** Byte offset of the first match in the file. */
    first?: number;
    /** Its name contains the text. */
    named?: true;
  }[];
  looked: { files: number; bytes: number };
};
/** How far a search is, in bytes. */
export type SearchedBytes = { done: number; total: number };

export type Finding = { level: 'ok' | 'warning' | 'error'; subject: string; message: string; hint?: string };
/** Of a session's original that is gone. */
export type ArchiveFinding = Finding & { lostOriginal?: true };

export type WipeRequest = {
  overwrite: boolean;
  /** Absolute paths of files and folders; without it the archive itself. */
  only?: string[];
  /** Stops a search between two files; overwriting runs to its end. */
  signal?: AbortSignal | undefined;
  /** Called at each further percent of a search. */
  onLooked?: ((looked: SearchedBytes) => void) | undefined;
};

/** A place where the second check found a text, or a part of it. */
export type SecondSearch = {
  files: { path: string; what: Needle['what']; matches: number }[];
  looked: { files: number; bytes: number };
};

/** The file that lists what is not recorded. */
export interface UnrecordedFile {
  read(): Promise<Unrecorded>;
  /** Under the lock, based on the current contents; writes nothing if nothing changes. */
  change(work: (now: Unrecorded) => Unrecorded): Promise<void>;
}

/** The archive: its files are the truth. It does not know the index. */
export interface Archive {
  readonly root: string;
  readonly originals: Originals;
  readonly files: Files;
  readonly places: MemoryPlaces;
  readonly unrecorded: UnrecordedFile;
  /** A random id of this archive that identifies its edits; `fresh` creates it. */
  device(fresh: () => string): Promise<string>;
  projects(): Promise<ProjectId[]>;
  /**
   * By project, what its record looks like from outside, with hardly a read: as long as that is the same, so is the
   * record. Empty where only reading it shows whether there is such a project.
   */
  stamps(): Promise<Map<ProjectId, string>>;
  /** Size and time of the list of projects: while they are the same, so is the list. Empty if that is uncertain. */
  listStamp(): Promise<string>;
  head(project: ProjectId): Promise<ProjectHead | undefined>;
  /** Recovers if needed: bad checksum, torn log, missing manifest. Undefined: no such project. */
  open(project: ProjectId, since?: Opened): Promise<Opened | undefined>;
  /** For each text, whether a project's record may contain its bytes: costs a hundredth of opening it. False is certain. */
  mayHold(project: ProjectId, texts: readonly string[]): Promise<boolean[]>;
  /**
   * Under the lock: appends the changes to manifest.log and the events to history.jsonl, folds when the log is long.
   * Acknowledged means on the disk. Does not read the whole manifest unless it folds, or a guarded change may be left out:
   * then the events of its session are, too, and `purged` names it.
   */
  change(
    project: ProjectId,
    changes: Change[],
    events?: HistoryEvent[],
  ): Promise<{ gen: number; purged?: string[] }>;
  /** Like `change`, with changes computed from the manifest under the lock, then events; none if there is nothing to change. */
  changeFrom(
    project: ProjectId,
    make: (now: Manifest) => Change[],
    events?: () => HistoryEvent[],
  ): Promise<void>;
  /** Folds the log into manifest.json and keeps the previous one; with `forget`, no older copy or log stays. */
  fold(project: ProjectId, options?: { forget: true }): Promise<void>;
  history(project: ProjectId): Promise<HistoryEvent[]>;
  /** Removes a whole project folder, and what was made in the project's own `.claude/memory/`. */
  removeProject(project: ProjectId): Promise<void>;
  /** Deletes temp files of killed processes: those older than an hour, or the named ones at any age. Returns their names. */
  sweep(only?: ReadonlySet<string>): Promise<string[]>;
  /**
   * Looks for purged texts in every file of the archive but its manifests, lock and index, or only in these files and
   * folders; with `overwrite` each match is overwritten in its place, where nothing else keeps its own copy of it.
   */
  wipe(texts: PurgedText[], request: WipeRequest): Promise<Wiped>;
  /** A text without what was purged after the archive was opened here, which who read it before must not record; else the same. */
  withoutPurged(text: string, form: 'json' | 'plain'): Promise<string>;
  /** Searches for texts in another way than `wipe`: in the decoded text of every file of the archive and of `more` folders. */
  lookAgain(needles: Needle[], more: string[], signal?: AbortSignal): Promise<SecondSearch>;
  /** Checksums, logs, names, permissions of the archive's own files. */
  inspect(): Promise<ArchiveFinding[]>;
  /** Runs `work` while no other process writes to the archive. Not for work that changes the archive through this port. */
  exclusive<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Runs `work` while no other purge does, in any process. Others may write meanwhile, and `work` through this port. Not to be
   * nested. Where another purge is at work, `onBusy` says whether to wait for its end; undefined if it did not. `signal` ends
   * the wait, not the work.
   */
  purging<T>(
    work: () => Promise<T>,
    onBusy: () => 'wait' | 'leave',
    signal?: AbortSignal | undefined,
  ): Promise<T | undefined>;
  close(): Promise<void>;
}
