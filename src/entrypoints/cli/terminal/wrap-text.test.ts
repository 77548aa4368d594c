import fc from 'fast-check';
import { expect, test } from 'vitest';
import { textWidth } from './text-width.ts';
import { hanging, wrapText } from './wrap-text.ts';

test('words stay whole, and an indent is kept', () => {
  expect(wrapText('one two three four', 9)).toEqual(['one two', 'three', 'four']);
  expect(wrapText('  - a list item', 9)).toEqual(['  - a', '  list', '  item']);
  expect(wrapText('a\n\nb', 5)).toEqual(['a', '', 'b']);
  expect(wrapText('as long as it likes', undefined)).toEqual(['as long as it likes']);
  expect(hanging('ok  ', 4, 'one two three four five six', 24)).toEqual([
    'ok  one two three four',
    '    five six',
  ]);
});

test('no line is wider than it may be, and no letter is lost', () => {
  const unit = fc.constantFrom('a', 'b', ' ', '語', 'é', '-', '…', '👍');
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 80 }), fc.integer({ min: 4, max: 30 }), (text, width) => {
      const lines = wrapText(text, width);
      for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(width);
      expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
    }),
  );
});
