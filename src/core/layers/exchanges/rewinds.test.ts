import fc from 'fast-check';
import { expect, test } from 'vitest';
import { apart, isRewound } from './rewinds.ts';

test('a byte is restored if it is in any of the ranges, however they overlap', () => {
  const stretches = fc.array(fc.record({ to: fc.nat(30), src: fc.nat(30) }), { maxLength: 12 });
  fc.assert(
    fc.property(stretches, (all) => {
      const known = apart(all);
      for (let place = -1; place <= 31; place++)
        expect(isRewound(known, place)).toBe(all.some(({ to, src }) => to <= place && place < src));
      expect(apart(known)).toEqual(known);
    }),
  );
});
