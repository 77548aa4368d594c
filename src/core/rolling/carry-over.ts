import { entryStarts } from './entry.ts';
import type { CountTokens } from './limits.ts';

/**
 * From where a text is carried over: the earliest place whose rest has at most `most` tokens. Where an entry begins; in
 * an entry that is longer than that where a line does; in such a line where a sentence does. Never inside a sentence.
 */
export function carryStart(text: string, most: number, count: CountTokens): number {
  const entries = entryStarts(text);
  const found = earliest(text, entries, most, count);
  if (found < text.length) return found;
  const last = entries.at(-1) ?? 0;
  // An entry's first line comes before its rest.
  const heading = entries.length === 0 ? 0 : count(text.slice(last, text.indexOf('\n', last) + 1));
  const room = Math.max(0, most - heading);
  const inside = earliest(text, lineStarts(text, last), room, count);
  if (inside < text.length) return inside;
  const line = lineStarts(text, last).findLast((at) => text.slice(at).trim() !== '') ?? last;
  return earliest(text, sentenceStarts(text, line), room, count);
}

/** By halves, since a longer rest never has fewer tokens by more than a few; then checked. */
function earliest(text: string, places: number[], most: number, count: CountTokens): number {
  const fits = (place: number) => count(text.slice(place)) <= most;
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (fits(places[middle]!)) high = middle;
    else low = middle + 1;
  }
  while (low < places.length && !fits(places[low]!)) low++;
  const place = places[low];
  return place === undefined || text.slice(place).trim() === '' ? text.length : place;
}

function lineStarts(text: string, from: number): number[] {
  const starts: number[] = [];
  for (let at = text.indexOf('\n', from); at !== -1 && at + 1 < text.length; at = text.indexOf('\n', at + 1))
    starts.push(at + 1);
  return starts;
}

function sentenceStarts(text: string, from: number): number[] {
  const ends = /[.!?…]+["'”’)\]]*\s+|[。！？]+[」』”）]*/gu;
  return [...text.slice(from).matchAll(ends)].map((match) => from + match.index + match[0].length);
}
