/** Where an anchor is and whose it is, one bit a rule: `[at, rules, at, rules, ...]`, `at` never falling. */
export type Candidates = readonly number[];

const WIDTH = 4;
const CHUNK = 65_536;
/** Below this a loop is faster than a call that leaves JavaScript. */
const SHORT = 64;
const NONE: Candidates = [];
/** Which two of the four characters a pair can be. */
const FIRST = 1;
const MIDDLE = 2;
const LAST = 4;
/** Pairs of letters that ordinary text is full of. */
const COMMON = new Set(
  'th he in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha as ou io le ve co me de hi ri ro ic ne ea ra ce li ch ll be ma si om ur ss sa la'
    .split(' ')
    .map((pair) => pair.charCodeAt(0) | (pair.charCodeAt(1) << 8)),
);

/**
 * Finds the places where any of many four-character anchors is, in one pass. It looks at every second pair of
 * characters: each anchor shows there either its middle pair, or its first and its last. The text is copied to bytes,
 * chunk by chunk, since four of those can be read at once; characters beyond Latin-1 are folded, so a candidate is only
 * a candidate. At -1 is an anchor whose first character would be before the text, as a NUL.
 */
export function anchorScan(anchorsByRule: readonly (readonly string[])[]): (text: string) => Candidates {
  if (anchorsByRule.length > 32) throw new RangeError('A rule is one bit of a 32-bit word.');
  const marks = new Uint8Array(65_536);
  const heads = new Int32Array(65_536);
  const tails = new Int32Array(65_536);
  // The same few classes are in many anchors.
  const classes = new Map<string, number[]>();
  anchorsByRule.forEach((anchors, rule) => {
    for (const anchor of anchors) {
      const [a, b, c, d] = classesOf(anchor, classes);
      const head = pairs(a!, b!);
      const tail = pairs(c!, d!);
      set(heads, head, 1 << rule);
      set(tails, tail, 1 << rule);
      set(marks, pairs(b!, c!), MIDDLE);
      // One of the two is enough: the one that is met less often.
      if (isMetLess(head, tail)) set(marks, head, FIRST);
      else set(marks, tail, LAST);
    }
  });
  const bytes = new Uint8Array(CHUNK + 8);
  const words = new Uint32Array(bytes.buffer);
  const writer = Buffer.from(bytes.buffer);
  const write = (text: string) => writer.write(text, 1, CHUNK, 'latin1');
  const copy = (text: string) => {
    for (let i = 0; i < text.length; i++) bytes[i + 1] = text.charCodeAt(i);
    return text.length;
  };
  let found: number[] | undefined;

  /** Notes an anchor that begins at a byte. Most pairs that are marked are part of none: their first two characters show it. */
  const test = (start: number, length: number, from: number): void => {
    const head = heads[bytes[start]! | (bytes[start + 1]! << 8)]!;
    if (head === 0) return;
    const rules = head & tails[bytes[start + 2]! | (bytes[start + 3]! << 8)]!;
    if (rules === 0 || start + WIDTH > length) return;
    found ??= [];
    found.push(from - 1 + start, rules);
  };
  /** `i` is where the second character of a marked pair is. */
  const look = (mark: number, i: number, length: number, from: number): void => {
    if ((mark & LAST) !== 0 && i > 2) test(i - 3, length, from);
    if ((mark & MIDDLE) !== 0 && i > 1) test(i - 2, length, from);
    if ((mark & FIRST) !== 0) test(i - 1, length, from);
  };

  return (text) => {
    found = undefined;
    for (let from = 0; from < text.length; from += CHUNK - 2) {
      const whole = from === 0 && text.length <= CHUNK;
      bytes[0] = from === 0 ? 0 : text.charCodeAt(from - 1) & 255;
      const length =
        1 +
        (whole && text.length < SHORT ? copy(text) : write(whole ? text : text.slice(from, from + CHUNK)));
      bytes[length] = bytes[length + 1] = bytes[length + 2] = 0;
      const end = (length + 3) >> 2;
      for (let n = 0; n < end; n++) {
        const word = words[n]!;
        const first = marks[word & 65_535]!;
        const second = marks[word >>> 16]!;
        if ((first | second) === 0) continue;
        if (first !== 0) look(first, 4 * n + 1, length, from);
        if (second !== 0) look(second, 4 * n + 3, length, from);
      }
    }
    return found ?? NONE;
  };
}

/** How many times as often a common pair is met as any other. */
const OFTEN = 20;

/** Or as often. Most heads and tails are so unlike in number that nothing needs to be weighed. */
function isMetLess(head: number[], tail: number[]): boolean {
  if (head.length > OFTEN * tail.length) return false;
  return OFTEN * head.length <= tail.length || weigh(head) <= weigh(tail);
}

function weigh(all: number[]): number {
  let sum = 0;
  for (let at = 0; at < all.length; at++) sum += COMMON.has(all[at]!) ? OFTEN : 1;
  return sum;
}

function set(words: Uint8Array | Int32Array, places: number[], bits: number): void {
  for (let at = 0; at < places.length; at++) words[places[at]!]! |= bits;
}

function classesOf(anchor: string, classes: Map<string, number[]>): number[][] {
  const members = (anchor.match(/\[[^\]]+\]|./gs) ?? []).map((part) => membersOf(part, classes));
  if (members.length !== WIDTH) throw new RangeError(`The anchor ${anchor} is not ${WIDTH} characters wide.`);
  return members;
}

const LATIN = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code)).join('');

function membersOf(part: string, classes: Map<string, number[]>): number[] {
  if (part.length === 1) return [part.charCodeAt(0)];
  const known = classes.get(part);
  if (known) return known;
  const members = (LATIN.match(new RegExp(part, 'gs')) ?? []).map((character) => character.charCodeAt(0));
  classes.set(part, members);
  return members;
}

/** As two bytes are read on a machine whose low byte is first, as all are that Node runs on but one. */
function pairs(first: number[], second: number[]): number[] {
  const all: number[] = [];
  // Nothing is called for a pair: most processes do this once, before any of it is compiled.
  for (let i = 0; i < first.length; i++)
    for (let n = 0; n < second.length; n++) all.push(first[i]! | (second[n]! << 8));
  return all;
}
