import { type ActionNote, type CommandNotes, type FileNote, type FileNotes, SEVERAL } from './action-note.ts';
import { errorKernel, isVariant } from './error-lessons.ts';
import { hasForm } from './form-error.ts';

/** A command that is about to run, and the name of the error that the one before it ended with, if it did. */
export type PendingCommand = { command: string; error: string };
/** An edit that is about to be made: the texts that it replaces, and what it puts in their place. */
export type PendingEdit = { file: string; edits: { before: string; after: string }[] };
type IsSaid = (key: string) => boolean;

/** What earlier sessions have to say to a command; what was said before is not said again. */
export function noteForCommand(
  notes: CommandNotes,
  call: PendingCommand,
  isSaid: IsSaid,
): ActionNote | undefined {
  const after = errorNote(notes, call);
  if (after && !isSaid(after.key)) return after;
  return notes.commands.find((note) => hasForm(call.command, note) && !isSaid(note.key));
}

/** The same error as then, and about the same command again, but not the one that passed. */
function errorNote({ errors }: CommandNotes, { command, error }: PendingCommand): ActionNote | undefined {
  const kernel = error === '' ? '' : errorKernel(error);
  const note = Object.hasOwn(errors, kernel) ? errors[kernel]! : undefined;
  if (!note || command === note.worked) return undefined;
  return command === note.failed || isVariant(note.failed, command) ? note : undefined;
}

/** The note of the file that most names of the changed lines speak for. */
export function noteForEdit(
  files: FileNotes,
  { file, edits }: PendingEdit,
  isSaid: IsSaid,
): FileNote | undefined {
  const base = file.split(/[\\/]/).at(-1) ?? '';
  const notes = Object.hasOwn(files, base) ? files[base]! : [];
  if (notes.length === 0) return undefined;
  const words = new Set(
    changedText(edits)
      .match(/-{0,2}[\w$][\w$.:@-]*/g)
      ?.flatMap(parts) ?? [],
  );
  let best: FileNote | undefined;
  let most = 0;
  for (const note of notes) {
    const about = note.about.filter((name) => words.has(name)).length;
    const all = note.names.filter((name) => words.has(name)).length;
    if ((about === 0 && all < SEVERAL) || about + all <= most || isSaid(note.key)) continue;
    [best, most] = [note, about + all];
  }
  return best;
}

/** A dotted word is known by its parts, too: `id.CheckpointID`. */
function parts(word: string): string[] {
  const plain = word.replace(/[.:@-]+$/, '');
  return [plain, ...(/[.:]/.test(plain) ? plain.split(/[.:]+/) : [])];
}

function changedText(edits: PendingEdit['edits']): string {
  return edits
    .flatMap(({ before, after }) => {
      const [old, now] = [linesOf(before), linesOf(after)];
      const [known, kept] = [new Set(old), new Set(now)];
      return [...old.filter((line) => !kept.has(line)), ...now.filter((line) => !known.has(line))];
    })
    .join('\n');
}

function linesOf(text: string): string[] {
  return text.split('\n').map((line) => line.trim());
}
