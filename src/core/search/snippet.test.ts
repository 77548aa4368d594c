import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { termsOf } from '../text/terms.ts';
import { matchesOf, passageOf, rangesOf, type Snippet, snippetOf } from './snippet.ts';

const matcherFor = (words: string) => {
  const terms = new Set(termsOf(words));
  return (term: string) => terms.has(term);
};
const marked = ({ text, ranges }: Snippet) => ranges.map(([start, end]) => text.slice(start, end));

describe('a snippet', () => {
  it('is the whole text where that is short, on one line, with the words marked', () => {
    const snippet = snippetOf('The token\n\n  cache is full of Tokens.', matcherFor('tokens'), 80);
    expect(snippet.text).toBe('The token cache is full of Tokens.');
    expect(marked(snippet)).toEqual(['token', 'Tokens']);
  });

  it('is the part with the most different words', () => {
    const filler = 'nothing of interest stands here at all '.repeat(10);
    const text = `cache cache cache ${filler} why the token cache was dropped ${filler}`;
    const snippet = snippetOf(text, matcherFor('token cache dropped'), 60);
    expect(marked(snippet)).toEqual(['token', 'cache', 'dropped']);
    expect(snippet.text).toMatch(/^…why the token cache was dropped nothing .*\S…$/);
    expect(snippet.text.length).toBeLessThanOrEqual(60);
  });

  it('is the beginning where nothing fits', () => {
    expect(snippetOf('one two three four five', matcherFor('zebra'), 12)).toEqual({
      text: 'one two…',
      ranges: [],
    });
  });

  it('marks an identifier or a path when a part of it was looked for', () => {
    const snippet = snippetOf('see src/auth/token-cache.ts, getUserName()', matcherFor('cache user'), 80);
    expect(marked(snippet)).toEqual(['src/auth/token-cache.ts', 'getUserName']);
  });

  it('marks characters in text without spaces', () => {
    const snippet = snippetOf('我们需要令牌缓存才能启动', matcherFor('令牌缓存'), 80);
    expect(marked(snippet).join('')).toBe('令牌缓存');
  });

  it('cuts a word that is longer than there is room', () => {
    const snippet = snippetOf(`a ${'x'.repeat(30)} b`, matcherFor('x'.repeat(30)), 12);
    expect(snippet.text).toBe(`…${'x'.repeat(10)}…`);
    expect(snippet.ranges).toEqual([[1, 11]]);
  });

  it('does not take an emoji apart', () => {
    expect(snippetOf('👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧', () => false, 14).text).toBe('👩‍👩‍👧…');
    expect(snippetOf('👍🏽👍🏽👍🏽', () => false, 8).text).toBe('👍🏽…');
  });

  const word = fc.stringMatching(/^[a-z]{3,9}$/);
  const words = fc.array(word, { minLength: 1, maxLength: 120 });

  it('is the same whether or not it is known how the words begin that are looked for', () => {
    const endings = fc.constantFrom('', 's', 'ing', 'ed', 'ies', 'y', "'s", 'Name', '/src', 'ung', 'ätze');
    const text = fc.array(fc.tuple(word, endings), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(text, fc.array(word, { maxLength: 3 }), fc.nat(), (pieces, others, at) => {
        const line = pieces.map(([start, end]) => start + end).join(' ');
        const looked = [pieces[at % pieces.length]!.join(''), ...others, 'dying', 'ski'].join(' ');
        const shown = `${line} dies skies`;
        expect(snippetOf(shown, matchesOf(termsOf(looked)), 60)).toEqual(
          snippetOf(shown, matcherFor(looked), 60),
        );
      }),
      { numRuns: 500 },
    );
  });

  it('has whole words only, a match when there is one, and no more than the width', () => {
    fc.assert(
      fc.property(
        words,
        word,
        fc.nat(),
        fc.integer({ min: 40, max: 200 }),
        (around, wanted, where, width) => {
          const at = where % (around.length + 1);
          const all = [...around.slice(0, at), `${wanted}${wanted}`, ...around.slice(at)];
          const snippet = snippetOf(all.join(' '), matcherFor(`${wanted}${wanted}`), width);
          expect(snippet.text.length).toBeLessThanOrEqual(width);
          const known = new Set(all);
          for (const it of snippet.text.replace(/^…|…$/g, '').split(' ')) expect(known).toContain(it);
          expect(marked(snippet)).toContain(`${wanted}${wanted}`);
        },
      ),
    );
  });

  it('of any text is well-formed, a part of it, and its ranges are in order inside it', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 300 }),
      fc
        .array(fc.constantFrom('👍🏽', 'é', 'e\u0301', ' ', '令牌', '缓', 'token', '.', '\n'), {
          maxLength: 80,
        })
        .map((it) => it.join('')),
    );
    fc.assert(
      fc.property(text, fc.integer({ min: 3, max: 80 }), (whole, width) => {
        const snippet = snippetOf(whole, matcherFor('token 令牌缓'), width);
        expect(snippet.text.isWellFormed()).toBe(true);
        expect(snippet.text.length).toBeLessThanOrEqual(Math.max(width, 3));
        const line = whole.replace(/\s+/gu, ' ').trim();
        if (line.length > width) expect(line).toContain(snippet.text.replace(/^…|…$/g, ''));
        let last = 0;
        for (const [start, end] of snippet.ranges) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          last = end;
        }
        expect(last).toBeLessThanOrEqual(snippet.text.length);
        if (rangesOf(line, matcherFor('token 令牌缓')).length > 0 && width >= 10)
          expect(snippet.ranges).not.toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('checks each word once', () => {
    const asked: string[] = [];
    const text = Array.from({ length: 5000 }, (_, index) => `w${index}x`).join(' ');
    snippetOf(text, (term) => asked.push(term) < 0, 100);
    expect(asked).toEqual(termsOf(text));
  });
});

describe('a passage', () => {
  it('keeps the ends of lines, and is no longer than it may be', () => {
    const filler = 'nothing of interest '.repeat(20);
    const text = `${filler}\n\n- first token\n- second cache\n\n${filler}`;
    expect(passageOf(text, matcherFor('token cache'), 120)).toContain('\n- first token\n- second cache\n');
    const words = fc.array(
      fc.constantFrom('token', 'x', '\n', '  ', '\t', '検索', '👩‍🚀', 'long'.repeat(30)),
      {
        maxLength: 60,
      },
    );
    fc.assert(
      fc.property(words, fc.integer({ min: 10, max: 200 }), (parts, width) => {
        const whole = parts.join(' ');
        const passage = passageOf(whole, matcherFor('token'), width);
        expect(passage.length).toBeLessThanOrEqual(width);
        expect(passage.isWellFormed()).toBe(true);
        expect(whole).toContain(passage.replace(/^…/, '').replace(/…$/, ''));
        if (whole.includes('token')) expect(passage).toContain('token');
      }),
    );
  });
});
