import fc from 'fast-check';

/** One thing that happens in a session, whichever agent it is of. */
export type Happening =
  | { kind: 'ask'; text: string }
  | { kind: 'answer'; text: string }
  | { kind: 'run'; command: string; output: string; fails: boolean };

const words = fc
  .string({ minLength: 1, maxLength: 40 })
  .filter((text) => /\w/.test(text) && !/[<>#[]/.test(text));
const happening: fc.Arbitrary<Happening> = fc.oneof(
  fc.record({ kind: fc.constant('ask' as const), text: words }),
  fc.record({ kind: fc.constant('answer' as const), text: words }),
  fc.record({ kind: fc.constant('run' as const), command: words, output: words, fails: fc.boolean() }),
);

/** Some words come twice: the same thing said again is said twice. */
export const happenings: fc.Arbitrary<Happening[]> = fc
  .array(happening, { minLength: 1, maxLength: 12 })
  .chain((list) => fc.shuffledSubarray(list, { minLength: 0 }).map((again) => [...list, ...again]));

/** A second for each thing. */
export const at = (index: number) => new Date(Date.UTC(2026, 0, 5) + index * 1000).toISOString();
