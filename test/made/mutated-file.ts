import type { Happening } from './happening.ts';

/** The content of the files that are damaged: everything that an agent writes. */
export const MUTATED_SESSION: Happening[] = [
  { kind: 'ask', text: 'Why is the basket empty?' },
  { kind: 'answer', text: 'The cookie is gone.' },
  { kind: 'run', command: 'npm test', output: 'failed', fails: true },
  { kind: 'ask', text: 'Never delete the cookie.' },
];
/** Words that show that a file still contains some of it. */
export const MUTATED_WORDS = /basket empty|cookie is gone|npm test|delete the cookie/;

const PIECES = [
  'null',
  '[]',
  '{}',
  '"x"',
  '-1',
  '1e400',
  '\u0000',
  '}',
  '{"',
  '\\',
  '"\\ud800"',
  '999999999999999999',
];

/** Pseudo-random numbers, the same in every run. */
export function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Bytes changed, cut out, repeated or put in; values replaced by others; lines swapped. */
export function mutatedText(text: string, chance: () => number): string {
  let out = text;
  const place = () => Math.floor(chance() * out.length);
  for (let times = 1 + Math.floor(chance() * 4); times > 0; times--) {
    const [from, to] = [place(), place()].sort((a, b) => a - b) as [number, number];
    const piece = PIECES[Math.floor(chance() * PIECES.length)] ?? '';
    const kind = Math.floor(chance() * 6);
    if (kind === 0)
      out = out.slice(0, from) + String.fromCharCode(Math.floor(chance() * 256)) + out.slice(from + 1);
    else if (kind === 1) out = out.slice(0, from) + out.slice(Math.min(to, from + 40));
    else if (kind === 2) out = out.slice(0, to) + out.slice(from);
    else if (kind === 3) out = out.slice(0, from) + piece + out.slice(from);
    else if (kind === 4)
      out = out.replace(/:\s*(?:"[^"]*"|\d+|true|false|null)/g, (it) => (chance() < 0.06 ? `:${piece}` : it));
    else out = out.split('\n').reverse().join('\n');
  }
  return out;
}

/** Bytes of a database changed, cut out at its end or overwritten by others of it. */
export function mutatedBytes(bytes: Buffer, chance: () => number): Buffer {
  let out = Buffer.from(bytes);
  const place = () => Math.floor(chance() * out.length);
  for (let times = 1 + Math.floor(chance() * 4); times > 0 && out.length > 0; times--) {
    const kind = Math.floor(chance() * 5);
    if (kind < 3)
      for (let left = 1 + chance() * 8; left > 0; left--) out[place()] = Math.floor(chance() * 256);
    else if (kind === 3) out.copy(out, place(), place(), place());
    else if (chance() < 0.3) out = out.subarray(0, place());
  }
  return out;
}

/** Values replaced and lines in another order: no text takes the place of another. */
export function withOtherValues(text: string, chance: () => number): string {
  const piece = () => PIECES[Math.floor(chance() * PIECES.length)] ?? '';
  const changed = text.replace(/:\s*(?:"[^"]*"|\d+|true|false|null)/g, (it) =>
    chance() < 0.15 ? `:${piece()}` : it,
  );
  return chance() < 0.2 ? changed.split('\n').reverse().join('\n') : changed;
}
