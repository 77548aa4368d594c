import type { VersionLine } from './version-line.ts';

/** The label of a commit. */
export const COMMITTED = 'Committed';
/** Paragraphs are joined up to this many characters. */
const LONGEST = 900;
/** Of tools like these all files are listed on one line. */
const LISTED = new Set(['Read', 'Edit', 'MultiEdit', 'Write', 'NotebookEdit', 'Glob', 'Grep', 'LS']);
/** Lists, headings, tables and code keep lines of their own. */
const STRUCTURED = /\n|^\s*(?:[-*+•]|\d{1,3}[.)]|#{1,6}|\||```|~~~)/;

/** An exchange for a reader: what was said, in paragraphs, then the files and commands. */
export function paragraphs(lines: VersionLine[]): VersionLine[] {
  const talk: VersionLine[] = [];
  const tools: VersionLine[] = [];
  const known = new Map<string, VersionLine>();
  for (const [at, line] of lines.entries()) {
    // A call with something below it stays above it.
    if (line.form === 'tool') addTool(tools, line, lines[at + 1]?.form === 'code' ? undefined : known);
    else if (line.form === 'code') tools.push(line);
    else addTalk(talk, line);
  }
  return [...talk, ...tools];
}

/** Each commit is a paragraph of its own. */
function addTalk(talk: VersionLine[], line: VersionLine): void {
  const same =
    line.name === COMMITTED && talk.find(({ name, text }) => name === line.name && text === line.text);
  if (same) {
    addSource(same, line);
    return;
  }
  const last = talk.at(-1);
  if (line.name !== COMMITTED && last && isProse(last) && isProse(line) && last.name === line.name) {
    const separator = line.name === 'Steps' ? '; ' : ' ';
    if (last.text.length + line.text.length <= LONGEST) {
      last.text = `${last.text}${separator}${line.text}`;
      addSource(last, line);
      return;
    }
  }
  talk.push({ ...line, l1: [...line.l1], src: [...line.src] });
}

/** Adds what the same person says next to their last line, so that a name is not repeated; false where it can't. */
export function goesOn(last: VersionLine | undefined, line: VersionLine): boolean {
  const isSame = last?.form === 'said' && line.form === 'said' && last.role === line.role;
  if (!isSame || last.name === undefined || last.name !== line.name || last.frame !== line.frame)
    return false;
  const isPlain = [last, line].every(({ kept, text }) => kept === undefined && !STRUCTURED.test(text));
  if (!isPlain || last.text.length + line.text.length > LONGEST) return false;
  const isNext = line.l1[0] === last.l1.at(-1)! + 1;
  last.text = `${last.text}${isNext ? ' ' : ' … '}${line.text}`;
  addSource(last, line);
  return true;
}

function isProse({ form, role, text, kept }: VersionLine): boolean {
  return form === 'said' && role === 'assistant' && kept === undefined && !STRUCTURED.test(text);
}

/** Files of the same tool on one line, but one with what was put in, or with how it went wrong; the same call once. */
function addTool(tools: VersionLine[], line: VersionLine, known: Map<string, VersionLine> | undefined): void {
  const key = JSON.stringify([line.name, isList(line) ? ',' : isBare(line) ? '{' : line.text]);
  const same = known?.get(key);
  if (!same) {
    const own = { ...line, l1: [...line.l1], src: [...line.src] };
    tools.push(own);
    known?.set(key, own);
    return;
  }
  addSource(same, line);
  if (!isList(line)) return;
  const items = new Set(same.text.split(', '));
  const fresh = line.text.split(', ').filter((item) => !items.has(item));
  if (fresh.length > 0) same.text = [same.text, ...fresh].join(', ');
}

/** What a tool was fed as JSON, in calls that went well: one of many is enough. */
function isBare({ text }: VersionLine): boolean {
  return text.startsWith('{') && !text.includes('→');
}

function isList({ name, text }: VersionLine): boolean {
  return LISTED.has(name ?? '') && !/[:→`]/.test(text);
}

function addSource(line: VersionLine, more: VersionLine): void {
  more.l1.forEach((at, place) => {
    if (line.l1.includes(at)) return;
    line.l1.push(at);
    line.src.push(more.src[place]!);
  });
}
