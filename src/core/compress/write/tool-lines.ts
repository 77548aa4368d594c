import { endingOf } from '../../model/l1.ts';
import type { Turn } from '../turn.ts';
import type { Unit } from '../units/unit.ts';
import type { VersionLine } from './version-line.ts';

/** Calls of these that follow each other are rendered as one line. */
const LISTED = new Set(['Read', 'Edit', 'MultiEdit', 'Write', 'NotebookEdit', 'Glob', 'Grep', 'LS']);

const EDITS = new Set(['Edit', 'MultiEdit', 'Write', 'NotebookEdit']);

const LINES = /^\d+-\d*$/;

/** A tool's call as a line, and below it what was chosen of its input and output. Files of calls in a row are listed. */
export function toolLines(turns: Turn[], index: number, chosen: Unit[], lines: VersionLine[]): void {
  const turn = turns[index]!;
  const header = chosen.find(({ kind }) => kind === 'header' || kind === 'file' || kind === 'read');
  if (!header) return;
  const { line } = turn;
  const source = {
    role: 'tool' as const,
    ts: line.ts,
    l1: [turn.at],
    src: [line.src],
    exchange: turn.exchange,
  };
  const error = chosen.find((unit) => unit.kind === 'error');
  const name = line.name === undefined ? {} : { name: line.name };
  const last = lines.at(-1);
  const isAlone = line.result !== undefined || chosen.some(({ kind }) => kind === 'edit' || kind === 'note');
  if (!isAlone && last && canJoin(last, turns, index)) {
    last.text = listed(last.text, header.text, line.lines ?? '');
    last.l1.push(turn.at);
    last.src.push(line.src);
  } else {
    const ended = line.result === undefined ? '' : error ? error.text : ENDINGS[endingOf(line.result)];
    // The whole command follows below: its beginning is not repeated.
    const target = chosen.some((unit) => unit.kind === 'command') ? '' : header.text;
    const text = [target, ended].filter(Boolean).join(' → ');
    lines.push({ form: 'tool', text, ...name, ...source });
  }
  const put = chosen.filter(({ kind, block }) => (kind === 'edit' || kind === 'note') && !block);
  const own = lines.at(-1)!;
  if (put.length > 0) own.text = `${own.text}: ${put.map(inlineCode).join(' … ')}`;
  for (const kind of ['command', 'edit', 'input', 'output'] as const) {
    const parts = chosen.filter((unit) => unit.kind === kind && unit.block);
    if (parts.length === 0) continue;
    const diff = kind === 'edit' && line.name !== 'Write' ? { diff: true as const } : {};
    lines.push({ form: 'code', text: withGaps(parts), ...name, ...diff, ...source });
  }
}

/** A few lines that an edit put in. */
function inlineCode({ text, kind }: Unit): string {
  const line = text.replace(/\s*\n\s*/g, kind === 'note' ? ' ' : '; ');
  return kind === 'note' ? line : `\`${line.replaceAll('`', "'")}\``;
}

function canJoin(last: VersionLine, turns: Turn[], index: number): boolean {
  const { line, exchange } = turns[index]!;
  if (last.form !== 'tool' || last.exchange !== exchange) return false;
  if (last.name !== line.name || !LISTED.has(line.name ?? '')) return false;
  // The lines that it put in end its line: a file after them would look like one of them.
  if (EDITS.has(line.name ?? '') && last.text.includes(': ')) return false;
  let before = index - 1;
  while (before >= 0 && turns[before]!.at !== last.l1.at(-1)) before--;
  // One that went wrong is alone, with how it ended.
  return turns[before]?.line.result === undefined;
}

/** `a.ts 1-20, 40-60, b.ts`: a file that comes again is not named again. */
function listed(list: string, text: string, lines: string): string {
  const items = list.split(', ');
  if (items.includes(text)) return list;
  const target = lines === '' ? text : text.slice(0, -lines.length).trimEnd();
  const named = items.findLast((item) => !LINES.test(item)) ?? '';
  const same = named === target || named.startsWith(`${target} `);
  if (!same || lines === '') return `${list}, ${text}`;
  return items.slice(items.lastIndexOf(named)).includes(lines) ? list : `${list}, ${lines}`;
}

/** How a call ended, in a word. */
const ENDINGS = { unanswered: 'no answer', refused: 'refused', failed: 'failed' };

/** Whole lines, with the number of those left out between them. */
function withGaps(parts: Unit[]): string {
  const lines: string[] = [];
  let at = 0;
  for (const part of parts) {
    if (part.start > at) lines.push(leftOut(part.start - at));
    lines.push(part.text);
    at = part.end;
  }
  const total = parts.at(-1)!.total;
  if (total > at) lines.push(leftOut(total - at));
  return lines.join('\n');
}

function leftOut(lines: number): string {
  return lines === 1 ? '… 1 line' : `… ${lines} lines`;
}
