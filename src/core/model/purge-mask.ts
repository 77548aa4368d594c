import { createHash } from 'node:crypto';
import { type Unescaped, unescaped } from './unescaped.ts';

/**
 * One form of bytes that must not be stored, described without containing it: its length, a rolling hash to find it by, a salted
 * sha256 to be sure.
 */
export type PurgeMark = {
  length: number;
  roll: number;
  hash: string;
  /** Only this of it is overwritten, from and to; without it all. */
  ranges?: [from: number, to: number][] | undefined;
  /** As it is in plain text; in JSON these bytes are no text but structure. */
  plain?: true | undefined;
  /** Of the text as `unescaped` reads it, its blanks at both ends left out; `roll` is that of its first bytes. */
  unescaped?: true | undefined;
  /** Only where dots behind it say that it was cut off; what is between goes, too. */
  cut?: true | undefined;
};

export type PurgedText = {
  salt: string;
  marks: PurgeMark[];
  /** Words that every spelling contains, for a quick search; they are never stored. */
  words?: string[] | undefined;
};

export type Match = { start: number; end: number; fill: [from: number, to: number][] };

const BASE = 0x01000193;
const BITS = 16;
const WORD = '[purged]';
/** Of an unescaped text, this many bytes are searched first: one pass through a file finds texts of all lengths. */
const WINDOW = 16;
/** How far behind a text that was cut off its dots may be, in bytes. */
const CUT = 400;
export function rollOf(bytes: Uint8Array): number {
  let roll = 0;
  for (let at = 0; at < bytes.length; at++) roll = (Math.imul(roll, BASE) + bytes[at]!) | 0;
  return roll >>> 0;
}

export function saltedHash(salt: string, bytes: Uint8Array): string {
  return createHash('sha256').update(salt).update(bytes).digest('hex');
}

/** What is in its place: as many bytes, harmless in JSON and in text, and a word for a reader where there is room. */
export function fillOf(length: number): Buffer {
  return Buffer.from(length < WORD.length ? '*'.repeat(length) : WORD.padEnd(length));
}

type Wanted = { mark: PurgeMark; salt: string };
type Row = { length: number; power: number; bits: Uint8Array; rolls: Map<number, Wanted[]> };

/** Finds purged texts in bytes. Every place keeps its length, so that offsets into a file stay true. */
export class PurgeMask {
  /** Bytes of the longest text: pieces of a file must overlap by this much. */
  readonly longest: number;
  readonly #rows: Row[];
  readonly #unescaped: Row[];
  readonly #words: Buffer[] | undefined;

  constructor(texts: readonly PurgedText[]) {
    const raw = new Map<number, Row>();
    const unescapedRows = new Map<number, Row>();
    let longest = 0;
    for (const { salt, marks } of texts) {
      for (const mark of marks) {
        const rows = mark.unescaped ? unescapedRows : raw;
        const length = mark.unescaped ? Math.min(mark.length, WINDOW) : mark.length;
        const row = rows.get(length) ?? newRow(length);
        row.rolls.set(mark.roll, [...(row.rolls.get(mark.roll) ?? []), { mark, salt }]);
        row.bits[mark.roll & ((1 << BITS) - 1)] = 1;
        rows.set(length, row);
        longest = Math.max(longest, mark.unescaped ? written(mark.length) : mark.length);
      }
    }
    this.#rows = [...raw.values()];
    this.#unescaped = [...unescapedRows.values()];
    this.longest = longest;
    const words = texts.map((text) => text.words);
    this.#words = words.includes(undefined)
      ? undefined
      : words.flatMap((all) => (all ?? []).map((word) => Buffer.from(word)));
  }

