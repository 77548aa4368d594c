import { secretSpans } from '../redact.ts';
import { isHost, isRandom } from './secret-shape.ts';

/** A value of this length is no word; a shorter one must look random. */
const LONG = 12;
const SHORTEST = 8;
/** Of a private key only whole lines say something. */
const KEY_LINE = 24;
/** Without quotes, backslashes and blanks: as many bytes in JSON as it has characters. */
const PLAIN = /^[!#-&(-[\]-~]{8,4096}$/;
/** More than any session holds that is not a list of made-up ones. */
const MOST = 200;
const DEEPEST = 8;
const COVER = '[redacted]';

/** The values that the redaction recognizes in a text and that must not be anywhere else in its session. */
function recognizedIn(text: string): string[] {
  return secretSpans(text).flatMap(({ start, end, kind }) => {
    const values = text.slice(start, end).split(/\s+|\\+[nrt]/);
    return values.filter((value) => isDistinct(value, kind === 'private-key' ? KEY_LINE : LONG));
  });
}

function isDistinct(value: string, long: number): boolean {
  if (!PLAIN.test(value) || value.length < SHORTEST || isHost(value)) return false;
  return value.length >= long || (long === LONG && isRandom(value));
}

/** The secrets of one session, in memory only. Each is covered by as many characters, so that every place stays. */
export class KnownSecrets {
  /** The longer ones first: one may be part of another. */
  #values: string[] = [];

  /** Notes what is recognized in a line as it is stored; gives what is new. */
  note(line: string): string[] {
    const fresh: string[] = [];
    for (const found of recognizedIn(line)) {
      if (this.#values.length >= MOST || this.#values.includes(found)) continue;
      this.#values.push(found);
      fresh.push(found);
    }
    if (fresh.length > 0) this.#values.sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
    return fresh;
  }

  /** A value with every known secret in its texts covered, but where the redaction recognizes it anyway. */
  cover<T>(value: T): T {
    return this.#values.length === 0 ? value : (mapTexts(value, 0, (text) => this.#covered(text)) as T);
  }

  #covered(text: string): string {
    const held = this.#values.filter((value) => text.includes(value));
    if (held.length === 0) return text;
    const spans = secretSpans(text);
    let out = text;
    for (const value of held) {
      for (let at = out.indexOf(value); at !== -1; at = out.indexOf(value, at + value.length)) {
        const end = at + value.length;
        if (spans.some((span) => span.start <= at && span.end >= end)) continue;
        out = out.slice(0, at) + coverOf(value.length) + out.slice(end);
      }
    }
    return out;
  }
}

function coverOf(length: number): string {
  return length < COVER.length ? '*'.repeat(length) : COVER + '*'.repeat(length - COVER.length);
}

function mapTexts(value: unknown, depth: number, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value);
  if (typeof value !== 'object' || value === null || depth >= DEEPEST) return value;
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, depth + 1, map));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, mapTexts(item, depth + 1, map)]),
  );
}

/** What a secret's bytes have in every spelling of JSON: its longest run of letters and digits. */
export function needleOf(value: string): string {
  const runs = value.match(/[A-Za-z0-9]+/g) ?? [];
  return runs.reduce((longest, run) => (run.length > longest.length ? run : longest), '');
}
