import { type CharRange, isBlank, type MarkdownLine } from './code-ranges.ts';

const ITEM = /^((?:[ \t]{0,8}>){0,8}[ \t]{0,40})(?:[-*+•]|\d{1,9}[.)])[ \t]/;
const HEADING = /^ {0,3}#{1,6} /;
/** A colon at the end, also inside bold or italic marks. */
const COLON = /[:：][*_]{0,3}\s{0,20}$/;
/** As much of a line as its beginning or its end needs. */
const EDGE = 100;

/**
 * Where the paragraph of a marker ends: at the first blank line outside a fence, at a heading, at the next item when
 * the marker is in a list. A paragraph that ends in a colon carries the block or list that follows it.
 */
export function endOfBlock(
  text: string,
  lines: MarkdownLine[],
  { line: markerLine, tag: marker }: { line: number; tag: CharRange },
  limit: number,
): number {
  const beforeMarker = text.slice(
    lines[markerLine]!.start,
    Math.min(marker.start, lines[markerLine]!.start + EDGE),
  );
  const own = indentOf(beforeMarker);
  let at = markerLine;
  // A marker alone on its line keeps the block below it.
  if (isBlank(text, { start: marker.end, end: lines[at]!.end })) at = skipBlank(text, lines, at + 1);
  let inList = false;
  for (;;) {
    const from = at;
    for (; at < lines.length && lines[at]!.start < limit; at++) {
      const line = lines[at]!;
      if (line.fenced || at === markerLine) continue;
      if (isBlank(text, line) || (at > from && HEADING.test(opening(text, line)))) break;
      const indent = indentOf(opening(text, line));
      if (indent === undefined) continue;
      if (own !== undefined && indent <= own) break;
      // Items that a colon announced, at once or after a blank line, make a list; others are lines of the paragraph.
      inList ||= at === from || endsInColon(text, lines[at - 1]!);
    }
    if (at >= lines.length || lines[at]!.start >= limit) return limit;
    const end = lines[at]!.start;
    const last = lines[at - 1];
    if (last === undefined || !isBlank(text, lines[at]!)) return end;
    const next = skipBlank(text, lines, at);
    if (next >= lines.length || lines[next]!.start >= limit) return limit;
    if (!endsInColon(text, last) && !(inList && belongsToList(text, lines[next]!, own))) return end;
    at = next;
  }
}

/** A loose list continues after a blank line with another item or an indented line. */
function belongsToList(text: string, line: MarkdownLine, own: number | undefined): boolean {
  const indent = indentOf(opening(text, line));
  if (indent !== undefined) return own === undefined || indent > own;
  return /^(?: {2,}|\t)/.test(opening(text, line));
}

/** How far a list item is indented; undefined when the line is none. */
function indentOf(line: string): number | undefined {
  return ITEM.exec(line)?.[1]?.replaceAll('\t', '    ').length;
}

function opening(text: string, line: MarkdownLine): string {
  return text.slice(line.start, Math.min(line.end, line.start + EDGE));
}

function endsInColon(text: string, line: MarkdownLine): boolean {
  return !line.fenced && COLON.test(text.slice(Math.max(line.start, line.end - EDGE), line.end));
}

function skipBlank(text: string, lines: MarkdownLine[], from: number): number {
  let at = from;
  while (at < lines.length && !lines[at]!.fenced && isBlank(text, lines[at]!)) at++;
  return at;
}
