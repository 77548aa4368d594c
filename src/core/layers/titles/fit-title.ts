import { clauseEnds } from './clause-ends.ts';

/** A title's length, where a place has room for it. */
export const LONGEST_TITLE = 80;
/** A title without an earlier end of a clause may be this long. */
export const LONGEST_WHOLE_TITLE = 125;

/** How long a title should be, and how long it may be to end with its sentence. */
export type TitleRoom = { wish: number; most: number };

export const TITLE_ROOM: TitleRoom = { wish: LONGEST_TITLE, most: LONGEST_WHOLE_TITLE };

/** A shorter part of the length would say less than there is room for. */
const SHORTEST_PART = 0.4;
/** Before this the end of a sentence is an abbreviation or a single word. */
const FIRST_WORDS = 12;
/** Text in an open bracket is more than a remark if less than this precedes it. */
const SHORTEST_WHOLE = 0.6;
const LOOSE_END =
  /[\s,]+(?:the|a|an|to|of|in|for|on|and|or|with|by|that|is|are|from|at|as|when|if|we|i|you|it|this|be|not|but|so|into|than|its|their|our|your|my|und|der|die|das|mit|für)$/i;
/** The number of the next item of a list. */
const NEXT_NUMBER = /[;,] \d{1,2}$/;
const EDGES = /^[\s.,:;\-–—!…"'“”*_#>)]+|[\s.,:;\-–—!…"'“”*_(]+$/g;
const QUESTION =
  /^(?:is|are|was|were|why|how|what|what's|which|who|where|when|does|do|did|should|would|can|could|has|have|isn.t|doesn.t|any|wie|warum|was|wer|wo)\b/i;
/** `sessionState`, `mise.toml`, `a_b`: not to be changed. */
const NAME = /^[a-z][\w-]*(?:[A-Z_./:@]|\(\))/;

export type FittedTitle = { text: string; cut: boolean };

/** One sentence on one line and without signs; cut at a clause, else between two words. */
export function fitTitle(text: string, room = TITLE_ROOM): FittedTitle {
  const ended = firstSentence(onOneLine(text));
  return { text: capital(cutTitle(ended, room)), cut: ended.length > room.wish };
}

/** A sentence on one line, without signs around it and with a capital. */
export function plainTitle(text: string): string {
  const plain = withoutLooseBracket(onOneLine(text));
  return capital(isStatement(plain) ? trimmed(plain.slice(0, -1)) : plain);
}

/** Cut to a length at a clause, else between two words, with no bracket left open. */
export function cutTitle(text: string, room = TITLE_ROOM): string {
  const short = trimmed(text.length > room.wish ? shortened(text, room) : text).replace(NEXT_NUMBER, '');
  return balanced(isStatement(short) ? trimmed(short.slice(0, -1)) : short);
}

function onOneLine(text: string): string {
  return trimmed(text.replace(/[`*]+|(?<!\w)_+(?=\w)|(?<=\w)_+(?!\w)/g, '').replace(/\s+/g, ' '));
}

/** A bracket that was opened earlier. */
function withoutLooseBracket(text: string): string {
  const close = text.indexOf(')');
  return close === -1 || text.slice(0, close).includes('(')
    ? text
    : text.slice(0, close) + text.slice(close + 1);
}

function isStatement(text: string): boolean {
  return /[?？]$/.test(text) && !QUESTION.test(text);
}

function firstSentence(text: string): string {
  const end = /[?!.;](?=\s)/.exec(text.slice(FIRST_WORDS));
  return end ? text.slice(0, FIRST_WORDS + end.index + (end[0] === '?' ? 1 : 0)) : text;
}

/**
 * Never half a sentence that looks like a whole one: to the end of a clause that may stop there, else the whole sentence
 * where there is room beyond the wish, else between two words with a sign that something is missing.
 */
function shortened(text: string, { wish, most }: TitleRoom): string {
  const ends = clauseEnds(text, most).filter((end) => end >= wish * SHORTEST_PART);
  const near = ends.filter((end) => end <= wish).at(-1);
  if (near !== undefined) return text.slice(0, near);
  if (text.length <= most) return text;
  if (ends[0] !== undefined) return text.slice(0, ends[0]);
  const head = text.slice(0, most);
  const space = head.lastIndexOf(' ');
  const words = space > most / 2 ? head.slice(0, space) : wholeCharacters(head.slice(0, -1));
  return `${withoutLooseEnd(words)}…`;
}

function withoutLooseEnd(text: string): string {
  for (let rest = text; ; ) {
    const shorter = rest.replace(LOOSE_END, '');
    if (shorter === rest) return trimmed(rest);
    rest = shorter;
  }
}

function wholeCharacters(text: string): string {
  return /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text;
}

function trimmed(text: string): string {
  const bare = text.replace(EDGES, '');
  return text.trimEnd().endsWith('…') ? `${bare}…` : bare;
}

/** A bracket near the end or a quotation that was cut open is left out. */
function balanced(text: string): string {
  const open = text.lastIndexOf('(');
  const isCut = open > FIRST_WORDS && open > text.length * SHORTEST_WHOLE && !text.includes(')', open);
  const whole = isCut ? withoutLooseEnd(trimmed(text.slice(0, open))) : text;
  if ((whole.match(/"/g)?.length ?? 0) % 2 === 0) return whole;
  const last = whole.lastIndexOf('"');
  return whole.slice(0, last) + whole.slice(last + 1);
}

function capital(text: string): string {
  if (text === '' || NAME.test(text)) return text;
  const [first = ''] = text;
  return first.toUpperCase() + text.slice(first.length);
}
