/** Where a range of characters is; `end` is exclusive. */
export type CharRange = { start: number; end: number };

/** A line without its newline, and whether it belongs to a fenced block (its fences included). */
export type MarkdownLine = CharRange & { fenced: boolean };

/** A fence may be indented, quoted, follow a list bullet or right after a marker. */
const OPENS =
  /^[ \t]*(?:>[ \t]?){0,8}(?:(?:[-*+]|\d{1,9}[.)])[ \t]{1,8}){0,4}(?:##keepit\d{1,9}\.\d\d##)?[ \t]*(`{3,}|~{3,})(.*)$/i;
const CLOSES = /^[ \t]*(?:>[ \t]?){0,8}[ \t]*(`{3,}|~{3,})[ \t\r]*$/;

/** The lines of a message. A fence that is never closed runs to its end. */
export function linesOf(text: string): MarkdownLine[] {
  const lines: MarkdownLine[] = [];
  let fence: string | undefined;
  for (let start = 0; start <= text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(start, end);
    const wasOpen: string | undefined = fence;
    if (fence === undefined) fence = opened(line);
    else if (closes(line, fence)) fence = undefined;
    lines.push({ start, end, fenced: wasOpen !== undefined || fence !== undefined });
    start = end + 1;
  }
  return lines;
}

function opened(line: string): string | undefined {
  if (!line.includes('```') && !line.includes('~~~')) return undefined;
  const match = OPENS.exec(line);
  if (!match?.[1]) return undefined;
  // Backticks after a backtick fence make it inline code.
  return match[1][0] === '`' && match[2]?.includes('`') ? undefined : match[1];
}

function closes(line: string, fence: string): boolean {
  const run = CLOSES.exec(line)?.[1];
  return run !== undefined && run[0] === fence[0] && run.length >= fence.length;
}

/** Inline code: a run of backticks up to the next run of the same length in the same paragraph. */
export function inlineCode(text: string, lines: MarkdownLine[]): CharRange[] {
  const ranges: CharRange[] = [];
  for (const { start, end } of paragraphs(text, lines)) {
    const runs = [...text.slice(start, end).matchAll(/`+/g)];
    const last = new Map<number, number>();
    // For each run, the next one of its length; walking backwards keeps this linear.
    const partner = new Array<number>(runs.length).fill(-1);
    for (let i = runs.length - 1; i >= 0; i--) {
      const length = runs[i]![0].length;
      partner[i] = last.get(length) ?? -1;
      last.set(length, i);
    }
    for (let i = 0; i < runs.length; i++) {
      const close = partner[i]!;
      if (close < 0) continue;
      const to = runs[close]!;
      ranges.push({ start: start + runs[i]!.index, end: start + to.index + to[0].length });
      i = close;
    }
  }
  return ranges;
}

function* paragraphs(text: string, lines: MarkdownLine[]): Generator<CharRange> {
  let open: CharRange | undefined;
  for (const line of lines) {
    if (line.fenced || isBlank(text, line)) {
      if (open) yield open;
      open = undefined;
    } else if (open) open.end = line.end;
    else open = { start: line.start, end: line.end };
  }
  if (open) yield open;
}

/** Nothing but white space and the marks of a quotation. */
export function isBlank(text: string, line: CharRange): boolean {
  for (let i = line.start; i < line.end; i++) {
    const unit = text.charCodeAt(i);
    if (unit !== 32 && unit !== 9 && unit !== 13 && unit !== 62) return false;
  }
  return true;
}
