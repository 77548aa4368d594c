import { isBlank, type Line } from './code-ranges.ts';

const ITEM = /^([ \t]*)(?:[-*+•]|\d{1,9}[.)])[ \t]/;
const HEADING = /^ {0,3}#{1,6} /;
/** A colon at the end, also inside bold or italic marks. */
const COLON = /[:：][*_]{0,3}\s*$/;

/**
 * Where the paragraph of a marker ends: at the first blank line outside a fence, at a heading, at the next item when
 * the marker stands in a list. A paragraph that ends in a colon carries the block or list that follows it.
 */
export function endOfBlock(
  text: string,
  lines: Line[],
  markerLine: number,
  marker: { start: number; end: number },
  limit: number,
): number {
  const own = indentOf(text.slice(lines[markerLine]!.start, marker.start));
  let at = markerLine;
  // A marker alone on its line keeps the block below it.
  if (isBlank(text, { start: marker.end, end: lines[at]!.end })) at = skipBlank(text, lines, at + 1);
  for (;;) {
    const list = { open: false };
    at = endOfParagraph(text, lines, at, markerLine, own, limit, list);
    if (at >= lines.length || lines[at]!.start >= limit) return limit;
    const last = lines[at - 1];
    if (last === undefined || !isBlank(text, lines[at]!)) return lines[at]!.start;
    const next = skipBlank(text, lines, at);
    if (next >= lines.length || lines[next]!.start >= limit) return limit;
    const carries = list.open ? belongsToList(text, lines[next]!, own) : endsInColon(text, last);
    if (!carries) return lines[at]!.start;
    at = next;
  }
}

/** The first line that is no longer part of the paragraph. `list.open`: a list that a colon announced is running. */
function endOfParagraph(
  text: string,
  lines: Line[],
  from: number,
  markerLine: number,
  own: number | undefined,
  limit: number,
  list: { open: boolean },
): number {
  let at = from;
  for (; at < lines.length && lines[at]!.start < limit; at++) {
    const line = lines[at]!;
    if (line.fenced) continue;
    if (isBlank(text, line)) break;
    if (at === from && at <= markerLine) continue;
    const words = text.slice(line.start, Math.min(line.end, line.start + 200));
    if (at > from && HEADING.test(words)) break;
    const indent = indentOf(words);
    if (indent === undefined) continue;
    if (own !== undefined && indent <= own && at > markerLine) break;
    if (at === from || endsInColon(text, lines[at - 1]!)) list.open = true;
  }
  return at;
}

function belongsToList(text: string, line: Line, own: number | undefined): boolean {
  const words = text.slice(line.start, Math.min(line.end, line.start + 200));
  const indent = indentOf(words);
  if (indent !== undefined) return own === undefined || indent > own;
  return /^(?: {2,}|\t)/.test(words);
}

/** How far a list item is indented; undefined when the line is none. */
function indentOf(line: string): number | undefined {
  const match = ITEM.exec(line);
  return match ? match[1]!.replaceAll('\t', '    ').length : undefined;
}

function endsInColon(text: string, line: Line): boolean {
  return !line.fenced && COLON.test(text.slice(Math.max(line.start, line.end - 200), line.end));
}

function skipBlank(text: string, lines: Line[], from: number): number {
  let at = from;
  while (at < lines.length && !lines[at]!.fenced && isBlank(text, lines[at]!)) at++;
  return at;
}
