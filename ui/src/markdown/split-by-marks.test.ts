import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitByMarks } from './split-by-marks.ts';

const mark = fc.record({
  id: fc.constantFrom('a', 'b', 'c'),
  weight: fc.constantFrom(0.2, 0.5, 1),
  start: fc.nat(40),
  length: fc.nat(20),
});

test('the pieces are the text, in its order, and a piece is marked where a mark covers it', () => {
  fc.assert(
    fc.property(
      fc.string({ maxLength: 30 }),
      fc.nat(20),
      fc.array(mark, { maxLength: 4 }),
      (text, at, places) => {
        const marks = places.map(({ length, ...it }) => ({ ...it, end: it.start + length }));
        const pieces = splitByMarks({ text, at }, marks);
        expect(pieces.map((piece) => piece.text).join('')).toBe(text);
        for (const piece of pieces) {
          for (let place = piece.at; place < piece.at + piece.text.length; place++) {
            const covering = marks.filter((it) => it.start <= place && place < it.end);
            const heaviest = covering.reduce((most, it) => Math.max(most, it.weight), 0);
            expect(piece.mark?.weight ?? 0).toBe(heaviest);
          }
        }
      },
    ),
  );
});
