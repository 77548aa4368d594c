import { expect, it } from 'vitest';
import { estimateTokens } from '../../core/text/estimate-tokens.ts';
import { loadTokenCounter } from '../../core/text/tokens.ts';
import { packWithin } from './text.ts';

/** Misspelt words take more tokens than their length tells. */
const WORDS = ['impleemtnation', 'mpelemntation', 'biggre', 'Mitsue', 'hookks', 'andi', 'tesing', 'orginal'];

it('never says more than its tokens, however wrong the estimate is', async () => {
  const count = await loadTokenCounter();
  const pieces = Array.from({ length: 30 }, (_, at) => ({
    section: 'Said',
    source: `session ${at}`,
    text: Array.from({ length: 20 }, (__, word) => WORDS[(at + word * 3) % WORDS.length]).join(' '),
  }));
  const all = pieces.map(({ text }) => text).join(' ');
  expect(count(all)).toBeGreaterThan(1.2 * estimateTokens(all));
  for (const tokens of [60, 150, 700, 1500]) {
    const { text, tokens: counted, included } = await packWithin('# Memory', pieces, tokens);
    expect(count(text)).toBeLessThanOrEqual(tokens);
    expect(counted).toBeLessThanOrEqual(tokens);
    expect(counted).toBeGreaterThan(0.6 * tokens);
    expect(included.length).toBeGreaterThan(0);
  }
});

it('counts letters that take several tokens each', async () => {
  const count = await loadTokenCounter();
  const text = 'ეს არის ძალიან გრძელი წინადადება ქართულად '.repeat(20);
  const tokens = Math.ceil(1.6 * estimateTokens(text));
  expect(count(text)).toBeGreaterThan(tokens);
  const packed = await packWithin('# Memory', [{ section: 'Said', source: 'session 1', text }], tokens);
  expect(count(packed.text)).toBeLessThanOrEqual(tokens);
});