  /** Matches in their order; of those that overlap, all. `json`: what follows an odd backslash is no text. */
  find(bytes: Uint8Array, json: boolean): Match[] {
    if (this.#words && !mayHold(bytes, this.#words)) return [];
    const found = this.#rows.flatMap((row) => findIn(bytes, row, json));
    if (this.#unescaped.length > 0) {
      const text = unescaped(bytes, json);
      for (const row of this.#unescaped) found.push(...findUnescaped(bytes, text, row));
    }
    return found.sort((a, b) => a.start - b.start);
  }

  /** Overwrites matches in place and gives them. */
  apply(bytes: Uint8Array, json: boolean): Match[] {
    const found = this.find(bytes, json);
    for (const { fill } of found) for (const [from, to] of fill) bytes.set(fillOf(to - from), from);
    return found;
  }

  /** A text without them: what JSON would write of it is looked at, too. */
  clean(text: string): string {
    const bytes = Buffer.from(text);
    return this.apply(bytes, false).length === 0 ? text : bytes.toString('utf8');
  }
}

/** The mark of a text in all the ways that it may be written; undefined where too little of it is left. */
export function unescapedMark(text: string, salt: string, shortest: number): PurgeMark | undefined {
  const { bytes } = unescaped(Buffer.from(text.trim()), false);
  if (bytes.length < shortest) return undefined;
  const roll = rollOf(bytes.subarray(0, WINDOW));
  return { length: bytes.length, roll, hash: saltedHash(salt, bytes), unescaped: true };
}

/** The longest word of a text that no escape and no Unicode form changes, but those that `mayHold` looks for. */
export function plainWord(text: string): string | undefined {
  const words = text.normalize('NFKD').match(/(?<![\\\p{M}])[A-Za-z0-9]+(?!\p{M})/gu) ?? [];
  const longest = words.reduce((a, b) => (b.length > a.length ? b : a), '');
  return longest.length >= 4 ? longest : undefined;
}

/** How many bytes a text may take with its escapes; longer ones have few for their length. */
function written(length: number): number {
  return length < 4096 ? 8 * length + 512 : 2 * length + 8 * 4096;
}

/** Escapes for ASCII signs, and letters that are ASCII ones in another form. */
const DISGUISES = [
  ...['2', '3', '4', '5', '6', '7'].map((digit) => Buffer.from(`\\u00${digit}`)),
  ...[
    [0xef, 0xbc],
    [0xef, 0xbd],
    [0xef, 0xac],
    [0xf0, 0x9d],
  ].map((start) => Buffer.from(start)),
];

function mayHold(source: Uint8Array, words: Buffer[]): boolean {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  return words.some((word) => bytes.includes(word)) || DISGUISES.some((start) => bytes.includes(start));
}

function newRow(length: number): Row {
  let power = 1;
  for (let step = 1; step < length; step++) power = Math.imul(power, BASE);
  return { length, power, bits: new Uint8Array(1 << BITS), rolls: new Map() };
}

function findIn(bytes: Uint8Array, row: Row, json: boolean): Match[] {
  const found: Match[] = [];
  eachCandidate(bytes, row, (start, wanted) => {
    const match = confirmed(bytes, [start, start + row.length], wanted, json);
    if (match) found.push(match);
  });
  return found;
}

function findUnescaped(raw: Uint8Array, { bytes, starts }: Unescaped, row: Row): Match[] {
  const found: Match[] = [];
  eachCandidate(bytes, row, (first, wanted) => {
    for (const { mark, salt } of wanted) {
      const last = first + mark.length;
      // In the middle of a unit it is another character.
      if (last > bytes.length || starts[first] === starts[first - 1] || starts[last] === starts[last - 1])
        continue;
      if (saltedHash(salt, bytes.subarray(first, last)) !== mark.hash) continue;
      const start = starts[first]!;
      const end = mark.cut ? endOfCut(raw, bytes, starts, last) : starts[last]!;
      if (end !== undefined) found.push({ start, end, fill: [[start, end]] });
    }
  });
  return found;
}

/** Where a text that was cut off ends: before its dots, on the same line, in the same value. */
function endOfCut(raw: Uint8Array, bytes: Uint8Array, starts: Uint32Array, from: number): number | undefined {
  for (let at = from; at < Math.min(bytes.length, from + CUT); at++) {
    if (bytes[at] === 0xff || raw[starts[at]!] === 10) return undefined;
    if (bytes[at] === 46 && bytes[at + 1] === 46 && bytes[at + 2] === 46) return starts[at];
  }
  return undefined;
}

function eachCandidate(
  bytes: Uint8Array,
  { length, power, bits, rolls }: Row,
  see: (start: number, wanted: Wanted[]) => void,
): void {
  if (length === 0 || bytes.length < length) return;
  const low = (1 << BITS) - 1;
  let roll = rollOf(bytes.subarray(0, length)) | 0;
  for (let end = length; ; end++) {
    if (bits[roll & low] === 1) {
      const wanted = rolls.get(roll >>> 0);
      if (wanted) see(end - length, wanted);
    }
    if (end >= bytes.length) return;
    const out = bytes[end - length]!;
    roll = (Math.imul((roll - Math.imul(out, power)) | 0, BASE) + bytes[end]!) | 0;
  }
}

function confirmed(
  bytes: Uint8Array,
  [start, end]: [start: number, end: number],
  wanted: Wanted[],
  json: boolean,
): Match | undefined {
  if (json && isEscaped(bytes, start)) return undefined;
  const here = bytes.subarray(start, end);
  for (const { mark, salt } of wanted) {
    if ((json && mark.plain) || saltedHash(salt, here) !== mark.hash) continue;
    const fill = mark.ranges?.map(([from, to]): [number, number] => [start + from, start + to]);
    return { start, end, fill: fill ?? [[start, end]] };
  }
  return undefined;
}

function isEscaped(bytes: Uint8Array, at: number): boolean {
  let slashes = 0;
  while (bytes[at - 1 - slashes] === 92) slashes++;
  return slashes % 2 === 1;
}
