import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textBlocks } from './blocks.ts';
import { sentenceRanges } from './sentences.ts';

const split = (text: string) => sentenceRanges(text).map(([from, to]) => text.slice(from, to));
const pieces = (text: string) =>
  textBlocks(text, 0, text.length).map(({ kind, start, end }) => [kind, text.slice(start, end)]);

describe('sentences', () => {
  it('end at stops, and not at abbreviations, numbers, initials or names of files', () => {
    expect(split('Use it, e.g. here. See J. Smith vs. the rest! Node.js 1.2.3 works? yes. it does')).toEqual([
      'Use it, e.g. here.',
      'See J. Smith vs. the rest!',
      'Node.js 1.2.3 works?',
      'yes.',
      'it does',
    ]);
  });

  it('are found in German, Chinese and Japanese', () => {
    expect(split('Das gilt z. B. am 3. Oktober. Danach nicht.')).toEqual([
      'Das gilt z. B. am 3. Oktober.',
      'Danach nicht.',
    ]);
    expect(split('設定を読む。次に書く！終わり')).toEqual(['設定を読む。', '次に書く！', '終わり']);
  });

  it('continue over a wrapped line, and end at a finished one', () => {
    const wrapped = `${'a long line that was wrapped by an editor at some width'}\nand goes on here.\nNext one`;
    expect(split(wrapped)).toEqual([wrapped.slice(0, wrapped.indexOf('\nNext')), 'Next one']);
  });

  it('are not cut inside inline code', () => {
    expect(split('Run `echo a. B` now. Done.')).toEqual(['Run `echo a. B` now.', 'Done.']);
  });

  it('without an end are written in parts, cut between words', () => {
    const text = 'one endless tale without a stop '.repeat(100).trim();
    const found = split(text);
    expect(found.length).toBeGreaterThan(3);
    expect(found.join(' ')).toBe(text);
    expect(split('x'.repeat(5000))).toEqual(['x'.repeat(5000)]);
  });

  it('never begin or end inside a word, and leave out nothing but white space', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        const ranges = sentenceRanges(text);
        let at = 0;
        for (const [from, to] of ranges) {
          expect(text.slice(at, from).trim()).toBe('');
          const inside = /[\p{L}\p{N}]/u;
          expect(inside.test(text[to - 1] ?? '') && inside.test(text[to] ?? '')).toBe(false);
          at = to;
        }
        expect(text.slice(at).trim()).toBe('');
      }),
    );
  });
});

describe('blocks', () => {
  it('are code and tables whole, headings, list items with their marks, without keepit markers', () => {
    const text =
      '## Plan\n\n- First. Then more.\n2. Two\n\n```ts\na. B\n\nc\n```\n\n| a |\n|---|\n| b |\n\n##keepit0.80## Keep `##keepit0.80##` this.##/keepit## End';
    expect(pieces(text)).toEqual([
      ['heading', '## Plan'],
      ['prose', '- First.'],
      ['prose', 'Then more.'],
      ['prose', '2. Two'],
      ['code', '```ts\na. B\n\nc\n```'],
      ['table', '| a |\n|---|\n| b |'],
      ['prose', 'Keep `##keepit0.80##` this.'],
      ['prose', 'End'],
    ]);
  });

  it('take a fence that is never closed to the end', () => {
    expect(pieces('See:\n```\nx\n\ny. Z')).toEqual([
      ['prose', 'See:'],
      ['code', '```\nx\n\ny. Z'],
    ]);
  });
});
