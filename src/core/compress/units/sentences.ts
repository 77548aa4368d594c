import type { TextRange } from '../../text/text-range.ts';

/** A full stop after these ends no sentence. */
const ABBREVIATIONS = new Set(
  (
    'e.g i.e eg ie etc vs cf al approx resp incl excl est ca no nos vol fig eq sec ch pp ed dr mr mrs ms prof st jr sr inc ' +
    'ltd co dept min max avg temp v z.b z d.h d u.a u o.g bzw usw ggf evtl inkl exkl nr abs art bd hr fr str vgl sog zzgl abzgl'
  ).split(' '),
);
const CLOSERS = `["'”’»)\\]*_\`]*`;
const END = new RegExp(`[.!?…]+${CLOSERS}(?=\\s)|[。！？｡]+[」』”’）〉》】]*`, 'gu');
const WORD_BEFORE = /[\p{L}\p{N}.]+$/u;
/** Lines of at least this length without a full stop were wrapped, and continue in the next. */
const WRAPPED_FROM = 50;
const LONGEST = 800;

/** The sentences of a paragraph, in order, without the white space between them. Never cuts inside a word. */
export function sentenceRanges(text: string, from = 0, to = text.length): TextRange[] {
  const found: TextRange[] = [];
  for (const [start, end] of runningLines(text, from, to)) {
    let begin = start;
    for (const stop of stopsOf(text, start, end)) {
      push(found, text, begin, stop);
      begin = stop;
    }
    push(found, text, begin, end);
  }
  return found;
}

/** Lines that belong together: a newline ends a sentence unless the line was wrapped there. */
function runningLines(text: string, from: number, to: number): TextRange[] {
  const lines: TextRange[] = [];
  let begin = from;
  for (let lineStart = from; lineStart < to; ) {
    const newline = text.indexOf('\n', lineStart);
    const end = newline === -1 || newline > to ? to : newline;
    const next = text.slice(end + 1, end + 60).trimStart();
    const wrapped =
      end < to &&
      end - lineStart >= WRAPPED_FROM &&
      /[\p{L}\p{N},]\s*$/u.test(text.slice(Math.max(lineStart, end - 8), end)) &&
      /^\p{Ll}/u.test(next);
    if (!wrapped) {
      lines.push([begin, end]);
      begin = end + 1;
    }
    lineStart = end + 1;
  }
  if (begin < to) lines.push([begin, to]);
  return lines;
}

function stopsOf(text: string, start: number, end: number): number[] {
  const line = text.slice(start, end);
  const stops: number[] = [];
  const inCode = codeScanner(line);
  for (const match of line.matchAll(END)) {
    const stop = match.index + match[0].length;
    if (!inCode(match.index) && endsSentence(line, match.index, match[0], stop)) stops.push(start + stop);
  }
  return stops;
}

function endsSentence(line: string, at: number, mark: string, stop: number): boolean {
  if (mark[0] !== '.' || mark.startsWith('..')) return true;
  const word = WORD_BEFORE.exec(line.slice(Math.max(0, at - 24), at))?.[0].toLowerCase() ?? '';
  if (ABBREVIATIONS.has(word)) return false;
  const next = line.slice(stop, stop + 40).trimStart();
  // "3. Oktober", "1. First": a number in a row, or a date.
  if (/^\d{1,3}$/.test(word)) return false;
  // "J. Smith"
  if (/^\p{L}$/u.test(word)) return false;
  return !/^\p{Ll}/u.test(next) || word.length > 2;
}

/** Whether places, given in order, are between backticks. */
function codeScanner(line: string): (at: number) => boolean {
  let ticks = 0;
  let next = line.indexOf('`');
  return (at) => {
    for (; next !== -1 && next < at; next = line.indexOf('`', next + 1)) ticks++;
    return ticks % 2 === 1;
  };
}

function push(found: TextRange[], text: string, start: number, end: number): void {
  let [from, to] = [start, end];
  while (from < to && isSpace(text.charCodeAt(from))) from++;
  while (to > from && isSpace(text.charCodeAt(to - 1))) to--;
  // After this much text without a full stop, a run of words is split between two words.
  while (to - from > LONGEST) {
    let cut = from + LONGEST;
    while (cut > from && !isSpace(text.charCodeAt(cut))) cut--;
    if (cut === from) break;
    let end = cut;
    while (end > from && isSpace(text.charCodeAt(end - 1))) end--;
    if (from < end) found.push([from, end]);
    from = cut;
    while (from < to && isSpace(text.charCodeAt(from))) from++;
  }
  if (from < to) found.push([from, to]);
}

function isSpace(unit: number): boolean {
  return unit === 32 || (unit >= 9 && unit <= 13) || unit === 0xa0 || unit === 0x3000;
}
