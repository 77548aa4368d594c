import { createHash as real } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createHash, randomBytes } from './hook-crypto.ts';

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

test('names of temporary files differ', () => {
  const names = new Set(Array.from({ length: 1000 }, () => randomBytes(8).toString('hex')));
  expect(names.size).toBe(1000);
});
