import { entryStarts } from './entry.ts';
import { type CountTokens, LIMITS } from './limits.ts';

const DATED = /^## (\d{4}-\d\d-\d\d)[_ ](\d\d):?(\d\d)(?::?\d\d)?(?=$|\s)(.*)$/gm;
const QUARTER_MS = 15 * 60 * 1000;
/** The farthest that a wall clock is from UTC, in quarters of an hour. */
const FARTHEST = 14 * 4;

export type ToLocal = (iso: string) => string;

/** Headings with the time on someone's wall get UTC in front and that time behind it; those that have it stay. */
export function toUtcHeadings(text: string, local: ToLocal): { text: string; changed: number } {
  let changed = 0;
  const made = text.replace(DATED, (...found: string[]) => {
    const [whole = '', day = '', hour = '', minute = '', rest = ''] = found;
    // `UTC`, or both times as they are written now.
    if (/^\s*(?:\(local |UTC\b|Z\b)/.test(rest)) return whole;
    const utc = utcOf(`${day} ${hour}:${minute}`, local);
    if (utc === undefined) return whole;
    changed++;
    const stamp = utc.slice(0, 16).replace('T', '_').replace(':', '');
    return `## ${stamp} (local ${day.slice(5)}_${hour}${minute})${rest}`;
  });
  return { text: made, changed };
}

/** The moment at which a wall clock showed this time. In the hour that a clock repeats, the first. */
export function utcOf(wall: string, local: ToLocal): string | undefined {
  const guess = Date.parse(`${wall.replace(' ', 'T')}:00Z`);
  if (Number.isNaN(guess)) return undefined;
  for (let step = -FARTHEST; step <= FARTHEST; step++) {
    const utc = new Date(guess + step * QUARTER_MS).toISOString();
    if (local(utc).slice(0, 16).replace('T', ' ') === wall) return utc;
  }
  return undefined;
}

/** Splits a text into parts of at most this many tokens, at entries if possible, otherwise at lines. */
export function splitOversized(text: string, count: CountTokens, most = LIMITS.rotateAbove): string[] {
  if (count(text) <= most) return [text];
  const parts: string[] = [];
  let part = '';
  let tokens = 0;
  const add = (piece: string) => {
    const more = count(piece);
    if (part !== '' && tokens + more > most) {
      parts.push(part);
      [part, tokens] = ['', 0];
    }
    part += piece;
    tokens += more;
  };
  for (const entry of pieces(text, entryStarts(text))) {
    if (count(entry) <= most) add(entry);
    else for (const line of entry.split(/(?<=\n)/)) add(line);
  }
  if (part !== '') parts.push(part);
  return parts;
}

/** When the last entry of a text was made: UTC, ISO. */
export function lastDated(text: string): string | undefined {
  const last = [...text.matchAll(DATED)].at(-1);
  return last === undefined ? undefined : `${last[1]}T${last[2]}:${last[3]}:00.000Z`;
}

function pieces(text: string, starts: number[]): string[] {
  const cuts = [0, ...starts.filter((start) => start > 0), text.length];
  return cuts.slice(0, -1).map((cut, index) => text.slice(cut, cuts[index + 1]));
}
