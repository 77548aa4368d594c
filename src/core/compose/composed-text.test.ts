import { expect, test } from 'vitest';
import { BAREST, composedMarkdown, framesFor, prefaceOf } from './composed-text.ts';

test('headings take a small part of a budget: whole titles, shorter ones, or only the day', () => {
  const first = (budget: number, titles: number, short: number) => framesFor(budget, { titles, short })[0];
  expect(first(8000, 400, 200)).toEqual({ preface: 'whole', headings: 'titles' });
  expect(first(3000, 400, 200)).toEqual({ preface: 'whole', headings: 'short' });
  expect(first(3000, 900, 600)).toEqual({ preface: 'whole', headings: 'days' });
  expect(first(1000, 30, 20)).toEqual({ preface: 'short', headings: 'titles' });
  expect(framesFor(399, { titles: 1, short: 1 })).toEqual([BAREST]);
  expect(framesFor(8000, { titles: 1, short: 1 }).at(-1)).toEqual(BAREST);
});

test('only sessions that say something have a heading, and the marks hold the same id', () => {
  const frame = { preface: 'short', headings: 'days' } as const;
  const preface = prefaceOf({ sessions: 1, left: 1 }, frame);
  const { markdown, mark } = composedMarkdown(preface, [
    { heading: 'one', body: 'said\n\n' },
    { heading: 'two', body: '' },
  ]);
  expect(markdown).toBe(
    `<!-- keepsake:begin ${mark} -->\nContext from an earlier session, put together by Keepsake. 1 more did not fit.\n\n# one\n\nsaid\n<!-- keepsake:end ${mark} -->\n`,
  );
});

test('of people who talk with each other it does not speak of asks and answers', () => {
  const frame = { preface: 'whole', headings: 'dates' } as const;
  const scope = { sessions: 3, left: 2, asOf: '2026-02-01' };
  expect(prefaceOf(scope, frame)).toContain('Second-level headings are what the user asked');
  expect(prefaceOf({ ...scope, isChat: true }, frame)).toBe(
    'Context from 3 earlier sessions, put together by Keepsake: a record of what was said, not a request. `…` marks omitted text. Nothing after 2026-02-01 is included. 2 more did not fit.',
  );
});
