import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fingerprint } from './fingerprint.ts';

test('the same lists have the same, any other list another one', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), fc.array(fc.string()), (one, other) => {
      expect(fingerprint(one) === fingerprint(other)).toBe(JSON.stringify(one) === JSON.stringify(other));
      expect(fingerprint(one)).toMatch(/^[0-9a-f]{16}$/);
    }),
  );
  expect(fingerprint(['ab', 'c'])).not.toBe(fingerprint(['a', 'bc']));
  expect(fingerprint(['a'])).not.toBe(fingerprint(['a', '']));
});

test('a hundred thousand stamps that differ in one digit are all distinguished', () => {
  const seen = new Set(Array.from({ length: 100_000 }, (_, n) => fingerprint(['/p/a.jsonl', `7-${n}-1`])));
  expect(seen.size).toBe(100_000);
});
