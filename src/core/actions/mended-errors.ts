import { endingOf, type L1Line } from '../model/l1.ts';
import { commandSegments } from './command-segments.ts';
import { formErrorOf } from './form-error.ts';

/** An edit that was made between a failure and the run that passed, with its first changed lines. */
export type MendingEdit = { file: string; lines: string };
/** An error that was gone after edits: the same command, or a wider run of it, passed then. */
export type MendedError = {
  /** What went wrong, as each line of the output that names it is known again. */
  errors: string[];
  failed: string;
  edits: MendingEdit[];
  /** Commands in between that change files: formatters, installs. */
  ran: string[];
  /** Files that were changed besides. */
  more: number;
  ts: string;
};

/** How runs are compared. */
export type RunReader = {
  /** Every line of an output that says what went wrong, as it is known again. */
  errorsOf: (result: string) => string[];
  /** A command as it is compared; `masked`: that it passed is not known. */
  commandOf: (command: string) => { name: string; masked: boolean };
  /** Whether it is a test, a build, a check, a program. */
  doesWork: (name: string) => boolean;
};

/** A failure that waits for the run that passes. */
type Failure = Pick<MendedError, 'errors' | 'failed' | 'ts' | 'ran'> & {
  result: string;
  command: string;
  edits: MendingEdit[];
};

const MOST_FILES = 3;
/** From this number of files on, none of them named by the error, it is unknown which one fixed it. */
const TOO_MANY = 4;
const MOST_RAN = 2;
const LONGEST = 180;
const LONGEST_LINE = 110;
const LINES = 4;
/** The length of a truncated name that is enough to recognize it. */
const LEAST_HEAD = 30;
const CHANGES_FILES = new Set(['Edit', 'MultiEdit', 'Write', 'NotebookEdit']);
const CHANGES =
  /\b(?:fmt|format|tidy|generate|install|codegen)\b|\s(?:--fix|--write|-w)\b|^sed -i|prettier\b/;
/** An error of the network, a lock or an interrupted run goes away without a fix. */
const PASSING =
  /timed? ?out|timeout|connection|network|could not resolve|temporarily|interrupt|\bkilled\b|\bsig(?:kill|term|int|abrt|hup|pipe|segv)\b/i;

/** Errors of a session that edits mended: gone when the same command ran again and passed. */
export function mendedErrors(
  lines: readonly L1Line[],
  { errorsOf, commandOf, doesWork }: RunReader,
): MendedError[] {
  const found: MendedError[] = [];
  let waiting: Failure[] = [];
  for (const line of lines) {
    if (CHANGES_FILES.has(line.name ?? '') && line.result === undefined) noteEdit(waiting, line);
    if (line.name !== 'Bash' || !line.target) continue;
    const { name, masked } = commandOf(line.target);
    if (line.result === undefined) {
      const passed = masked ? [] : waiting.filter(({ command }) => isSameRun(command, name));
      found.push(...passed.flatMap(mendedBy));
      waiting = waiting.filter((it) => !passed.includes(it));
      if (CHANGES.test(name) && doesWork(name))
        for (const { ran } of waiting) if (!ran.includes(name)) ran.push(name);
    } else if (endingOf(line.result) === 'failed' && doesWork(name)) {
      const errors = errorsOf(line.result).filter((error) => !PASSING.test(error) && saysWhat(error));
      // Earlier attempts did not help.
      waiting = waiting.filter((it) => !isSameRun(it.command, name) || !isAgain(it, errors));
      if (errors.length > 0 && !formErrorOf(line.target, line.result))
        waiting.push(failureOf(line, name, errors));
    }
  }
  return found;
}

function failureOf({ target = '', result = '', ts }: L1Line, command: string, errors: string[]): Failure {
  return { errors, failed: cut(target, LONGEST), result, command, edits: [], ran: [], ts };
}

/** `Error:` alone is every error. */
function saysWhat(error: string): boolean {
  return (error.match(/[A-Za-z_]{3,}/g) ?? []).length > 1;
}

function isAgain(failure: Failure, errors: string[]): boolean {
  return failure.edits.length === 0 || failure.errors.some((error) => errors.includes(error));
}

