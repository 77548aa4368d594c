import type { L1Line } from '../model/l1.ts';

/** Escape sequences of terminals, whole. */
const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]?|[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)?|.)?/g;
/** Other control characters, and signs that turn the reading direction or can't be seen. */
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
const MARKER = /##\s*(\/?keepit[^#\n]{0,12})##/giu;
/** Tags that programs around a model give a meaning to; `Array<string>` and HTML stay as they are. */
const TAG =
  /<(?=[/!?]?[\w:-]*(?:system|reminder|command|hook|tool|function|assistant|human|user|memory|keepsake|instruction|context|prompt|invoke|antml)|!--)/giu;
/** Characters of a name in a source line. */
const LONGEST_NAME = 60;

/**
 * Text of a transcript as data: no control characters, no keepit markers, no tags that a program around a model would
 * take for its own. What a person reads stays the same.
 */
export function harmless(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(ESCAPES, '')
    .replace(UNSEEN, '')
    .replace(MARKER, '[$1]')
    .replace(TAG, '‹');
}

/** As a Markdown block quote: no fence, heading or rule in it can end it. */
export function quote(text: string): string {
  return harmless(text)
    .trim()
    .replace(/[^\S\n]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/^/gm, '> ')
    .replace(/^> $/gm, '>');
}

/** The same words on one line. */
export function oneLine(text: string): string {
  return harmless(text).replace(/\s+/gu, ' ').trim();
}

/** A name, a title or a path, on one line and short: cut between words where it has some. Sentences would lose their ends. */
export function inLine(text: string): string {
  const line = oneLine(text);
  const characters = [...line];
  if (characters.length <= LONGEST_NAME) return line;
  const cut = characters.slice(0, LONGEST_NAME - 1).join('');
  const isBetweenWords = characters[LONGEST_NAME - 1] === ' ';
  const words = isBetweenWords ? cut : cut.replace(/\s+\S*$/u, '');
  return `${(words.length > LONGEST_NAME / 2 ? words : cut).trimEnd()}…`;
}

/** Who says a line, in words that mean the same to every reader. */
export function speakerOf(line: Pick<L1Line, 'role' | 'name'>): string {
  return line.name === undefined || line.role === 'tool' ? line.role : inLine(line.name);
}

/** The content of a line, without its speaker. */
export function lineContent(line: L1Line): string {
  if (line.role !== 'tool') return line.text ?? '';
  const did = [line.name, line.target, line.lines, line.diff, line.text].filter((part) => part !== undefined);
  return `${did.join(' ')}${line.result === undefined ? '' : ` -> ${line.result}`}`;
}

/** Cuts between words to this many UTF-16 units. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text
    .slice(0, Math.max(0, most - 1))
    .toWellFormed()
    .replace(/\ufffd$/u, '');
  const space = cut.search(/\s\S*$/u);
  return `${(space > most / 2 ? cut.slice(0, space) : cut).trimEnd()}…`;
}

/** As many whole lines as these UTF-16 units hold; empty where not even the first fits. */
export function wholeLines(text: string, most: number): string {
  if (text.length <= most) return text;
  return text.slice(0, Math.max(0, text.lastIndexOf('\n', most))).trimEnd();
}
