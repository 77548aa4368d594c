import fc from 'fast-check';
import { expect, it } from 'vitest';
import { loadTokenCounter } from '../text/tokens.ts';
import { type PackedPiece, pack } from './pack.ts';
import { headingTokens, isReadByLine, mostPackedTokens, partKey, pieceTokens } from './packed-tokens.ts';

const count = await loadTokenCounter();
const TITLE = '# Memory of shop, from Keepsake';

const words = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        'total',
        'Preis',
        'ex_12ab34',
        '`npm test`',
        '12,345',
        '日本',
        '…',
        '##',
        '\u001b]0;',
        '<!--',
      ),
      fc.string({ unit: 'grapheme', maxLength: 12 }),
      fc.constantFrom(' ', '  ', '\n', '\n\n\n', ' \n', '\t\n', '\r\n', '> ', "'s"),
    ),
    { maxLength: 30 },
  )
  .map((list) => list.join(' '));
const line = words.map((text) => text.replace(/\s+/gu, ' ').trim());
const pieces = fc.array(
  fc.record({ section: fc.constantFrom('Rules', 'Latest', 'Left open'), source: line, text: words }),
  { maxLength: 12 },
);

/** Half of the pieces hold their counts, the others are found by what they say. */
function known(list: PackedPiece[]): { list: PackedPiece[]; parts: Map<string, number> } {
  const parts = new Map(list.map(({ section }) => [section, headingTokens(section, count)]));
  const counted = list.map((piece, at): PackedPiece => {
    const tokens = pieceTokens(piece, count);
    if (at % 2 === 0) return { ...piece, tokens };
    parts.set(partKey(piece), tokens);
    return piece;
  });
  return { list: counted, parts };
}

it('is never below the count of the whole, and above it by no more than was rounded up', () => {
  fc.assert(
    fc.property(pieces, fc.integer({ min: 20, max: 600 }), (all, budget) => {
      const { list, parts } = known(all.map((piece) => ({ ...piece, whole: true })));
      const { text, taken } = pack(TITLE, list, budget, count);
      const most = mostPackedTokens(taken, { title: count(TITLE), parts });
      fc.pre(text !== '');
      expect(most).toBeGreaterThanOrEqual(count(text));
      // Each part is rounded up: itself and its heading; the title; the end of the last line.
      expect(most).toBeLessThanOrEqual(count(text) + 2 * taken.length + 2);
    }),
    { numRuns: 400 },
  );
});

it('is not below what some of the lines of a piece take', () => {
  const lines = fc.array(words, { maxLength: 8 }).map((list) => list.flatMap((text) => text.split('\n')));
  fc.assert(
    fc.property(line, lines, fc.infiniteStream(fc.boolean()), (source, all, isLeft) => {
      const own = { section: '', source, text: all.join('\n') };
      fc.pre(isReadByLine(own.text));
      const text = all
        .filter(() => isLeft.next().value)
        .join('\n')
        .trim();
      expect(pieceTokens({ ...own, text }, count)).toBeLessThanOrEqual(pieceTokens(own, count));
    }),
    { numRuns: 500 },
  );
});

const piece = {
  section: 'Latest',
  source: 'session a',
  text: 'The totals are rounded once, when they are shown. '.repeat(9),
};

it('says nothing of a piece that was shortened or not counted', () => {
  const parts = new Map([['Latest', headingTokens('Latest', count)]]);
  const most = (text: string, counted: PackedPiece) =>
    mostPackedTokens([{ piece: counted, text }], { title: 10, parts });
  const counted = { ...piece, tokens: pieceTokens(piece, count) };
  expect(most(piece.text, counted)).toBeDefined();
  expect(most(piece.text.slice(0, 100), counted)).toBeUndefined();
  expect(most(piece.text, piece)).toBeUndefined();
  expect(most(piece.text, { ...counted, section: 'Earlier' })).toBeUndefined();
});
