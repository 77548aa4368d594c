import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutAtBlock } from './cut-at-block.ts';
import { parseMarkdown } from './parse-markdown.ts';
import { splitBlocks } from './split-blocks.ts';
import { splitByWords } from './split-by-words.ts';
import { inlinesOf } from './walk-nodes.ts';
import { widenRange } from './widen-range.ts';

const words = fc
  .array(fc.constantFrom('**', '*', '`', '~~', '[a](https://b.c)', ' ', 'word', 'Two words', '\n', '- '), {
    maxLength: 25,
  })
  .map((all) => all.join(''));

describe('a range of words', () => {
  const widened = (text: string, chosen: string) => {
    const start = text.indexOf(chosen);
    const wide = widenRange(text, { start, end: start + chosen.length });
    return text.slice(wide.start, wide.end);
  };

  test('that cuts through bold, code or a link is widened to all of it', () => {
    expect(widened('A **Reminder**: for Sunday.', 'Reminder**: for Sunday')).toBe('**Reminder**: for Sunday');
    expect(widened('See `src/a.ts` first.', 'See `src')).toBe('See `src/a.ts`');
    expect(widened('Read [the guide](https://a.b) now.', 'guide](https://a.b) now')).toBe(
      '[the guide](https://a.b) now',
    );
    expect(widened('**Money *is* integer cents.**', 'is* integer')).toBe('*is* integer');
  });

  test('inside of bold, or around all of it, stays as it is', () => {
    expect(widened('A **big reminder**: now.', 'reminder')).toBe('reminder');
    expect(widened('A **big reminder**: now.', 'A **big reminder**')).toBe('A **big reminder**');
  });

  test('never becomes smaller, and widened again it stays, whatever the text', () => {
    fc.assert(
      fc.property(words, fc.nat(60), fc.nat(60), (text, a, b) => {
        const range = { start: Math.min(a, b, text.length), end: Math.min(Math.max(a, b), text.length) };
        const wide = widenRange(text, range);
        expect(wide.start).toBeLessThanOrEqual(range.start);
        expect(wide.end).toBeGreaterThanOrEqual(range.end);
        const crossed = parseMarkdown(text)
          .flatMap(inlinesOf)
          .flatMap((node) => ('span' in node ? [node.span] : []))
          .filter(({ start, end }) => {
            const apart = wide.end <= start || wide.start >= end;
            return (
              !apart && !(wide.start >= start && wide.end <= end) && !(wide.start <= start && wide.end >= end)
            );
          });
        expect(crossed).toEqual([]);
      }),
    );
  });
});

describe('the beginning of a long text', () => {
  test('ends with a block', () => {
    const text = `First **bold** one.\n\n- a\n- b\n\n${'Long words. '.repeat(40)}`;
    expect(cutAtBlock(text, 40)).toBe('First **bold** one.\n\n- a\n- b');
    expect(cutAtBlock(text, 10_000)).toBe(text);
  });

  test('ends with a line where a block is longer than that', () => {
    const code = `\`\`\`\n${'let a = 1;\n'.repeat(100)}\`\`\``;
    expect(cutAtBlock(code, 200)).toMatch(/^```\n(?:let a = 1;\n)+let a = 1;$/);
  });

  test('is never longer than asked, and not less than half of it', () => {
    fc.assert(
      fc.property(words, fc.integer({ min: 2, max: 80 }), (text, most) => {
        const cut = cutAtBlock(text, most);
        expect(text.startsWith(cut)).toBe(true);
        expect(cut.length).toBeLessThanOrEqual(most);
        expect(cut.length).toBeGreaterThanOrEqual(Math.min(text.length, Math.floor(most / 2)));
      }),
    );
  });
});

test('words that are looked for are found in any case, and the pieces are the text', () => {
  const pieces = splitByWords({ text: 'Tax and TAX, İtaly', at: 7 }, 'tax');
  expect(pieces.map(({ text }) => text).join('')).toBe('Tax and TAX, İtaly');
  const plain = splitByWords({ text: 'Tax and TAX.', at: 7 }, 'tax');
  expect(plain.filter(({ found }) => found)).toEqual([
    { text: 'Tax', at: 7, found: true },
    { text: 'TAX', at: 15, found: true },
  ]);
});

test('blocks are split after the one that holds a place; a list, after its item', () => {
  const text = 'One.\n\n1. two\n2. three\n3. four\n\nFive.';
  const blocks = parseMarkdown(text);
  const kinds = (at: string) =>
    splitBlocks(blocks, text.indexOf(at) + at.length).map((half) =>
      half.map((block) =>
        block.kind === 'list' ? `list of ${block.items.length} from ${block.start}` : block.kind,
      ),
    );
  expect(kinds('One.')).toEqual([['paragraph'], ['list of 3 from 1', 'paragraph']]);
  expect(kinds('two')).toEqual([
    ['paragraph', 'list of 1 from 1'],
    ['list of 2 from 2', 'paragraph'],
  ]);
  expect(kinds('four')).toEqual([['paragraph', 'list of 3 from 1'], ['paragraph']]);
  expect(kinds('Five.')).toEqual([['paragraph', 'list of 3 from 1', 'paragraph'], []]);
});
