import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type DiffLine, foldDiff } from './fold-diff.ts';

const line = fc.record({
  sign: fc.constantFrom<DiffLine['sign']>(' ', '+', '-'),
  text: fc.string({ maxLength: 4 }),
});

test('every change is shown, and every line is shown or counted', () => {
  fc.assert(
    fc.property(fc.array(line), fc.nat(5), (diff, around) => {
      const rows = foldDiff(diff, around);
      const shown = rows.flatMap((row) => ('folded' in row ? [] : [row]));
      expect(shown.filter(({ sign }) => sign !== ' ')).toEqual(diff.filter(({ sign }) => sign !== ' '));
      const counted = rows.reduce((sum, row) => sum + ('folded' in row ? row.folded : 1), 0);
      expect(counted).toBe(diff.length);
    }),
  );
});

test('only what is far from a change is folded', () => {
  const stays = (text: string): DiffLine => ({ sign: ' ', text });
  const added: DiffLine = { sign: '+', text: 'new' };
  expect(foldDiff([stays('a'), stays('b'), stays('c'), added, stays('d'), stays('e')], 1)).toEqual([
    { folded: 2 },
    stays('c'),
    added,
    stays('d'),
    { folded: 1 },
  ]);
});
