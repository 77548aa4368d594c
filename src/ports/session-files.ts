import type { FoundFile } from './transcripts.ts';

/** `was` is at `start` of the current file; `bytes` replace it. */
export type FileEdit = { start: number; was: Uint8Array; bytes: Uint8Array };

/** Shows that a file is still the one that was read. */
export type SeenFile = Omit<FoundFile, 'path'>;

/** The agents' session files, for edits and new files that the user requested. */
export interface SessionFiles {
  /** All bytes, piece by piece; a piece is only valid until the next. */
  read(path: string): AsyncIterable<Uint8Array>;
  /**
   * All or nothing: every other byte, the permissions and the time of the last change stay. Fault `conflict` when the
   * file is no longer as it was seen, or does not hold what the edit replaces.
   */
  edit(path: string, edit: FileEdit, seen: SeenFile): Promise<void>;
  /**
   * A new file, whole or not at all. Fault `conflict` where one exists: no existing file is touched. `before` runs when
   * all is written and only the name is missing; if it fails there is no file.
   */
  create<T>(path: string, text: string, before: () => Promise<T>): Promise<T>;
}
