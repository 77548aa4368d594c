import type { ToolCallEntry } from '../../model/entry.ts';
import type { L1Line } from '../../model/l1.ts';
import { asJson } from '../../text/as-json.ts';

const LONGEST_TARGET = 120;
const LONGEST_COMMAND = 400;
/** Of each side. */
const DIFF_LINES = 3;
const LONGEST_DIFF_LINE = 160;
/** Commit messages, PR titles and branch names are memory: such commands are kept whole up to here. */
const LONGEST_KEPT_COMMAND = 4000;
const NAMES_THINGS =
  /\bgit\s+(?:commit|tag|merge|checkout\s+-[bB]|switch\s+-[cC]|branch\s+\S)|\bgh\s+(?:pr|issue|release)\s+(?:create|edit|comment|merge)/;
const LONGEST_RESULT = 160;
const RESULT_LINES = 3;

export type ToolLine = Pick<L1Line, 'target' | 'lines' | 'diff' | 'text'>;

/** Takes secrets out. Applied before anything is cut: half a secret has no shape by which it could be known. */
type Clean = (text: string) => string;

/** What one line says of a tool call. Paths are relative to `cwd`. */
export function describeCall(call: ToolCallEntry, cwd: string | undefined, clean: Clean): ToolLine {
  const { input } = call;
  const cleaned = (value: unknown) => clean(string(value));
  const path = relative(cleaned(input.file_path) || cleaned(input.notebook_path), cwd);
  const target = (text: string) => clip(clean(text), LONGEST_TARGET);
  switch (call.name) {
    case 'Read':
    case 'NotebookRead':
      return withoutEmpty({ target: path, lines: readLines(input) });
    case 'Edit':
      return withoutEmpty({
        target: path,
        diff: shortDiff(cleaned(input.old_string), cleaned(input.new_string)),
      });
    case 'MultiEdit': {
      const edits = Array.isArray(input.edits) ? input.edits : [];
      const first = (edits[0] ?? {}) as Record<string, unknown>;
      const diff = shortDiff(cleaned(first.old_string), cleaned(first.new_string));
      return withoutEmpty({ target: path, lines: `${edits.length} edits`, diff });
    }
    case 'Write':
      return withoutEmpty({ target: path, lines: `1-${countLines(string(input.content))}` });
    case 'NotebookEdit':
      return withoutEmpty({ target: path, diff: shortDiff('', cleaned(input.new_source)) });
    case 'Bash':
      return withoutEmpty({ target: shortCommand(cleaned(input.command), cwd) });
    case 'Grep':
    case 'Glob': {
      const place = relative(string(input.path), cwd) || string(input.glob);
      return withoutEmpty({ target: target(joined(string(input.pattern), place)) });
    }
    case 'ExitPlanMode':
      return withoutEmpty({ text: cleaned(input.plan) });
    case 'TodoWrite':
      return withoutEmpty({ target: target(todos(input.todos)) });
    default:
      if (!call.settled) return withoutEmpty({ target: target(anyTarget(input, cwd)) });
      return withoutEmpty({
        target: cleaned(input.target),
        lines: cleaned(input.lines),
        diff: cleaned(input.diff),
      });
  }
}

/** Whether a line is of a call that changes the file that it names. */
export function isFileEdit({ role, name }: Pick<L1Line, 'role' | 'name'>): boolean {
  return role === 'tool' && /^(?:Edit|MultiEdit|Write|NotebookEdit)$/.test(name ?? '');
}

/** The first lines of an error, short. */
export function shortError(text: string, clean: Clean): string {
  const body = clean(text)
    .replace(/<\/?tool_use_error>/g, '')
    .trim();
  const lines = body.split('\n', 12).filter((line) => line.trim() !== '');
  return clip(lines.slice(0, RESULT_LINES).join('\n'), LONGEST_RESULT) || 'error';
}

/** What a client writes before the output of a command that failed. */
export function exitStatus(text: string): number | undefined {
  const status = /^(?:Error: )?(?:Exit code|Process exited with code) (\d{1,3})\b/.exec(text)?.[1];
  return status === undefined ? undefined : Number(status);
}

function shortCommand(command: string, cwd: string | undefined): string {
  const plain = (cwd ? command.replaceAll(`${cwd}/`, '').replaceAll(`cd ${cwd} && `, '') : command).trim();
  return NAMES_THINGS.test(plain) ? clip(plain, LONGEST_KEPT_COMMAND) : clip(oneLine(plain), LONGEST_COMMAND);
}

function readLines(input: Record<string, unknown>): string {
  const from = typeof input.offset === 'number' ? input.offset : undefined;
  const count = typeof input.limit === 'number' ? input.limit : undefined;
  if (from === undefined && count === undefined) return '';
  const start = from ?? 1;
  return count === undefined ? `${start}-` : `${start}-${start + count - 1}`;
}

/** The first lines on either side that differ. */
function shortDiff(before: string, after: string): string {
  const [old, now] = [before.split('\n'), after.split('\n')];
  let at = 0;
  while (at < old.length && at < now.length && old[at] === now[at]) at++;
  let tail = 0;
  while (tail < Math.min(old.length, now.length) - at && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  return [
    ...side('-', old.slice(at, old.length - tail)),
    ...side('+', now.slice(at, now.length - tail)),
  ].join('\n');
}

function side(sign: string, lines: string[]): string[] {
  return lines
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .slice(0, DIFF_LINES)
    .map((line) => sign + clip(line, LONGEST_DIFF_LINE));
}

function todos(value: unknown): string {
  if (!Array.isArray(value)) return '';
  const current = value.find((todo) => todo?.status === 'in_progress');
  return `${value.length} todos${current ? `: ${string(current.content)}` : ''}`;
}

/** For an unknown tool: the field that most likely describes the call. */
function anyTarget(input: Record<string, unknown>, cwd: string | undefined): string {
  const fields = [
    'description',
    'subject',
    'title',
    'query',
    'url',
    'skill',
    'command',
    'file_path',
    'path',
    'pattern',
    'name',
    'id',
    'task_id',
    'taskId',
  ];
  for (const field of fields) {
    const value = string(input[field]);
    if (value !== '') return joined(relative(oneLine(value), cwd), string(input.status));
  }
  if (Array.isArray(input.questions)) {
    return input.questions.map((asked) => string((asked as Record<string, unknown>)?.question)).join(' / ');
  }
  const rest = asJson(input);
  return rest === '{}' ? '' : rest;
}

export function relative(path: string, cwd: string | undefined): string {
  if (!cwd || !path.startsWith(cwd)) return path;
  if (path.length === cwd.length) return '.';
  return path[cwd.length] === '/' || path[cwd.length] === '\\' ? path.slice(cwd.length + 1) : path;
}

/** Cut at a character, never inside one. */
function clip(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const last = text.charCodeAt(longest - 2);
  const end = last >= 0xd800 && last <= 0xdbff ? longest - 2 : longest - 1;
  return `${text.slice(0, end)}…`;
}

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ');
}

function joined(...parts: string[]): string {
  return parts.filter(Boolean).join(' ');
}

function countLines(text: string): number {
  return text === '' ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}

function string(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function withoutEmpty(line: Record<string, string>): ToolLine {
  for (const key in line) if (line[key] === '') delete line[key];
  return line;
}
