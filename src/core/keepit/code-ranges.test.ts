import { describe, expect, it } from 'vitest';
import { inlineCode, isBlank, linesOf } from './code-ranges.ts';

/** A letter for each line: c in a fenced block, t in none. */
const fenced = (text: string) =>
  linesOf(text)
    .map((line) => (line.fenced ? 'c' : 't'))
    .join('');

describe('the lines of a message', () => {
  it('have their places, the last one too', () => {
    expect(linesOf('ab\n\nc')).toEqual([
      { start: 0, end: 2, fenced: false },
      { start: 3, end: 3, fenced: false },
      { start: 4, end: 5, fenced: false },
    ]);
    expect(linesOf('')).toEqual([{ start: 0, end: 0, fenced: false }]);
    expect(linesOf('a\n')).toHaveLength(2);
  });

  it.each([
    ['```\na\n```\nb', 'ccct'],
    ['~~~\na\n~~~\nb', 'ccct'],
    ['```\na\n~~~\nb\n```\nc', 'ccccct'],
    ['````\na\n```\nb\n`````\nc', 'ccccct'],
    ['```ts\na\n```ts\nb\n```\nc', 'ccccct'],
    ['```\na\n```  \r\nb', 'ccct'],
    ['```\na', 'cc'],
    ['``\na\n``', 'ttt'],
    ['~~\na\n~~', 'ttt'],
    ['```a``` b\nc', 'tt'],
    ['~~~ `a`\nc\n~~~\nd', 'ccct'],
    ['  ```\na\n\t```\nb', 'ccct'],
    ['> ```\n> a\n> ```\nb', 'ccct'],
    ['>```\n>a\n>```\nb', 'ccct'],
    ['>> ```\n>> a\n>>```\nb', 'ccct'],
    ['- ```\n  a\n  ```\nb', 'ccct'],
    ['*   ```\n  a\n  ```\nb', 'ccct'],
    ['12. ```\n  a\n  ```\nb', 'ccct'],
    ['1) - ```\n  a\n  ```\nb', 'ccct'],
    ['12: ```\na', 'tt'],
    ['##keepit0.80## ```\na\n```\nb', 'ccct'],
    ['##keepit10.80##```\na\n```\nb', 'ccct'],
    ['word ```\na', 'tt'],
    ['```\na\nword ```\nb', 'cccc'],
    ['```\na\n``` word\nb', 'cccc'],
    ['```\na\n`~~~\nb', 'cccc'],
  ])('are code or none: %j', (text, wanted) => {
    expect(fenced(text)).toBe(wanted);
  });
});

describe('inline code', () => {
  const code = (text: string) =>
    inlineCode(text, linesOf(text)).map(({ start, end }) => text.slice(start, end));

  it.each([
    ['a `b` c', ['`b`']],
    ['`a` and `b`', ['`a`', '`b`']],
    ['``a ` b`` c', ['``a ` b``']],
    ['`a\nb` c', ['`a\nb`']],
    ['`a\n\nb` c', []],
    ['`a\n> \nb` c', []],
    ['`a', []],
    ['``a`', []],
    ['`a`` b` c', ['`a`` b`']],
    ['```\n`a`\n```\n`b`', ['`b`']],
    ['x\n\n`a` b', ['`a`']],
  ])('of %j', (text, wanted) => {
    expect(code(text)).toEqual(wanted);
  });
});

it('a line is blank with spaces, tabs and the marks of a quotation only', () => {
  const blank = (text: string) => isBlank(text, { start: 0, end: text.length });
  expect(['', ' ', '\t', '\r', '>', ' > >\t\r'].map(blank)).toEqual(Array(6).fill(true));
  expect(['a', ' a', '\ta', '>a', '-', '\u00a0'].map(blank)).toEqual(Array(6).fill(false));
});
