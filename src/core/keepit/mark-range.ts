import type { TextEntry } from '../model/entry.ts';
import { shortHash } from '../model/ids.ts';
import { redact } from '../text/redact.ts';
import { blankInjected } from './find-markers.ts';

/** A range of a message as a marker: what an overlay records of it. */
export type MarkedRange = {
  markerId: string;
  messageUuid: string;
  content: string;
  position: { start: number; end: number };
  context: string;
  origin: 'user' | 'assistant';
  src: number;
  /** When the words were said. */
  saidAt: string;
};

/** Characters on either side, for display. */
const CONTEXT = 80;

/** The marker that a range of a message makes, or what is wrong with it. White space at its ends does not count. */
export function markRange(
  entry: TextEntry,
  sessionId: string,
  range: { start: number; end: number },
): MarkedRange | { wrong: string } {
  if (entry.kind !== 'user' && entry.kind !== 'assistant') return { wrong: 'Only messages can be kept.' };
  const text = blankInjected(entry.text);
  const { length } = text;
  if (!(range.start >= 0 && range.start < range.end && range.end <= length))
    return { wrong: `This message has the characters 0:${length}.` };
  const words = text.slice(...whole(text, range));
  const start = whole(text, range)[0] + (words.length - words.trimStart().length);
  const content = words.trim();
  const end = start + content.length;
  if (content === '') return { wrong: 'The range contains no text.' };
  const sides = [text.slice(0, start), content, text.slice(end)].map((part) => redact(part).text);
  // Half a secret has no shape: redacted separately it would be shown.
  if (sides.join('') !== redact(text).text)
    return { wrong: 'The range begins or ends inside something that looks like a secret.' };
  const [before, inside, after] = sides as [string, string, string];
  return {
    // With the end in it: never the id of a marker that was written here.
    markerId: `k_${shortHash(`${sessionId}\n${entry.id}\n${start}:${end}`, 16)}`,
    messageUuid: entry.id,
    content: inside,
    position: { start, end },
    context:
      `${oneLine(before).trimEnd().slice(-CONTEXT)} … ${oneLine(after).trimStart().slice(0, CONTEXT)}`.trim(),
    origin: entry.kind,
    src: entry.src[0],
    saidAt: entry.ts,
  };
}

/** Where words are in a text: letter for letter, else with other white space between them. */
export function placesOfWords(text: string, words: string): { start: number; end: number }[] {
  const wanted = words.trim();
  if (wanted === '') return [];
  const own = blankInjected(text);
  const exact = placesOf(own, new RegExp(escaped(wanted), 'g'));
  if (exact.length > 0 || !/\s/.test(wanted)) return exact;
  return placesOf(own, new RegExp(wanted.split(/\s+/).map(escaped).join('\\s+'), 'g'));
}

function placesOf(text: string, pattern: RegExp): { start: number; end: number }[] {
  return [...text.matchAll(pattern)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/** A range never cuts a character in two. */
function whole(text: string, { start, end }: { start: number; end: number }): [number, number] {
  return [isInside(text, start) ? start - 1 : start, isInside(text, end) ? end + 1 : end];
}

function isInside(text: string, at: number): boolean {
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(at - 1, at + 1)) && at > 0;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}