/** The same command, or one that runs all of it: fewer words of the same program choose less. */
function isSameRun(failed: string, other: string): boolean {
  if (failed === other) return true;
  const [a] = commandSegments(failed);
  const own = commandSegments(other);
  return own.some(
    (b) =>
      a !== undefined &&
      a.program === b.program &&
      b.words.length > 1 &&
      b.words[1] === a.words[1] &&
      b.words.every((word) => a.words.includes(word) || word === './...'),
  );
}

function noteEdit(waiting: readonly Failure[], { target = '', diff = '', lines = '' }: L1Line): void {
  if (target === '') return;
  const sides = diff.split('\n');
  const isMoved = (it: string) => sides.includes(`${it.startsWith('-') ? '+' : '-'}${it.slice(1)}`);
  const changed = sides.filter((it) => it.length > 1 && !isMoved(it));
  const removed = changed.filter((it) => it.startsWith('-')).slice(0, LINES / 2);
  const added = changed.filter((it) => it.startsWith('+')).slice(0, LINES - removed.length);
  const shown = [...removed, ...added].map((it) => cut(it, LONGEST_LINE)).join('\n');
  const edit = { file: target, lines: shown || (lines === '' ? '' : `lines ${lines} written`) };
  for (const { edits } of waiting) edits.push(edit);
}

/** Edits of files that the error names come first; none if too many other files changed to be sure. */
function mendedBy({ errors, failed, result, edits, ran, ts }: Failure): MendedError[] {
  const names = new Set((result.match(/[\w.-]*\w/g) ?? []).map(stemOf));
  const isNamed = ({ file }: MendingEdit) => names.has(stemOf(file));
  const byFile = Map.groupBy(edits, ({ file }) => file);
  const last = [...byFile.values()].map((own) => mostAbout(own, result));
  const named = last.filter(isNamed);
  if (last.length === 0 && ran.length === 0) return [];
  if (named.length === 0 && last.length >= TOO_MANY) return [];
  const shown = [...named, ...last.filter((it) => !isNamed(it))].slice(0, MOST_FILES);
  const more = last.length - shown.length;
  return [{ errors, failed, edits: shown, ran: ran.slice(-MOST_RAN), more, ts }];
}

/** Of several edits of a file the one with most words of the error, and the last of those: the file ended with it. */
function mostAbout(edits: readonly MendingEdit[], result: string): MendingEdit {
  const words = wordsOf(result);
  const about = ({ lines }: MendingEdit) =>
    lines === '' ? -1 : [...wordsOf(lines)].filter((word) => words.has(word)).length;
  return edits.reduce((best, one) => (about(one) >= about(best) ? one : best));
}

function wordsOf(text: string): Set<string> {
  return new Set(text.match(/[A-Za-z_]\w{3,}/g) ?? []);
}

/** `parse` of `src/parse.test.ts` and of `src/parse_test.go`: an error of a test is of what it tests. */
function stemOf(file: string): string {
  const base = file.split(/[\\/]/).at(-1) ?? file;
  return base.replace(/(?:[._-](?:test|spec))?\.\w+$/, '');
}

/** What was changed, as it is quoted. */
export function mendText({ failed, edits, ran, more }: Omit<MendedError, 'errors' | 'ts'>): string {
  const files = edits.map(({ file, lines }) =>
    lines === '' ? `edited: ${file}` : `edited: ${file}\n${lines.replace(/^/gm, '  ')}`,
  );
  return [
    `failed: ${failed}`,
    ...files,
    ...(more > 0 ? [`edited: ${more} more ${more === 1 ? 'file' : 'files'}`] : []),
    ...ran.map((command) => `ran: ${cut(command, LONGEST_LINE)}`),
    'passed then: the same command',
  ].join('\n');
}

function cut(text: string, longest: number): string {
  const plain = text.replace(/\s+/g, ' ').trim();
  return plain.length <= longest ? plain : `${plain.slice(0, longest - 1)}…`;
}

/** Whether two names are of one error: what is stored may have been cut. */
export function isSameError(stored: string, asked: string): boolean {
  if (stored === asked) return true;
  const [head, cutOff] = stored.split('…');
  return cutOff !== undefined && head!.length >= LEAST_HEAD && asked.startsWith(head!);
}
