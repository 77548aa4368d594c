import { endingOf, type L1Line } from '../model/l1.ts';
import { commandSegments } from './command-segments.ts';
import { formErrorOf } from './form-error.ts';

/** An error, and the command that passed instead of the one that got it. */
export type ErrorLesson = { error: string; failed: string; worked: string; ts: string };

/** How an error is known again; empty if it says too little. */
export type NameError = (result: string) => string;

/** Runs of commands after a failure among which the one that passed is looked for. */
const NEXT = 5;
const LONGEST = 180;
/** Words that both commands have, of all that they have. */
const ALIKE = 0.4;
const CHANGES_FILES = new Set(['Edit', 'MultiEdit', 'Write', 'NotebookEdit']);
/** How things are at the moment, which another command does not mend. */
const STATE =
  /no such file|cannot access|conflict|merging|pending|skipping|^diff in|fail(?:ed|ing|ure)?\b.*\btests?\b|\btests?\b.*fail|not enough arguments|undefined:|does not exist|already exists|sibling tool/i;
const LEAST_WORDS = 4;

/** Errors after which a variant of the same command passed, with no file changed in between. */
export function errorLessons(lines: L1Line[], nameOf: NameError): ErrorLesson[] {
  const found: ErrorLesson[] = [];
  lines.forEach((line, at) => {
    const { name, target, result } = line;
    if (name !== 'Bash' || !target || result === undefined || endingOf(result) !== 'failed') return;
    const error = nameOf(result);
    // How a program is called is a lesson of its own.
    if (error === '' || STATE.test(error) || formErrorOf(target, result)) return;
    const worked = variantAfter(lines, at, target);
    if (worked !== undefined) found.push({ error, failed: cut(target), worked: cut(worked), ts: line.ts });
  });
  return found;
}

/** The error without what is only so in this run: files, places, quoted names. */
export function errorKernel(name: string): string {
  const kernel = name
    .replace(/[\w./~-]+\.\w{1,4}(?::#)*/g, '')
    .replace(/[`'"‘“][^`'"’”]*[`'"’”]/g, '_')
    .replace(/\s+/g, ' ')
    .trim();
  return (kernel.match(/[A-Za-z]{3,}/g) ?? []).length < LEAST_WORDS ? '' : kernel.slice(0, 80);
}

function variantAfter(lines: L1Line[], at: number, failed: string): string | undefined {
  let left = NEXT;
  for (const line of lines.slice(at + 1)) {
    if (CHANGES_FILES.has(line.name ?? '') || left === 0) return undefined;
    if (line.name !== 'Bash' || !line.target) continue;
    left--;
    if (line.result === undefined && isVariant(failed, line.target)) return line.target;
  }
  return undefined;
}

/** The same program with about the same words, but not the same. */
export function isVariant(failed: string, other: string): boolean {
  const words = (command: string) => new Set(commandSegments(command).flatMap((it) => it.words));
  const programs = (command: string) => commandSegments(command).map(({ program }) => program);
  if (!programs(failed).some((program) => programs(other).includes(program))) return false;
  const [a, b] = [words(failed), words(other)];
  const both = [...a].filter((word) => b.has(word)).length;
  return failed !== other && both / new Set([...a, ...b]).size >= ALIKE;
}

function cut(command: string): string {
  const plain = command.replace(/\s+/g, ' ').trim();
  return plain.length <= LONGEST ? plain : `${plain.slice(0, LONGEST - 1)}…`;
}
