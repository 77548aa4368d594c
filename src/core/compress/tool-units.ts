import { endingOf } from '../model/l1.ts';
import { clipAtWord } from './clip-at-word.ts';
import { editDiff } from './edit-diff.ts';
import type { Turn } from './turn.ts';
import { newUnit, type Unit } from './unit.ts';
import { COMPRESS_WEIGHTS, type UnitKind } from './weights.ts';

/** A stretch of lines that is included or left out as one: so many lines, or so many characters. */
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

/** A call: its header, its error, then what the original says beyond L1, in stretches of lines. */
export function toolUnits(turn: Turn, index: number, units: Unit[]): void {
  const { line, detail } = turn;
  const header = units.length;
  units.push(newUnit(index, 'header', headerText(turn)));
  if (line.result !== undefined)
    units.push(newUnit(index, 'error', errorText(line.result), { parent: header }));
  const input = detail?.input ?? {};
  const stream = (kind: UnitKind, lines: string[]) =>
    chunks(lines, { turn: index, kind, parent: header }, units);
  const command = string(input.command);
  if (command !== '' && line.target?.endsWith('…') && !command.endsWith('…')) {
    units.push(newUnit(index, 'command', command, { parent: header, block: true }));
  }
  stream('edit', editLines(turn, input));
  stream('input', inputLines(input, line.target ?? ''));
  stream('output', outputLines(turn));
}

export function headerText({ line }: Turn): string {
  return [clipAtWord(line.target ?? ''), line.lines ?? ''].filter(Boolean).join(' ');
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
  const edits = Array.isArray(input.edits) ? input.edits : [input];
  const lines = edits.flatMap((edit) => {
    const { old_string, new_string, new_source } = (edit ?? {}) as Record<string, unknown>;
    return editDiff(string(old_string), string(new_string) || string(new_source));
  });
  if (lines.length > 0) return lines;
  if (line.name === 'Write' && typeof input.content === 'string') return linesOf(input.content);
  return line.diff === undefined ? [] : line.diff.split('\n').map(clipAtWord);
}

/** What else a tool was given: a subagent's task, a question with its options, a list of things to do. */
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
  // What an edit put in matters more than what it took out.
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
