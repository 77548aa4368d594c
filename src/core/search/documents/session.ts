import { type L1Line, readL1Line, saidText, startsExchange } from '../../model/l1.ts';
import type { IndexLine, LineRole } from '../../model/search.ts';
import { termsOf } from '../../text/terms.ts';
import { lineFlags } from '../line-flags.ts';

const NEWLINE = 0x0a;

/** `damaged`: the line at `to` can't be read. */
type ReadLines = { lines: IndexLine[]; to: number; damaged?: true };

/** The whole lines of a piece of a refined transcript that begins at `from`, ready for the index. */
export function sessionIndexLines(piece: Buffer, from: number): ReadLines {
  const lines: IndexLine[] = [];
  let at = 0;
  for (let end = piece.indexOf(NEWLINE, at); end !== -1; end = piece.indexOf(NEWLINE, at)) {
    const line = readL1Line(piece.toString('utf8', at, end));
    if (!line) return { lines, to: from + at, damaged: true };
    lines.push(sessionLine(line, from + at, end - at));
    at = end + 1;
  }
  return { lines, to: from + at };
}

function sessionLine(line: L1Line, at: number, bytes: number): IndexLine {
  const text = lineText(line);
  const terms = termsOf(text);
  if (line.name && line.role !== 'tool') for (const word of termsOf(line.name)) terms.push(`@${word}`);
  return {
    role: roleOf(line),
    flags: line.role === 'tool' || line.role === 'system' ? 0 : lineFlags(text),
    ts: line.ts,
    at,
    bytes,
    src: line.src,
    startsExchange: startsExchange(line),
    terms,
  };
}

/** Colors of a terminal: `\u001b[31malert` is the word "alert". */
const ESCAPES = /\u001b\[[0-?]*[ -/]*[@-~]/g;

/** Everything that a line says. */
export function lineText(line: L1Line): string {
  const text =
    line.role === 'tool'
      ? [line.target, line.diff, line.text, line.result].filter(Boolean).join('\n')
      : (line.summary ?? saidText(line));
  return text.includes('\u001b') ? text.replace(ESCAPES, '') : text;
}

function roleOf(line: L1Line): LineRole {
  if (line.role === 'system') return 'other';
  // The mark that a queued message was sent says nothing itself; what may be a notice is found, and quoted as nobody's.
  return line.sent === undefined && !line.unproven ? line.role : 'other';
}
