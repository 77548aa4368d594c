import { Tokenizer } from 'ai-tokenizer';
import * as encoding from 'ai-tokenizer/encoding/claude';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { estimateTokens, mostTokensOf } from './estimate-tokens.ts';
import { loadTokenCounter, plainPattern } from './tokens.ts';

const count = await loadTokenCounter();
const reference = new Tokenizer(encoding);
const whole = (text: string) => Math.ceil(1.13 * reference.encode(text, 'all').length);

const PROSE = `The session files are copied on first sight, so that nothing is lost when the agent cleans up after
thirty days. Each version records the hashes of what went in and what came out; \`keepsake verify\` checks them again.`;
const CODE = `export function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  for (let start = 0; start <= text.length; ) {
    const newline = text.indexOf('\\n', start);
    if (newline < 0) return lines;
  }
}`;

describe('the token counter', () => {
  it('is the encoding times 1.13, rounded up', () => {
    for (const text of ['', 'a', 'hello world', PROSE, CODE, '日本語のテキスト', '😀😀'])
      expect(count(text)).toBe(whole(text));
  });

  it('takes special tokens for plain text', () => {
    expect(count('<EOT> and <META_START>')).toBeGreaterThan(4);
  });

  it('counts any text as the encoding does', () => {
    const odd = fc.constantFrom(
      ' ',
      '\n',
      '  ',
      PROSE,
      '\ufeff',
      '\ud800',
      '\ufffd',
      'constructor',
      'toString',
    );
    const words = fc.array(
      fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }), odd),
    );
    fc.assert(
      fc.property(words, (list) => {
        const text = list.join('');
        expect(count(text)).toBe(whole(text));
      }),
      { numRuns: 500 },
    );
  });

  it('counts a long text as the encoding does, however it is split up', () => {
    const text = `${PROSE}\n\n    ${CODE} `.repeat(300);
    expect(text.length).toBeGreaterThan(100_000);
    expect(count(text)).toBe(whole(text));
  });

  it('gets through megabytes without a space', () => {
    // Merging these in one piece would take days.
    for (const run of ['a', '#', ' ', '\n', '中', '😀']) {
      const tokens = count(run.repeat(1_000_000));
      expect(tokens).toBeGreaterThan(1_000);
      expect(tokens).toBeLessThan(3_000_000);
    }
  });
});

describe('the estimate', () => {
  it('is near the count', () => {
    for (const text of [
      PROSE,
      CODE,
      `${PROSE}\n${CODE}`,
      JSON.stringify({ file_path: '/home/me/src/a.ts', limit: 200 }),
    ]) {
      expect(Math.abs(estimateTokens(text) / count(text) - 1)).toBeLessThan(0.15);
    }
  });

  it('of two texts with a line between them is that of both', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        const apart = estimateTokens(`${a}\nx`) + estimateTokens(`${b}\nx`);
        expect(Math.abs(estimateTokens(`${a}\nx\n${b}\nx`) - apart)).toBeLessThanOrEqual(2);
      }),
    );
  });
});

it('splits a text of plain characters as the pattern of the encoding does', () => {
  const plain = new RegExp(plainPattern(encoding.pat_str), 'g');
  const own = new RegExp(encoding.pat_str, 'gu');
  expect(plain.source).not.toContain('\\p');
  fc.assert(
    fc.property(fc.string({ unit: 'binary-ascii', maxLength: 200 }), (text) => {
      expect(text.match(plain)).toEqual(text.match(own));
    }),
    { numRuns: 1000 },
  );
});

it('never counts more than the bytes of a text allow', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: 'binary' }), fc.uuid(), fc.string({ unit: 'grapheme' })),
      (text) => {
        expect(count(text)).toBeLessThanOrEqual(mostTokensOf(text));
      },
    ),
  );
});
