import { expect, test } from 'vitest';
import { hasPlainWords } from './plain-words.ts';

test('no letter, digit or mark but the plain ones is in a plain text', () => {
  const wrong: string[] = [];
  for (let unit = 0; unit < 0x10000; unit++) {
    const sign = String.fromCharCode(unit);
    if (hasPlainWords(sign) && /[\p{L}\p{N}\p{M}]/u.test(sign) !== /[A-Za-z0-9]/.test(sign))
      wrong.push(unit.toString(16));
  }
  expect(wrong).toEqual([]);
  expect(hasPlainWords('“Use it” → done…')).toBe(true);
  expect(hasPlainWords('größer')).toBe(false);
  expect(hasPlainWords('\u{1d7d8}')).toBe(false);
});
