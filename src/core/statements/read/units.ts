import { plainText } from '../../text/plain-text.ts';

/** A stretch of a text as it is written, and as it is read. */
export type Span = { from: number; to: number; text: string };

/** One sentence, list item or row of a table. */
export type TextUnit = Span & {
  /** The heading above it, and the line ending with a colon that its list belongs to. */
  head?: Span;
  lead?: Span;
  item: boolean;
  table: boolean;
  /** One of a list of things to do, ticked off or not. */
  task?: boolean;
  /** Its number or letter in a list. */
  label?: string;
};

const FENCE = /^\s*(?:```|~~~)/;
const ROW_RULE = /^\s*\|?[\s:|-]+\|?\s*$/;
const HEADING = /^\s*#{1,6}\s+(.*)/;
const BOLD_LINE = /^\s*\*\*([^*]{2,80})\*\*:?\s*$/;
const LIST = /^\s*(?:[-*+•]|\d{1,2}[.)]|[A-Da-d][.)])\s+(?:\[[ xX]\]\s+)?/;
const TASK = /^\s*(?:[-*+•]|\d{1,2}[.)])\s+\[[ xX~-]\]\s/;
const LABEL = /^\s*(\d{1,2}|[A-Da-d])[.)]\s/;
const END = /(?<=[.!?])["')\]`*_]{0,3}\s+(?=["'([`*_]{0,3}[\p{Lu}\p{N}`])|(?<=[。！？])["')\]」』”）]*/gu;
const LONGEST_LEAD = 160;
/** A line of this length was wrapped if the next one continues in the middle of a sentence. */
const BROKEN = { least: 50, most: 160 };

/** The units of a message in order; code is left out, and quoted lines where `quoted` is false. */
export function unitsOf(text: string, skips: (line: string) => boolean = () => false): TextUnit[] {
  const units: TextUnit[] = [];
  let [fence, inTable] = [false, false];
  let head: Span | undefined;
  let lead: Span | undefined;
  let start = 0;
  /** Items that the current item may belong to, by indentation. */
  let above: { indent: number; span: Span }[] = [];
  for (const line of wholeLines(text, skips)) {
    const from = start;
    start += line.length + 1;
    if (FENCE.test(line)) {
      fence = !fence;
      continue;
    }
    if (fence || skips(line)) continue;
    if (line.trim() === '') {
      inTable = false;
      continue;
    }
    if (line.includes('-') && ROW_RULE.test(line)) continue;
    const around = () => ({ ...(head ? { head } : {}), ...(lead ? { lead } : {}) });
    if (line.trimStart().startsWith('|')) {
      // The first row names the columns.
      if (inTable) units.push({ ...row(line, from), ...around(), item: true, table: true });
      inTable = true;
      continue;
    }
    const title = HEADING.exec(line) ?? (LIST.test(line) ? null : BOLD_LINE.exec(line));
    if (title) {
      const at = from + line.indexOf(title[1]!);
      head = { from: at, to: at + title[1]!.length, text: plainText(title[1]!).replace(/:$/, '') };
      lead = undefined;
      continue;
    }
    const item = LIST.test(line);
    const label = LABEL.exec(line)?.[1];
    const body = line.replace(LIST, '');
    const at = from + line.length - body.length;
    const opens = !item && /:\s*\**\s*$/.test(body);
    if (opens && body.length < LONGEST_LEAD) lead = span(body, at);
    const indent = line.length - line.trimStart().length;
    above = item ? above.filter((one) => one.indent < indent) : [];
    const owner = above.at(-1)?.span ?? lead;
    if (item && body.length < LONGEST_LEAD) above.push({ indent, span: span(body, at) });
    for (const sentence of sentencesIn(body, at)) {
      units.push({
        ...sentence,
        ...(head ? { head } : {}),
        ...(owner && item ? { lead: owner } : {}),
        item,
        table: false,
        ...(TASK.test(line) ? { task: true } : {}),
        ...(label ? { label } : {}),
      });
    }
    if (!item && !opens) lead = undefined;
  }
  return units;
}

/** The lines of a text; those that were broken for their length are one again, with the line break in it. */
function wholeLines(text: string, skips: (line: string) => boolean): string[] {
  const found: string[] = [];
  let last = '';
  for (const line of text.split('\n')) {
    const goesOn =
      last.length >= BROKEN.least &&
      last.length <= BROKEN.most &&
      /^\s*\p{Ll}/u.test(line) &&
      !/[.!?:;]["')\]`*_]*\s*$/.test(last) &&
      !LIST.test(line) &&
      !/^\s*(?:\||#)/.test(last) &&
      !skips(line) &&
      !skips(last);
    if (goesOn) found[found.length - 1] += `\n${line}`;
    else found.push(line);
    last = line;
  }
  return found;
}

function sentencesIn(body: string, at: number): Span[] {
  const found: Span[] = [];
  let from = 0;
  for (const end of body.matchAll(END)) {
    const to = end.index + end[0].length;
    if (to < body.length) {
      found.push(span(body.slice(from, to), at + from));
      from = to;
    }
  }
  found.push(span(body.slice(from), at + from));
  return found.filter(({ text }) => text.length >= 3);
}

/** Without the white space around it. */
function span(raw: string, at: number): Span {
  const from = at + raw.length - raw.trimStart().length;
  const to = Math.max(from, at + raw.trimEnd().length);
  return { from, to, text: plainText(raw) };
}

function row(line: string, at: number): Span {
  const cells = line
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .map(plainText)
    .filter(Boolean);
  return { ...span(line, at), text: cells.join(': ') };
}
