import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cleanLine, cleanText } from './clean-text.ts';
import { fitText, padText, textWidth } from './text-width.ts';

test.each([
  ['abc', 3],
  ['naïve', 5],
  ['e\u0301', 1],
  ['日本語', 6],
  ['한국', 4],
  ['ＡＢ', 4],
  ['👍', 2],
  ['👨‍👩‍👧', 2],
  ['🇨🇭', 2],
  ['❤️', 2],
  ['a\u200bb', 2],
  ['—…', 2],
])('%s takes %i columns', (text, width) => {
  expect(textWidth(text)).toBe(width);
});

test('fitted text never takes more columns than it may, and is whole when it fits', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 40 }), (text, columns) => {
      for (const cut of ['end', 'front'] as const) {
        const fitted = fitText(text, columns, cut);
        expect(textWidth(fitted)).toBeLessThanOrEqual(columns);
        if (textWidth(text) <= columns) expect(fitted).toBe(text);
      }
    }),
  );
  expect(fitText('日本語です', 6)).toBe('日本…');
  expect(fitText('/home/me/shop', 8, 'front')).toBe('…me/shop');
});

test('padding is by columns', () => {
  expect(padText('日本', 6, 'left')).toBe('日本  ');
  expect(padText('7', 3, 'right')).toBe('  7');
});

test.each([
  ['\u001b[31mred\u001b[0m', 'red'],
  ['a\u001b]0;title\u0007b', 'ab'],
  ['a\u001b]8;;http://x\u001b\\link', 'alink'],
  ['\u009b2Jx', 'x'],
  ['a\u0008b', 'a\ufffdb'],
  ['one\r\ntwo\rthree', 'one\ntwo\nthree'],
  ['safe\u202egnp.exe', 'safe\ufffdgnp.exe'],
  ['a\tb', 'a    b'],
])('%j is shown as %j', (text, shown) => {
  expect(cleanText(text)).toBe(shown);
});

test('no text leaves a control character for the terminal', () => {
  const unit = fc.constantFrom(
    '\u001b',
    '[',
    ']',
    '\u009b',
    '\u0007',
    'm',
    '3',
    ';',
    'x',
    '\u0000',
    '\\',
    '\n',
    'é',
  );
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 40 }), (text) => {
      expect(cleanText(text)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
      expect(cleanLine(text)).not.toContain('\n');
    }),
  );
});
