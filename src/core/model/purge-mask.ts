import { createHash } from 'node:crypto';

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
};

export type PurgedText = { salt: string; marks: PurgeMark[] };

export type Match = { start: number; end: number; fill: [from: number, to: number][] };

const BASE = 0x01000193;
const BITS = 16;
const WORD = '[purged]';

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
  /** Bytes of the longest: pieces of a file must overlap by so many. */
  readonly longest: number;
  readonly #rows: Row[];

  constructor(texts: readonly PurgedText[]) {
    const rows = new Map<number, Row>();
    for (const { salt, marks } of texts) {
      for (const mark of marks) {
        const row = rows.get(mark.length) ?? newRow(mark.length);
        row.rolls.set(mark.roll, [...(row.rolls.get(mark.roll) ?? []), { mark, salt }]);
        row.bits[mark.roll & ((1 << BITS) - 1)] = 1;
        rows.set(mark.length, row);
      }
    }
    this.#rows = [...rows.values()];
    this.longest = Math.max(0, ...rows.keys());
  }

  /** Matches in their order; of those that overlap, all. `json`: what follows an odd backslash is no text. */
  find(bytes: Uint8Array, json: boolean): Match[] {
    return this.#rows.flatMap((row) => findIn(bytes, row, json)).sort((a, b) => a.start - b.start);
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

function newRow(length: number): Row {
  let power = 1;
  for (let step = 1; step < length; step++) power = Math.imul(power, BASE);
  return { length, power, bits: new Uint8Array(1 << BITS), rolls: new Map() };
}

function findIn(bytes: Uint8Array, { length, power, bits, rolls }: Row, json: boolean): Match[] {
  const found: Match[] = [];
  if (length === 0 || bytes.length < length) return found;
  const low = (1 << BITS) - 1;
  let roll = rollOf(bytes.subarray(0, length)) | 0;
  for (let end = length; ; end++) {
    if (bits[roll & low] === 1) {
      const wanted = rolls.get(roll >>> 0);
      if (wanted) {
        const match = confirmed(bytes, [end - length, end], wanted, json);
        if (match) found.push(match);
      }
    }
    if (end >= bytes.length) return found;
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
