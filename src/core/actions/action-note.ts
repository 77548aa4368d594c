import type { FormError } from './form-error.ts';

/** The budget of one note. */
export const ACTION_TOKENS = 120;
/** The number of its names in the changed lines from which an edit is about the same. */
export const SEVERAL = 3;

/** A text for one kind of call, known again by its key: it is said once in a session. */
export type ActionNote = { key: string; text: string; session: string };
export type CommandNote = ActionNote & FormError;
/** Said where an edit of the file changes lines with a rare name that it is about, or with several that it has. */
export type FileNote = ActionNote & { about: string[]; names: string[] };
/** Said before the next command that is like the one that failed. */
export type ErrorNote = ActionNote & { failed: string; worked: string };

/** What is said before commands. */
export type CommandNotes = {
  commands: CommandNote[];
  /** By the kernel of the error. */
  errors: Record<string, ErrorNote>;
};
/** What is said before edits, by the name of the file without its folders. */
export type FileNotes = Record<string, FileNote[]>;
/** What earlier sessions say at the point of action. */
export type ActionLookup = CommandNotes & { files: FileNotes };
