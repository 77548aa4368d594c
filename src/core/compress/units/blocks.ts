import type { TextRange } from '../../text/text-range.ts';
import { sentenceRanges } from './sentences.ts';

/** A piece of a message that is included whole or not at all. */
export type TextBlock = {
  kind: 'prose' | 'heading' | 'code' | 'table';
  start: number;
  end: number;
  starts: 'line' | 'text';
};

const FENCE = /^ {0,12}(`{3,}|~{3,})/;
const HEADING = /^ {0,3}#{1,6}\s/;
const ITEM = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+/;
const TABLE = /^\s*\|.*\|\s*$/;
const RULE = /^\s*(?:[-*_]\s*){3,}$/;
/** Counts in a message's prose: the marker itself is no word of it. */
const MARKER = /##\/?keepit(?:\d+\.\d{2})?##/gi;

/** The pieces of a stretch of a message, in order: sentences, headings, whole code blocks, whole tables. */
export function textBlocks(text: string, from: number, to: number): TextBlock[] {
  const blocks: TextBlock[] = [];
  const lines = linesOf(text, from, to);
  for (let i = 0; i < lines.length; i++) {
    const [start, end] = lines[i]!;
    const line = text.slice(start, end);
    const fence = FENCE.exec(line)?.[1];
    if (fence !== undefined) {
      const close = closingLine(text, lines, i, fence);
      blocks.push({ kind: 'code', start, end: lines[close]![1], starts: 'line' });
      i = close;
    } else if (TABLE.test(line)) {
      let last = i;
      while (last + 1 < lines.length && TABLE.test(text.slice(...lines[last + 1]!))) last++;
      blocks.push({ kind: 'table', start, end: lines[last]![1], starts: 'line' });
      i = last;
    } else if (HEADING.test(line)) blocks.push({ kind: 'heading', start, end, starts: 'line' });
    else if (line.trim() !== '' && !RULE.test(line)) {
      let last = i;
      while (last + 1 < lines.length && goesOn(text.slice(...lines[last + 1]!))) last++;
      blocks.push(...proseOf(text, start, lines[last]![1]));
      i = last;
    }
  }
  return blocks;
}

/** Whether a line belongs to the paragraph above it. */
function goesOn(line: string): boolean {
  return line.trim() !== '' && ![FENCE, TABLE, HEADING, ITEM, RULE].some((shape) => shape.test(line));
}

function proseOf(text: string, start: number, end: number): TextBlock[] {
  const blocks: TextBlock[] = [];
  const mark = ITEM.exec(text.slice(start, Math.min(end, start + 200)))?.[0].length ?? 0;
  for (const [from, to] of withoutMarkers(text, start + mark, end)) {
    for (const sentence of sentenceRanges(text, from, to)) {
      const first = blocks.length === 0;
      const own = first && mark > 0 ? start : sentence[0];
      blocks.push({
        kind: 'prose',
        start: own,
        end: sentence[1],
        starts: opensLine(text, own) ? 'line' : 'text',
      });
    }
  }
  return blocks;
}

function opensLine(text: string, at: number): boolean {
  let before = at - 1;
  while (text[before] === ' ' || text[before] === '\t') before--;
  return before < 0 || text[before] === '\n';
}

function withoutMarkers(text: string, start: number, end: number): TextRange[] {
  const part = text.slice(start, end);
  if (!part.includes('##')) return [[start, end]];
  const ranges: TextRange[] = [];
  let from = start;
  for (const match of part.matchAll(MARKER)) {
    // Quoted as code, it is what the sentence is about.
    if (part[match.index - 1] === '`') continue;
    ranges.push([from, start + match.index]);
    from = start + match.index + match[0].length;
  }
  ranges.push([from, end]);
  return ranges;
}

function closingLine(text: string, lines: TextRange[], open: number, fence: string): number {
  for (let i = open + 1; i < lines.length; i++) {
    const line = text.slice(...lines[i]!).trim();
    if (line.startsWith(fence) && line.split('').every((sign) => sign === fence[0])) return i;
  }
  return lines.length - 1;
}

function linesOf(text: string, from: number, to: number): TextRange[] {
  const lines: TextRange[] = [];
  for (let start = from; start < to; ) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 || newline > to ? to : newline;
    lines.push([start, end]);
    start = end + 1;
  }
  return lines;
}
