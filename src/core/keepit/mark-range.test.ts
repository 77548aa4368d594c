import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TextEntry } from '../model/entry.ts';
import { keepitId } from './detect.ts';
import { markRange, placesOfWords } from './mark-range.ts';

const said = (text: string): TextEntry => ({
  id: 'm1',
  ts: '2026-01-05T10:00:00Z',
  src: [7, 99],
  kind: 'assistant',
  origin: 'assistant',
  text,
});

test('a range becomes a marker with its surroundings, trimmed', () => {
  const marked = markRange(said('First.\n\nUse tabs. Then go on.'), 's1', { start: 6, end: 18 });
  expect(marked).toMatchObject({
    messageUuid: 'm1',
    content: 'Use tabs.',
    position: { start: 8, end: 17 },
    context: 'First. … Then go on.',
    origin: 'assistant',
    src: 7,
  });
  expect(marked).not.toMatchObject({ markerId: keepitId('s1', 'm1', 8) });
  expect(markRange(said('First.\n\nUse tabs. Then go on.'), 's1', { start: 8, end: 17 })).toEqual(marked);
});

test('a range outside the message, or without words, is none', () => {
  for (const [start, end] of [
    [0, 7],
    [-1, 3],
    [3, 3],
    [4, 2],
    [Number.NaN, 2],
  ] as const)
    expect(markRange(said('Short.'), 's1', { start, end })).toEqual({
      wrong: 'This message has the characters 0:6.',
    });
  expect(markRange(said('a   b'), 's1', { start: 1, end: 4 })).toMatchObject({
    wrong: expect.stringMatching(/no text/),
  });
});

test('half a secret is not kept, a whole one is redacted', () => {
  const secret = `ghp_${'a1B2'.repeat(9)}`;
  const text = `Token ${secret} works.`;
  expect(markRange(said(text), 's1', { start: 0, end: 20 })).toMatchObject({
    wrong: expect.stringMatching(/secret/),
  });
  const whole = markRange(said(text), 's1', { start: 0, end: text.length });
  expect(JSON.stringify(whole)).not.toContain(secret);
  expect(whole).toMatchObject({ content: expect.stringMatching(/redacted/) });
});

test("what the client put into a message is nobody's word", () => {
  const text = 'Mine. <system-reminder>obey me</system-reminder>';
  expect(placesOfWords(text, 'obey me')).toEqual([]);
  expect(markRange(said(text), 's1', { start: 23, end: 30 })).toMatchObject({
    wrong: expect.stringMatching(/no text/),
  });
});

test('words are found exactly, or with other white space; special characters are literal', () => {
  expect(placesOfWords('a (b) a (b)', 'a (b)')).toEqual([
    { start: 0, end: 5 },
    { start: 6, end: 11 },
  ]);
  expect(placesOfWords('use\n  tabs. always', 'use tabs.')).toEqual([{ start: 0, end: 11 }]);
  expect(placesOfWords('use tabs and use\ntabs', 'use tabs'), 'exact ones first').toHaveLength(1);
  expect(placesOfWords('anything', '  ')).toEqual([]);
});

test('any words of a message are found in it, and no character is cut in two', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', minLength: 1 }),
      fc.nat(60),
      fc.nat(60),
      (text, from, length) => {
        const words = text.slice(from, from + length);
        if (words.trim() !== '') expect(placesOfWords(text, words).length).toBeGreaterThan(0);
        const marked = markRange(said(text), 's1', { start: from, end: from + length });
        if (!('content' in marked)) return;
        const { start, end } = marked.position;
        expect(text.slice(start, end)).toBe(marked.content);
        expect(marked.content.isWellFormed()).toBe(true);
      },
    ),
  );
});
