import type { SessionStatement } from '../model/statement.ts';
import { codeNames, fileNames } from '../text/code-names.ts';
import { estimateTokens } from '../text/estimate-tokens.ts';
import {
  ACTION_TOKENS,
  type ActionLookup,
  type CommandNote,
  type ErrorNote,
  type FileNotes,
  SEVERAL,
} from './action-note.ts';
import { type CommandLesson, type CommandLessons, isOverturned } from './command-lessons.ts';
import { type ErrorLesson, errorKernel } from './error-lessons.ts';
import type { MendedError } from './mended-errors.ts';

/** What one session knows that may help at the point of action. */
export type SessionActions = CommandLessons & {
  sessionId: string;
  errors: ErrorLesson[];
  /** Not in what an older version stored. */
  mended?: MendedError[];
};

/** A statement that is still true, and the files that its exchange changed. */
export type StatedOfFiles = { sessionId: string; statement: SessionStatement; changed: string[] };

/** A name in more statements than this says little of which of them fits. */
const RARE = 3;
const MOST_FILE_NOTES = 400;
const MOST_COMMANDS = 60;
const MOST_ERRORS = 60;

/** Small: a hook reads it before every edit and command. */
export function actionLookup(sessions: SessionActions[], stated: StatedOfFiles[]): ActionLookup {
  return { commands: commandNotes(sessions), files: fileNotes(stated), errors: errorNotes(sessions) };
}

function commandNotes(sessions: SessionActions[]): CommandNote[] {
  const passed = sessions.flatMap((it) => it.passed);
  const notes = new Map<string, CommandNote>();
  const worked = new Set<string>();
  const lessons = sessions
    .flatMap(({ sessionId, lessons }) => lessons.map((lesson) => ({ sessionId, lesson })))
    .sort((a, b) => (a.lesson.ts < b.lesson.ts ? -1 : 1));
  for (const { sessionId, lesson } of lessons) {
    const { kind, program, subcommand, word } = lesson;
    const key = `c ${program} ${subcommand} ${word}`;
    // A form that worked is worth more than the newest failure.
    if (isOverturned(lesson, passed) || (worked.has(key) && lesson.worked === undefined)) continue;
    if (lesson.worked !== undefined) worked.add(key);
    notes.delete(key);
    const text = within(commandText(lesson), sessionId, lesson.ts);
    notes.set(key, { key, kind, program, subcommand, word, text, session: sessionId });
  }
  return [...notes.values()].slice(-MOST_COMMANDS);
}

function commandText({ kind, program, error, worked }: CommandLesson): string {
  const failed = kind === 'missing' ? `\`${program}\` was not found here` : `this failed here: ${error}`;
  return worked === undefined ? failed : `${failed}; what worked: \`${worked}\``;
}

function errorNotes(sessions: SessionActions[]): Record<string, ErrorNote> {
  const notes = new Map<string, ErrorNote & { ts: string }>();
  for (const { sessionId, errors } of sessions) {
    for (const { error, failed, worked, ts } of errors) {
      const kernel = errorKernel(error);
      if (kernel === '' || (notes.get(kernel)?.ts ?? '') > ts) continue;
      const text = within(
        `\`${failed}\` got this error, too; what passed then: \`${worked}\``,
        sessionId,
        ts,
      );
      notes.set(kernel, { key: `e ${kernel}`, text, session: sessionId, ts, failed, worked });
    }
  }
  return Object.fromEntries(
    [...notes].slice(-MOST_ERRORS).map(([kernel, { ts: _, ...note }]) => [kernel, note]),
  );
}

function fileNotes(stated: StatedOfFiles[]): FileNotes {
  const many = new Map<string, number>();
  for (const { statement } of stated)
    for (const name of codeNames(statement.text)) many.set(name, (many.get(name) ?? 0) + 1);
  const files: FileNotes = Object.create(null);
  const newest = stated
    .filter(({ statement }) => isLasting(statement))
    .sort((a, b) => (a.statement.ts < b.statement.ts ? 1 : -1));
  let left = MOST_FILE_NOTES;
  for (const { sessionId, statement, changed } of newest) {
    const of = new Set([...fileNames(statement.text), ...changed.map(baseName)]);
    const stems = new Set([...of].map((file) => file.replace(/\.\w+$/, '')));
    const names = codeNames(statement.text).filter((name) => !stems.has(name));
    const head = headOf(statement.text);
    const about = names.filter((name) => many.get(name)! <= RARE && head.includes(name));
    if (about.length === 0 && names.length < SEVERAL) continue;
    const text = within(statement.text, sessionId, statement.ts);
    for (const file of of) {
      if (left-- <= 0) return files;
      files[file] = [...(files[file] ?? []), { key: statement.id, text, session: sessionId, about, names }];
    }
  }
  return files;
}

/** What it is about: the user's own words, or the first line of a commit; behind it comes what was done. */
function headOf(text: string): string {
  return text.split(/ -> | — /)[0]!;
}

/** What the user decided, what was committed or written down, and lessons; not what an agent said it had done. */
function isLasting({ author, foundBy, tier, kind }: SessionStatement): boolean {
  if (kind === 'open') return false;
  if (foundBy === 'commit' || foundBy === 'memory-file') return true;
  if (author === 'user') return tier === 'shown';
  return kind === 'lesson' || kind === 'solution';
}

/** With where it is from, inside the budget. */
function within(text: string, session: string, ts: string): string {
  const frame = (words: string) =>
    `Keepsake, from session ${session.slice(0, 8)} of ${ts.slice(0, 10)}, a record and no request:\n> ${words}`;
  let words = text.replace(/\s+/g, ' ').trim();
  while (estimateTokens(frame(words)) > ACTION_TOKENS)
    words = `${words.slice(0, Math.floor(words.length * 0.93)).replace(/\s+\S*$/, '')}…`;
  return frame(words);
}

function baseName(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
}
