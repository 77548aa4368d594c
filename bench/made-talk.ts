import type { Turn } from '../test/made/conversation.ts';

const WORDS =
  'cache token parser index branch commit migration schema retry timeout queue worker lock manifest checksum refactor release deploy rollback snapshot render widget layout palette socket stream buffer encoder decoder router handler middleware session cookie fixture assertion coverage profile allocator thread signal daemon kernel cursor segment posting stemmer ranking'.split(
    ' ',
  );

/** A session with this many turns about a few topics, at its own hour. */
export function madeTalk(random: () => number, session: number, turns: number): Turn[] {
  return Array.from({ length: turns / 2 }, (_, n) => ({
    you: `In task ${session}, what about the ${anyWord(random)} and the ${anyWord(random)} of module${Math.floor(random() * 500)}?`,
    agent: `The ${anyWord(random)} of module${Math.floor(random() * 500)} wants a ${anyWord(random)} before the ${anyWord(random)} is done; ${anyWord(random)} first, then ${anyWord(random)}. Step ${n}.`,
    at: new Date(Date.UTC(2026, 0, 1) + session * 3_600_000 + n * 60_000).toISOString(),
  }));
}

export function anyWord(random: () => number): string {
  return WORDS[Math.floor(random() * WORDS.length)]!;
}

/** Deterministic random numbers: every run makes the same text. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
