import fc from 'fast-check';
import { expect, test } from 'vitest';
import { page, pageInOrder, shortCursor } from './page.ts';

const self = (text: string) => text;

test('following the cursor gives every item once, largest first', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.string({ unit: 'grapheme' })),
      fc.integer({ min: 1, max: 5 }),
      (items, limit) => {
        const seen: string[] = [];
        let after: string | undefined;
        do {
          const part = page(items, self, after === undefined ? { limit } : { limit, after });
          expect(part.items.length).toBeLessThanOrEqual(limit);
          seen.push(...part.items);
          after = part.next ?? undefined;
        } while (after !== undefined);
        expect(seen).toEqual([...items].sort((a, b) => (a < b ? 1 : -1)));
      },
    ),
  );
});

test('an item that comes in front between two pages moves nothing', () => {
  const first = page(['a', 'b', 'c'], self, { limit: 2 });
  expect(page(['a', 'b', 'c', 'd'], self, { limit: 2, after: first.next! }).items).toEqual(['a']);
});

test('the short form of a cursor continues at the same place, in both orders', () => {
  const items = ['a', 'b', 'c', 'd'];
  const first = page(items, self, { limit: 2 });
  const short = shortCursor(first.next!);
  expect(short).toMatch(/^[0-9a-f]{8}$/);
  expect(page([...items, 'e'], self, { after: short }).items).toEqual(['b', 'a']);
  const begun = pageInOrder(items, self, { limit: 1 });
  expect(pageInOrder(items, self, { after: shortCursor(begun.next!) }).items).toEqual(['b', 'c', 'd']);
  expect(() => page(['x'], self, { after: short })).toThrow('is not in this list');
});

test('what is no cursor is a fault', () => {
  expect(() => page(['a'], self, { after: 'nonsense!' })).toThrow('is not a valid cursor');
});

test('a list that is read from its beginning is paged in its own order', () => {
  const count = fc.integer({ min: 0, max: 30 });
  fc.assert(
    fc.property(count, fc.integer({ min: 1, max: 7 }), (size, limit) => {
      const items = Array.from({ length: size }, (_, index) => String(index).padStart(3, '0'));
      const seen: string[] = [];
      let after: string | undefined;
      do {
        const part = pageInOrder(items, self, after === undefined ? { limit } : { limit, after });
        expect(part.items.length).toBeLessThanOrEqual(limit);
        seen.push(...part.items);
        after = part.next ?? undefined;
      } while (after !== undefined);
      expect(seen).toEqual(items);
    }),
  );
});
