export type Candidate = { at: number; rules: number };

const WIDTH = 4;
const LONGEST_STEP = WIDTH - 1;

/**
 * Wu and Manber's multi-pattern search: looks at two characters and steps ahead as far as no anchor can end, so that
 * ordinary text costs about one look for every two or three characters, however many rules there are (at most 32).
 * Finds at least every anchor; `find` of a rule makes sure. Characters beyond Latin-1 are folded, which only costs looks.
 */
export function anchorTable(
  anchorsByRule: readonly (readonly string[])[],
): (text: string, from: number) => Candidate | undefined {
  if (anchorsByRule.length > 32) throw new RangeError('A rule is one bit of a 32-bit word.');
  const step = new Uint8Array(65_536).fill(LONGEST_STEP);
  const head = new Int32Array(65_536);
  const tail = new Int32Array(65_536);
  anchorsByRule.forEach((anchors, rule) => {
    for (const anchor of anchors) {
      const [a, b, c, d] = classesOf(anchor);
      for (const pair of pairs(a!, b!)) {
        step[pair] = Math.min(step[pair]!, 2);
        head[pair]! |= 1 << rule;
      }
      for (const pair of pairs(b!, c!)) step[pair] = Math.min(step[pair]!, 1);
      for (const pair of pairs(c!, d!)) {
        step[pair] = 0;
        tail[pair]! |= 1 << rule;
      }
    }
  });
  return (text, from) => {
    const length = text.length;
    let i = from + LONGEST_STEP;
    if (from < 0) {
      // An anchor may ask for a character before the token; before the text stands a NUL.
      i = LONGEST_STEP;
      const pair = (text.charCodeAt(1) << 8) | text.charCodeAt(2);
      const rules = length < LONGEST_STEP ? 0 : tail[pair & 65_535]! & head[text.charCodeAt(0) & 255]!;
      if (rules !== 0) return { at: -1, rules };
    }
    while (i < length) {
      const pair = ((text.charCodeAt(i - 1) & 255) << 8) | (text.charCodeAt(i) & 255);
      const ahead = step[pair]!;
      if (ahead !== 0) {
        i += ahead;
        continue;
      }
      const first = ((text.charCodeAt(i - 3) & 255) << 8) | (text.charCodeAt(i - 2) & 255);
      const rules = tail[pair]! & head[first]!;
      if (rules !== 0) return { at: i - LONGEST_STEP, rules };
      i += 1;
    }
    return undefined;
  };
}

function classesOf(anchor: string): number[][] {
  const classes = (anchor.match(/\[[^\]]+\]|./gs) ?? []).map(membersOf);
  if (classes.length !== WIDTH) throw new RangeError(`The anchor ${anchor} is not ${WIDTH} characters wide.`);
  return classes;
}

function membersOf(part: string): number[] {
  if (part.length === 1) return [part.charCodeAt(0)];
  const members: number[] = [];
  const inside = new RegExp(part);
  for (let code = 0; code < 256; code++) if (inside.test(String.fromCharCode(code))) members.push(code);
  return members;
}

function pairs(first: number[], second: number[]): number[] {
  return first.flatMap((a) => second.map((b) => (a << 8) | b));
}
