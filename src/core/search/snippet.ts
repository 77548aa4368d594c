import { BoundedCache } from '../text/bounded-cache.ts';
import { PerOwner } from '../text/per-owner.ts';
import { type TermStarts, termStarts, termsBeginning, termsOf, tokenPattern } from '../text/terms.ts';
import type { TextRange } from '../text/text-range.ts';

/** A piece of a text on one line, and where the words that were looked for are in it. */
export type Snippet = { text: string; ranges: TextRange[] };

/** `starts`: how all terms begin that it may accept. */
export type Matches = ((term: string) => boolean) & { starts?: TermStarts };

/** Accepts these terms and no other: most words of a text need no stem then. */
export function matchesOf(terms: Iterable<string>): Matches {
  const wanted = new Set(terms);
  return Object.assign((term: string) => wanted.has(term), { starts: termStarts(wanted) });
}

type Match = { start: number; end: number; term: string };

const PLAIN = /^[ -~]*$/;
const CUT = '…';

/**
 * The part of a text, at most `width` UTF-16 units, that contains the most different words looked for; the beginning where
 * it holds none. Cut between words, or between characters where a word is longer than there is room.
 */
export function snippetOf(text: string, matches: Matches, width: number): Snippet {
  const line = text.replace(/\s+/gu, ' ').trim();
  const found = matchesIn(line, matches);
  const room = Math.max(1, line.length <= width ? line.length : width - 2 * CUT.length);
  const [start, end] = line.length <= width ? [0, line.length] : windowOf(line, densest(found, room), room);
  const before = start > 0 ? CUT : '';
  const shift = before.length - start;
  return {
    text: `${before}${line.slice(start, end)}${end < line.length ? CUT : ''}`,
    ranges: found
      .filter((match) => match.start < end && match.end > start)
      .map((match) => [Math.max(match.start, start) + shift, Math.min(match.end, end) + shift]),
  };
}

/** As `snippetOf`, with the ends of lines where they were: what a list, a table or code says depends on them. */
export function passageOf(text: string, matches: Matches, width: number): string {
  const whole = text.trim();
  if (whole.length <= width) return whole;
  // One for one, so that places in it are places in the text.
  const flat = whole.replace(/\s/gu, ' ');
  const room = Math.max(1, width - 2 * CUT.length);
  const [start, end] = windowOf(flat, densest(matchesIn(flat, matches), room), room);
  return `${start > 0 ? CUT : ''}${whole.slice(start, end).trim()}${end < whole.length ? CUT : ''}`;
}

/** Where the words looked for are, in order, none overlapping. */
export function rangesOf(text: string, matches: Matches): TextRange[] {
  return matchesIn(text, matches).map(({ start, end }) => [start, end]);
}

function matchesIn(line: string, matches: Matches): Match[] {
  const looking: Looking = {
    matches,
    known: terms.of(matches, () => new BoundedCache(REMEMBERED)),
    found: [],
  };
  for (const token of line.matchAll(tokenPattern(line))) {
    if (isCjk(token[0])) addCjk(token[0], token.index, looking);
    else add(token[0], token.index, looking);
  }
  return looking.found;
}

type Looking = { matches: Matches; known: BoundedCache<string, string>; found: Match[] };

const REMEMBERED = 20_000;
/** The same words come again and again, in one text and in many: each is looked at once for what is looked for. */
const terms = new PerOwner<Matches, BoundedCache<string, string>>();

function add(token: string, start: number, { matches, known, found }: Looking): void {
  const term = known.get(token) ?? known.set(token, termsFor(token, matches).find(matches) ?? '');
  if (term !== '') found.push({ start, end: start + token.length, term });
}

function termsFor(token: string, { starts }: Matches): readonly string[] {
  return starts ? termsBeginning(token, starts).found : termsOf(token);
}

