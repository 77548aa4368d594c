import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isOneSession, sessionAgreement } from './one-session.ts';

test('all of it in one session is enough when no other comes near, and less of it the further ahead it is', () => {
  expect(isOneSession({ share: 1, ahead: 0.95 })).toBe(true);
  expect(isOneSession({ share: 1, ahead: 0.8 })).toBe(false);
  expect(isOneSession({ share: 0.6, ahead: 1.1 })).toBe(false);
  expect(isOneSession({ share: 0.6, ahead: 1.4 })).toBe(true);
});

test('however far ahead, a session with a small share is not the one; none at all never is', () => {
  expect(isOneSession({ share: 0.2, ahead: Number.POSITIVE_INFINITY })).toBe(false);
  expect(isOneSession({ share: 0, ahead: Number.POSITIVE_INFINITY })).toBe(false);
});

test('more evidence never says less', () => {
  const part = fc.double({ min: 0, max: 1, noNaN: true });
  const ahead = fc.double({ min: 0, max: 4, noNaN: true });
  fc.assert(
    fc.property(part, part, ahead, ahead, (a, b, c, d) => {
      const less = isOneSession({ share: Math.min(a, b), ahead: Math.min(c, d) });
      const more = isOneSession({ share: Math.max(a, b), ahead: Math.max(c, d) });
      expect(more || !less).toBe(true);
    }),
  );
});

test('the session of the best exchange has its share of the chances, and is as far ahead as the best of another is behind', () => {
  const looked = [
    { session: 7, score: 3, chance: 0.4 },
    { session: 8, score: 2.4, chance: 0.3 },
    { session: 7, score: 2, chance: 0.2 },
  ];
  const ranked = [...looked, { session: 9, score: 2.5 }].sort((a, b) => b.score - a.score);
  const found = sessionAgreement(looked, ranked);
  expect(found.share).toBeCloseTo(0.6);
  expect(found.ahead).toBeCloseTo(3 / 2.5);
  expect(sessionAgreement(looked.slice(0, 1), looked.slice(0, 1)).ahead).toBe(Number.POSITIVE_INFINITY);
  expect(isOneSession(sessionAgreement([], []))).toBe(false);
});
