import { createHash as real } from 'node:crypto';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { createHash, plainSha256, randomBytes } from './hook-crypto.ts';

test('it hashes every text as node does, in any number of pieces', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 1500 }), { maxLength: 4 }), (parts) => {
      const [own, theirs] = [createHash('sha256'), real('sha256')];
      for (const part of parts) {
        own.update(part);
        theirs.update(part);
      }
      expect(own.digest('hex')).toBe(theirs.digest('hex'));
    }),
  );
});

test('every length around the ends of blocks is right', () => {
  for (let length = 0; length < 200; length++) {
    const text = 'é'.repeat(length);
    expect(createHash('sha256').update(text).digest('hex')).toBe(real('sha256').update(text).digest('hex'));
  }
});

test('what is hashed by hand is right, up to the most that is hashed here, and so is what comes after', () => {
  for (const length of [0, 1, 55, 56, 63, 64, 65, 2048, 65_471, 65_535, 65_536]) {
    const text = Buffer.alloc(length, 'Keepsake');
    const theirs = real('sha256').update(text).digest();
    expect(plainSha256(text)).toEqual(theirs);
    expect(createHash('sha256').update(text).update('.').digest('hex')).toBe(
      real('sha256').update(text).update('.').digest('hex'),
    );
  }
});

test("random bytes are the system's own, and differ", () => {
  const chance = vi.spyOn(Math, 'random').mockReturnValue(0.5);
  const names = new Set(Array.from({ length: 1000 }, () => randomBytes(8).toString('hex')));
  expect(names.size).toBe(1000);
  expect(chance).not.toHaveBeenCalled();
  chance.mockRestore();
  expect(randomBytes(32)).toHaveLength(32);
});
