import { endingOf } from '../../model/l1.ts';
import { clipAtWord, firstWords } from '../clip-at-word.ts';
import type { Turn } from '../turn.ts';
import { COMPRESS_WEIGHTS, type UnitKind } from '../weights.ts';
import { editDiff } from './edit-diff.ts';
import { type LaterRemoved, replacementsOf } from './later-removed.ts';
import { commitUnits, reportUnits, todoUnits } from './result-units.ts';
import { newUnit, type Unit } from './unit.ts';

/** Lines that are included or left out together: the maximum number of lines, and of characters. */
const CHUNK_LINES = 12;
const CHUNK_CHARACTERS = 400;
/** Removed lines from this many on are separate from those put in their place. */
const LONG_REMOVAL = 3;
/** Fields that the header or the diff shows already. */
const SHOWN = new Set([
  'file_path',
  'notebook_path',
  'old_string',
  'new_string',
  'new_source',
  'edits',
  'content',
  'command',
  'plan',
]);
/** The same thing in other words. */
const REPEATED = new Set(['activeForm']);
const [NOTE_OPENS, NOTE_CLOSES] = ['<system-reminder>', '</system-reminder>'];
const NUMBERED = /^ *\d+(?:→|\t)/;

const READS = new Set(['Read', 'Glob', 'Grep', 'LS', 'NotebookRead']);
const EDITS = new Set(['Edit', 'MultiEdit', 'Write', 'NotebookEdit']);
/** Characters of a command that is included by its result. */
const LONGEST_HEADER = 140;
const TERSE_LINES = 6;
const MOST_TERSE_LINES = 160;

type CallInput = {
  turn: Turn;
  index: number;
  /** Known from its result: what was committed, which lines an edit added and kept. */
  terse?: boolean;
  removed?: LaterRemoved;
  /** Steps of lists that were included before. */
  todos?: Set<string>;
};

/** A call: its header, its error, then what the original says beyond L1, in stretches of lines. */
export function toolUnits(call: CallInput, units: Unit[]): void {
  const { turn, index, terse = false } = call;
  const { line, detail } = turn;
  const header = units.length;
  const name = line.name ?? '';
  const kind = EDITS.has(name) ? 'file' : READS.has(name) ? 'read' : 'header';
  const text = terse && kind === 'header' ? shortHeader(turn) : headerText(turn);
  const isBare = line.result === undefined && text.startsWith('{');
  units.push(newUnit(index, kind, text, isBare ? { cues: new Set(['bare'] as const) } : {}));
  if (line.result !== undefined)
    units.push(newUnit(index, 'error', errorText(line.result), { parent: header }));
  const input = detail?.input ?? {};
  if (terse && line.result === undefined && resultUnits(call, input, units)) return;
  const stream = (kind: UnitKind, lines: string[]) =>
    chunks(lines, { turn: index, kind, parent: header }, units);
  const command = string(input.command);
  if (!terse && command !== '' && line.target?.endsWith('…') && !command.endsWith('…')) {
    units.push(newUnit(index, 'command', command, { parent: header, block: true }));
  }
  if (terse) putInUnits(call, editLines(turn, input), header, units);
  else stream('edit', editLines(turn, input));
  stream('input', inputLines(input, line.target ?? ''));
  stream('output', outputLines(turn));
}

/** The result of a call, if it says everything: a commit, steps of a list, a subagent's report. */
function resultUnits({ turn, index, todos }: CallInput, input: Record<string, unknown>, units: Unit[]) {
  const before = units.length;
  commitUnits(index, string(input.command) || (turn.line.target ?? ''), units);
  if (todos) todoUnits(index, input, todos, units);
  if (turn.line.name === 'Task' || turn.line.name === 'Agent')
    reportUnits(index, withoutNotes(turn.detail?.output ?? ''), units);
  return units.length > before;
}

/** The lines that an edit put in and no later one took out, a few at a time. */
function putInUnits(
  { turn, index, removed }: CallInput,
  lines: string[],
  parent: number,
  units: Unit[],
): void {
  const target = turn.line.target ?? '';
  const isWhole = turn.line.name === 'Write';
  const put = lines
    .filter((line) => isWhole || line.startsWith('+'))
    .map((line) => (isWhole ? line : line.slice(1)).trim())
    .filter((line) => /[\p{L}\p{N}]/u.test(line) && removed?.(target, line, index) !== true)
    .slice(0, MOST_TERSE_LINES);
  const kind = /\.(?:md|mdx|markdown|txt|rst)$/i.test(target) ? 'note' : 'edit';
  for (let start = 0; start < put.length; start += TERSE_LINES) {
    const end = Math.min(put.length, start + TERSE_LINES);
    const text = put.slice(start, end).join('\n');
    const quality = COMPRESS_WEIGHTS.kind[kind] + (start === 0 ? 0 : COMPRESS_WEIGHTS.laterLines);
    units.push(newUnit(index, kind, text, { start, end, total: put.length, parent, quality }));
  }
}

