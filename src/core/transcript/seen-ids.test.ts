import fc from 'fast-check';
import { expect, it } from 'vitest';
import { SeenIds } from './seen-ids.ts';

it('knows every id that was added, in any number of steps', () => {
  const ids = fc.array(fc.nat(150).map(String), { maxLength: 200 });
  fc.assert(
    fc.property(fc.array(ids, { maxLength: 4 }), (steps) => {
      const all = new Set<string>();
      let stored = Buffer.alloc(0);
      for (const step of steps) {
        // Where the stored bytes lie in memory does not matter.
        const seen = new SeenIds(Buffer.concat([Buffer.alloc(1), stored]).subarray(1));
        for (const id of step) {
          expect(seen.has(id)).toBe(all.has(id));
          expect(seen.add(id)).toBe(!all.has(id));
          all.add(id);
        }
        expect(seen.count).toBe(all.size);
        stored = Buffer.concat([stored, seen.fresh()]);
      }
    }),
  );
});
