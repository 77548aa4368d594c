import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Bucket, isFull, take } from './rate-limit.ts';

test('in no stretch of time more passes than one full bucket and what filled it meanwhile', () => {
  const asks = fc.array(fc.record({ after: fc.nat(30_000), amount: fc.integer({ min: 1, max: 20 }) }));
  fc.assert(
    fc.property(asks, fc.integer({ min: 20, max: 100 }), (list, perMinute) => {
      let bucket: Bucket | undefined;
      let [now, passed] = [0, 0];
      for (const { after, amount } of list) {
        now += after;
        const taken = take(bucket, { perMinute }, { amount, now });
        bucket = taken.bucket;
        if (taken.isAllowed) passed += amount;
        else {
          const later = take(bucket, { perMinute }, { amount, now: now + Math.ceil(taken.waitMs) + 1 });
          expect(later.isAllowed).toBe(true);
        }
        expect(passed).toBeLessThanOrEqual(perMinute + (now * perMinute) / 60_000 + 1e-6);
      }
    }),
  );
});

test('a clock that goes back gives nothing', () => {
  const { bucket } = take(undefined, { perMinute: 60 }, { amount: 60, now: 100_000 });
  expect(take(bucket, { perMinute: 60 }, { amount: 1, now: 0 }).isAllowed).toBe(false);
  expect(take(bucket, { perMinute: 60 }, { amount: 1, now: 101_001 }).isAllowed).toBe(true);
});

test('what is larger than a minute allows passes once the bucket is full, and a full one can be forgotten', () => {
  const { isAllowed, bucket } = take(undefined, { perMinute: 10 }, { amount: 50, now: 0 });
  expect(isAllowed).toBe(true);
  expect(take(bucket, { perMinute: 10 }, { amount: 50, now: 1000 }).isAllowed).toBe(false);
  expect(isFull(bucket, { perMinute: 10 }, 59_000)).toBe(false);
  expect(isFull(bucket, { perMinute: 10 }, 60_000)).toBe(true);
});
