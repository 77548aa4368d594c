import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSessionId, secondSessionId, sessionIdFromName } from './ids.ts';

const name = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.string({ unit: fc.constantFrom('漢', '字', 'é', 'a', '-', '.', '😀', ' '), maxLength: 300 }),
);

describe('session ids', () => {
  it('are made from any name, and fit into a file name', () => {
    fc.assert(
      fc.property(name, name, (stem, path) => {
        const id = sessionIdFromName(stem);
        for (const made of [id, secondSessionId(id, path)]) {
          expect(isSessionId(made)).toBe(true);
          expect(Buffer.byteLength(made)).toBeLessThanOrEqual(120);
        }
      }),
    );
  });

  it('keep long names apart that differ only at their end', () => {
    const long = '漢'.repeat(75);
    expect(sessionIdFromName(long)).toMatch(/^漢{37}-[0-9a-f]{6}$/);
    expect(sessionIdFromName(`${long}1`)).not.toBe(sessionIdFromName(`${long}2`));
  });

  it('are bounded in bytes, not in characters', () => {
    expect(isSessionId('a'.repeat(120))).toBe(true);
    expect(isSessionId('a'.repeat(121))).toBe(false);
    expect(isSessionId('漢'.repeat(40))).toBe(true);
    expect(isSessionId('漢'.repeat(41))).toBe(false);
  });
});
