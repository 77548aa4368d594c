import type { Block, Leaf } from './nodes.ts';
import { parseInline } from './parse-inline.ts';

const DEEPEST = 8;
/** Characters; what is longer is shown as it is. */
const LONGEST = 300_000;

/** The blocks of a text. Whatever it holds, nothing of it is markup of the page. */
export function parseMarkdown(text: string): Block[] {
  const lines = linesOf(text);
  if (text.length > LONGEST) return [{ kind: 'code', language: '', leaves: withBreaks(lines) }];
  return blocksOf(lines, 0);
}

function linesOf(text: string): Leaf[] {
  const lines: Leaf[] = [];
  let at = 0;
  for (const line of text.split('\n')) {
    lines.push({ text: line.endsWith('\r') ? line.slice(0, -1) : line, at });
    at += line.length + 1;
  }
  return lines;
}

function withBreaks(lines: readonly Leaf[]): Leaf[] {
  return lines.map(({ text, at }, index) => ({ text: index < lines.length - 1 ? `${text}\n` : text, at }));
}

const FENCE = /^ {0,3}(`{3,}|~{3,})\s*([\w+#.-]{0,40})/;
const HEADING = /^ {0,3}(#{1,6})\s+/;
const QUOTE = /^ {0,3}>\s?/;
const ITEM = /^( {0,3})([-*+]|\d{1,9}[.)])(?:\s+|$)/;

const isBlank = (line: Leaf) => line.text.trim() === '';
const isRule = (text: string) => {
  const signs = text.replace(/\s+/g, '');
  return signs.length >= 3 && /^[-*_]/.test(signs) && signs === (signs[0] ?? '').repeat(signs.length);
};
const begins = ({ text }: Leaf) =>
  FENCE.test(text) || HEADING.test(text) || QUOTE.test(text) || ITEM.test(text) || isRule(text);

function blocksOf(lines: readonly Leaf[], depth: number): Block[] {
  const blocks: Block[] = [];
  let i = 0;
  while (i < lines.length) {
    const line = lines[i];
    if (!line || isBlank(line)) {
      i++;
      continue;
    }
    const [block, next] = blockAt(lines, i, line, depth);
    blocks.push(block);
    i = Math.max(next, i + 1);
  }
  return blocks;
}

function blockAt(lines: readonly Leaf[], i: number, line: Leaf, depth: number): [Block, number] {
  const fence = FENCE.exec(line.text);
  if (fence) return fenced(lines, i, fence[1] ?? '', fence[2] ?? '');
  const heading = HEADING.exec(line.text);
  if (heading) {
    const inside = parseInline([cut(line, heading[0].length)]);
    return [{ kind: 'heading', level: heading[1]?.length ?? 1, inside }, i + 1];
  }
  if (isRule(line.text)) return [{ kind: 'rule' }, i + 1];
  if (depth < DEEPEST && QUOTE.test(line.text)) return quoted(lines, i, depth);
  if (depth < DEEPEST && ITEM.test(line.text)) return listed(lines, i, depth);
  const head = cellsOf(line);
  if (head.length > 1 && isTableRule(lines[i + 1], head.length)) return tabled(lines, i, head);
  let end = i + 1;
  while (end < lines.length && lines[end] && !isBlank(lines[end]!) && !begins(lines[end]!)) end++;
  return [{ kind: 'paragraph', inside: parseInline(lines.slice(i, end)) }, end];
}

function cut({ text, at }: Leaf, by: number): Leaf {
  return { text: text.slice(by), at: at + by };
}

function fenced(lines: readonly Leaf[], i: number, sign: string, language: string): [Block, number] {
  let end = i + 1;
  const closes = ({ text }: Leaf) => {
    const trimmed = text.trim();
    return trimmed.length >= sign.length && trimmed === (sign[0] ?? '').repeat(trimmed.length);
  };
  while (end < lines.length && !closes(lines[end]!)) end++;
  return [{ kind: 'code', language, leaves: withBreaks(lines.slice(i + 1, end)) }, end + 1];
}

function quoted(lines: readonly Leaf[], i: number, depth: number): [Block, number] {
  const inside: Leaf[] = [];
  let end = i;
  for (; end < lines.length; end++) {
    const line = lines[end]!;
    const sign = QUOTE.exec(line.text);
    if (!sign && (isBlank(line) || begins(line))) break;
    inside.push(sign ? cut(line, sign[0].length) : line);
  }
  return [{ kind: 'quote', inside: blocksOf(inside, depth + 1) }, end];
}

function listed(lines: readonly Leaf[], i: number, depth: number): [Block, number] {
  const first = ITEM.exec(lines[i]!.text);
  const ordered = /\d/.test(first?.[2] ?? '');
  const items: Leaf[][] = [];
  let indent = 0;
  let end = i;
  for (; end < lines.length; end++) {
    const line = lines[end]!;
    const sign = ITEM.exec(line.text);
    const deep = line.text.length - line.text.trimStart().length;
    const item = items.at(-1);
    if (isBlank(line)) {
      const after = lines.slice(end + 1, end + 3).find((it) => !isBlank(it));
      const goesOn =
        after && (ITEM.test(after.text) || after.text.startsWith(' '.repeat(Math.max(2, indent))));
      if (!goesOn) break;
      item?.push(cut(line, line.text.length));
    } else if (item && deep >= indent && indent > 0) item.push(cut(line, indent));
    else if (sign && /\d/.test(sign[2] ?? '') === ordered && !isRule(line.text)) {
      indent = Math.min(sign[0].length, (sign[1]?.length ?? 0) + (sign[2]?.length ?? 1) + 4);
      items.push([cut(line, Math.min(indent, line.text.length))]);
    } else if (item && !begins(line) && !isBlank(lines[end - 1]!)) item.push(cut(line, deep));
    else break;
  }
  const start = Number.parseInt(first?.[2] ?? '1', 10) || 1;
  return [{ kind: 'list', ordered, start, items: items.map((item) => blocksOf(item, depth + 1)) }, end];
}

function cellsOf(line: Leaf | undefined): Leaf[] {
  if (!line?.text.includes('|')) return [];
  const cells: Leaf[] = [];
  let from = 0;
  for (let i = 0; i <= line.text.length; i++) {
    if (i < line.text.length && (line.text[i] !== '|' || line.text[i - 1] === '\\')) continue;
    const raw = line.text.slice(from, i);
    const lead = raw.length - raw.trimStart().length;
    cells.push({ text: raw.trim(), at: line.at + from + lead });
    from = i + 1;
  }
  if (cells[0]?.text === '') cells.shift();
  if (cells.at(-1)?.text === '') cells.pop();
  return cells;
}

function isTableRule(line: Leaf | undefined, columns: number): boolean {
  const cells = cellsOf(line);
  return cells.length === columns && cells.every(({ text }) => /^:?-+:?$/.test(text));
}

function tabled(lines: readonly Leaf[], i: number, head: Leaf[]): [Block, number] {
  const rows: Leaf[][] = [];
  let end = i + 2;
  for (; end < lines.length; end++) {
    const cells = cellsOf(lines[end]);
    if (cells.length === 0) break;
    rows.push(cells.slice(0, head.length));
  }
  const inline = (cells: Leaf[]) => cells.map((cell) => parseInline([cell]));
  return [{ kind: 'table', head: inline(head), rows: rows.map(inline) }, end];
}
