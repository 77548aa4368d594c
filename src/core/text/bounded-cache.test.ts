import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BoundedCache } from './bounded-cache.ts';

test('never holds more than its maximum, and forgets none of the latest half', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9 }), fc.array(fc.nat({ max: 30 })), (most, keys) => {
      const cache = new BoundedCache<number, string>(2 * most);
      for (const [at, key] of keys.entries()) {
        cache.set(key, `${key}`);
        expect(cache.size).toBeLessThanOrEqual(2 * most);
        const latest = new Set(keys.slice(0, at + 1).slice(-most));
        for (const known of latest) expect(cache.get(known)).toBe(`${known}`);
      }
    }),
  );
});

test('what is asked for again stays, the oldest goes', () => {
  const cache = new BoundedCache<string, number | null>(4);
  cache.set('a', 1);
  cache.set('b', null);
  cache.set('c', 3);
  expect(cache.get('b')).toBeNull();
  cache.set('d', 4);
  expect(['a', 'b', 'd'].map((key) => cache.get(key))).toEqual([undefined, null, 4]);
});
