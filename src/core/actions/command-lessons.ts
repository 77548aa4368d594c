import { endingOf, type L1Line } from '../model/l1.ts';
import { type CommandSegment, commandSegments, subcommandOf } from './command-segments.ts';
import { type FormError, formErrorOf, hasForm } from './form-error.ts';

/** A form that failed, and the one that worked instead. */
export type CommandLesson = FormError & {
  /** The line of the error that shows it. */
  error: string;
  worked?: string;
  ts: string;
};

/** What a session's commands teach of how to call programs here. */
export type CommandLessons = {
  lessons: CommandLesson[];
  /** Programs whose exit status is reliable, with their arguments. */
  passed: { ts: string; segments: CommandSegment[] }[];
};

const LONGEST = 180;

/** The form errors of a session, each with the first form after it that passed. */
export function commandLessons(lines: L1Line[]): CommandLessons {
  const runs = lines.filter((line) => line.name === 'Bash' && line.target);
  const lessons: CommandLesson[] = [];
  const passed: CommandLessons['passed'] = [];
  runs.forEach(({ target = '', result, ts }, at) => {
    if (result === undefined) {
      const segments = certainSegments(target);
      if (segments.length > 0) passed.push({ ts, segments });
      return;
    }
    const form = endingOf(result) === 'failed' ? formErrorOf(target, result) : undefined;
    if (!form) return;
    const later = runs.slice(at + 1).filter((it) => it.result === undefined);
    const worked = later.map((it) => formThatWorked(it.target!, form)).find((it) => it !== undefined);
    // Where nothing else worked only a missing program is worth knowing of.
    if (worked === undefined && form.kind !== 'missing') return;
    lessons.push({
      ...form,
      error: errorLine(result, form),
      ts,
      ...(worked === undefined ? {} : { worked }),
    });
  });
  return { lessons, passed };
}

/** Whether a form that failed passed later anyway. */
export function isOverturned(
  lesson: CommandLesson,
  passed: readonly CommandLessons['passed'][number][],
): boolean {
  // A program that is there at times is not missing; what worked instead is still worth knowing.
  const everOnly = lesson.worked === undefined;
  return passed.some(
    ({ ts, segments }) =>
      (everOnly || ts > lesson.ts) && segments.some((it) => hasForm(it.words.join(' '), lesson)),
  );
}

/** Those whose failure would have been seen: not in the middle of a pipe, nor before `||` or `;`. */
function certainSegments(command: string): CommandSegment[] {
  if (/\|\||;|<<|&\s*$/.test(command) || /\bPATH=/.test(command)) return [];
  return command.split('&&').flatMap((part) => commandSegments(part).slice(-1));
}

/** The part of a command that does the same without what failed. */
function formThatWorked(command: string, form: FormError): string | undefined {
  if (form.kind === 'missing' && /\bPATH=/.test(command)) {
    const uses = commandSegments(command).some(({ program }) => program === form.program);
    return uses && !command.includes('|') ? shortened(command) : undefined;
  }
  const part = command.split(/\s*(?:&&|\|\||;|\n)\s*/).find((it) => isInstead(it, form));
  return part === undefined ? undefined : shortened(part);
}

function isInstead(command: string, form: FormError): boolean {
  if (hasForm(command, form)) return false;
  const segments = commandSegments(command);
  if (form.kind === 'missing') return segments.some((segment) => runsAnyway(segment, form.program));
  return segments.some(
    (segment) =>
      segment.program === form.program &&
      (subcommandOf(segment) === form.subcommand || form.word === form.subcommand) &&
      !segment.words.includes('--help'),
  );
}

/** By its path, or behind a program that finds it: `mise x -- hk install`. */
function runsAnyway({ program, words }: CommandSegment, wanted: string): boolean {
  if (program.endsWith(`/${wanted}`)) return words.length > 1;
  if (/^(?:which|command|type|where|whereis|brew|apt|apt-get|grep|rg|find|ls|echo|man)$/.test(program))
    return false;
  const at = words.indexOf(wanted, 1);
  return at > 0 && at < words.length - 1;
}

function shortened(command: string): string {
  const plain = command.replace(/\s+/g, ' ').trim();
  return plain.length <= LONGEST ? plain : `${plain.slice(0, LONGEST - 1)}…`;
}

function errorLine(result: string, { word }: FormError): string {
  const lines = result.split('\n').map((line) => line.trim());
  const line = lines.find((it) => it.includes(word) && !/^Exit code/.test(it)) ?? lines[0] ?? '';
  return line.slice(0, LONGEST);
}