/** There are no spaces between words: each pair of characters is looked at, as the index contains them. */
function addCjk(token: string, at: number, looking: Looking): void {
  const { matches, found } = looking;
  const runs =
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+/gu;
  for (const run of token.matchAll(runs)) {
    const start = at + run.index;
    const characters = [...run[0]];
    if (!isCjk(run[0]) || characters.length === 1) {
      add(run[0], start, looking);
      continue;
    }
    let from = start;
    for (let i = 0; i + 1 < characters.length; i++) {
      const pair = characters[i]! + characters[i + 1]!;
      if (matches(pair)) addPair(from, from + pair.length, pair, found);
      from += characters[i]!.length;
    }
  }
}

/** Unicode's classes take their time, most of all the first time: plain words are recognized without. */
function isCjk(text: string): boolean {
  return (
    !PLAIN.test(text) &&
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]/u.test(text)
  );
}

function addPair(start: number, end: number, term: string, found: Match[]): void {
  const last = found.at(-1);
  // Pairs overlap: the one before may have its first character already.
  const free = last !== undefined && last.end > start ? last.end : start;
  if (free < end) found.push({ start: free, end, term });
}

/** The stretch of matches, no longer than the room, with the most different terms; then the most matches; then the first. */
function densest(found: Match[], room: number): TextRange | undefined {
  const inside = new Map<string, number>();
  let best: TextRange | undefined;
  let score = 0;
  let left = 0;
  found.forEach((match, right) => {
    inside.set(match.term, (inside.get(match.term) ?? 0) + 1);
    while (left < right && match.end - found[left]!.start > room) leave(inside, found[left++]!.term);
    const here = inside.size + (right - left + 1) / (found.length + 1);
    if (here <= score) return;
    score = here;
    best = [found[left]!.start, match.end];
  });
  return best;
}

function leave(inside: Map<string, number>, term: string): void {
  const left = inside.get(term)! - 1;
  if (left === 0) inside.delete(term);
  else inside.set(term, left);
}

/** The stretch with as much around it as there is room for, a third of that before it. */
function windowOf(line: string, stretch: TextRange | undefined, room: number): TextRange {
  if (stretch === undefined) return [0, endBefore(line, 0, room)];
  const [from, to] = stretch;
  if (to - from >= room) return [from, wholeCharacter(line, from + room, from)];
  const spare = room - (to - from);
  const after = Math.min(spare - Math.floor(spare / 3), line.length - to);
  const start = startAfter(line, Math.max(0, from - (spare - after)), from);
  return [start, endBefore(line, to, Math.min(line.length, start + room))];
}

/** The first beginning of a word from `least` on, not after `from`. */
function startAfter(line: string, least: number, from: number): number {
  if (least === 0) return 0;
  const space = line.indexOf(' ', least - 1);
  if (space !== -1 && space < from) return space + 1;
  return nextCharacter(line, least, from);
}

/** The last end of a word up to `most`, not before `to`. */
function endBefore(line: string, to: number, most: number): number {
  if (most >= line.length) return line.length;
  const space = line.lastIndexOf(' ', most);
  return space > to ? space : wholeCharacter(line, most, to);
}

/** The place itself, or the first one before it that is not inside a character; never before `least`. */
function wholeCharacter(line: string, place: number, least: number): number {
  let at = place;
  while (at > least && isInside(line, at)) at--;
  if (at > least) return at;
  // Nothing but joined characters that far back: an accent may be cut off, half a pair may not.
  return isHalf(line, place) ? place - 1 : place;
}

function nextCharacter(line: string, place: number, most: number): number {
  let at = place;
  while (at < most && isInside(line, at)) at++;
  return at;
}

function isInside(line: string, at: number): boolean {
  if (isHalf(line, at)) return true;
  const here = line.codePointAt(at);
  return (here !== undefined && isJoined(here)) || line[at - 1] === '\u200d';
}

/** Characters that belong to the one before: accents, joiners, variants, skin tones. */
function isJoined(character: number): boolean {
  return character > 0x7e && /\p{M}|\u200d|\p{Emoji_Modifier}/u.test(String.fromCodePoint(character));
}

function isHalf(line: string, at: number): boolean {
  const before = line.charCodeAt(at - 1);
  const here = line.charCodeAt(at);
  return before >= 0xd800 && before < 0xdc00 && here >= 0xdc00 && here < 0xe000;
}