export function headerText({ line }: Turn): string {
  return [clipAtWord(line.target ?? ''), line.lines ?? ''].filter(Boolean).join(' ');
}

/** A command by its first line: what it committed or wrote is included on its own. */
function shortHeader(turn: Turn): string {
  const text = headerText(turn);
  const [first = ''] = text.trim().split('\n', 1);
  const line = firstWords(first, LONGEST_HEADER) || first.slice(0, LONGEST_HEADER);
  return line.length < text.trim().length && !line.endsWith('…') ? `${line} …` : line;
}

/** How a call went wrong, on one line. */
export function errorText(result: string): string {
  const ending = endingOf(result);
  if (ending === 'unanswered') return 'no answer';
  const words = clipAtWord(result)
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .join(' | ');
  return ending === 'refused' ? words : `failed: ${words}`;
}

function editLines({ line }: Turn, input: Record<string, unknown>): string[] {
  const lines = replacementsOf(input).flatMap(({ before, after }) => editDiff(before, after));
  if (lines.length > 0) return lines;
  if (line.name === 'Write' && typeof input.content === 'string') return linesOf(input.content);
  return line.diff === undefined ? [] : line.diff.split('\n').map(clipAtWord);
}

/** Other inputs of a tool: a subagent's task, a question with its options, a list of things to do. */
function inputLines(input: Record<string, unknown>, target: string): string[] {
  return Object.entries(input).flatMap(([field, value]) => {
    if (SHOWN.has(field)) return [];
    const lines = readable(value, 0);
    return lines.length === 1 && (lines[0]!.length < 40 || target.includes(lines[0]!)) ? [] : lines;
  });
}

/** A value as lines to read: an item of a list each on one, the fields of an object side by side. */
function readable(value: unknown, depth: number): string[] {
  if (typeof value === 'string') return linesOf(value);
  if (typeof value !== 'object' || value === null || depth > 8) return [];
  if (Array.isArray(value)) return value.flatMap((item) => readable(item, depth + 1));
  const fields = Object.entries(value).filter(([field]) => !REPEATED.has(field));
  const plain = fields.flatMap(([, own]) => (typeof own === 'string' && !own.includes('\n') ? [own] : []));
  const rest = fields.flatMap(([, own]) =>
    typeof own === 'string' && !own.includes('\n') ? [] : readable(own, depth + 1),
  );
  return [...(plain.length === 0 ? [] : [plain.join(' | ')]), ...rest];
}

/** Without the client's reminders. A regular expression would look for the end of each one that has none. */
function withoutNotes(text: string): string {
  let own = '';
  let from = 0;
  for (let at = text.indexOf(NOTE_OPENS); at !== -1; at = text.indexOf(NOTE_OPENS, from)) {
    const end = text.indexOf(NOTE_CLOSES, at);
    if (end === -1) break;
    own += text.slice(from, at);
    from = end + NOTE_CLOSES.length;
  }
  return own + text.slice(from);
}

function outputLines({ line, detail }: Turn): string[] {
  const lines = linesOf(withoutNotes(detail?.output ?? ''));
  // Line numbers of a file that was read: the text is what counts.
  if (line.name === 'Read' && lines.length > 0 && NUMBERED.test(lines[0]!)) {
    return lines.map((text) => text.replace(NUMBERED, ''));
  }
  return lines;
}

function chunks(
  lines: string[],
  { turn, kind, parent }: Pick<Unit, 'turn' | 'kind' | 'parent'>,
  units: Unit[],
): void {
  const total = lines.length;
  // Text that an edit added matters more than text that it removed.
  const put =
    kind === 'edit'
      ? Math.max(
          0,
          lines.findIndex((line) => line.startsWith('+')),
        )
      : 0;
  for (let start = 0; start < total; ) {
    const end = endOfChunk(lines, start, put >= LONG_REMOVAL && start < put ? put : total);
    const edge = start === 0 || end === total ? COMPRESS_WEIGHTS.edgeOfOutput : 0;
    const later = start === (put >= LONG_REMOVAL ? put : 0) ? 0 : COMPRESS_WEIGHTS.laterLines;
    const quality = COMPRESS_WEIGHTS.kind[kind] + (kind === 'output' ? edge : later);
    const text = lines.slice(start, end).join('\n');
    if (text.trim() !== '') {
      units.push(newUnit(turn, kind, text, { start, end, total, block: true, parent, quality }));
    }
    start = end;
  }
}

function endOfChunk(lines: string[], start: number, most: number): number {
  let [end, size] = [start, 0];
  while (end < most && end - start < CHUNK_LINES && (end === start || size < CHUNK_CHARACTERS)) {
    size += lines[end++]!.length;
  }
  return end;
}

function linesOf(text: string): string[] {
  const body = text.replace(/^\s*\n/, '').trimEnd();
  return body === '' ? [] : body.split(/\r?\n/);
}

function string(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
