import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutAtWord, sentencesOf, wholeSentences } from './sentences.ts';

describe('sentences', () => {
  it('end at their marks, at the end of a line, and not at an abbreviation', () => {
    expect(sentencesOf('Use tabs, e.g. in Makefiles. Why? \nnext line\n1. First item. 2 more')).toEqual([
      'Use tabs, e.g. in Makefiles.',
      'Why?',
      'next line',
      'First item.',
      '2 more',
    ]);
  });

  it('are found in Chinese, Japanese, Korean and German', () => {
    expect(sentencesOf('请修复登录。然后提交！')).toEqual(['请修复登录。', '然后提交！']);
    expect(sentencesOf('検索を直してください。次はテスト。')).toEqual([
      '検索を直してください。',
      '次はテスト。',
    ]);
    expect(sentencesOf('검색을 고쳐 주세요. 테스트도 부탁해요.')).toEqual([
      '검색을 고쳐 주세요.',
      '테스트도 부탁해요.',
    ]);
    expect(sentencesOf('Bitte z.B. den Knopf prüfen. Danach den Test.')).toEqual([
      'Bitte z.B. den Knopf prüfen.',
      'Danach den Test.',
    ]);
  });

  it('are not made of code, quotes or tables', () => {
    const text =
      'Before.\n```\nalways run this.\n```\n> never do that.\n| a | b |\n|---|---|\n**After** all.';
    expect(sentencesOf(text)).toEqual(['Before.', 'After all.']);
  });

  it('are without the markers of keepits', () => {
    expect(sentencesOf('##keepit0.80## Use tabs. ##/keepit## Done.')).toEqual(['Use tabs.', 'Done.']);
  });

  it('keep names with dots whole', () => {
    expect(sentencesOf('Change ui.js:42 and v1.2.3 now. Done.')).toEqual([
      'Change ui.js:42 and v1.2.3 now.',
      'Done.',
    ]);
  });
});

describe('whole sentences', () => {
  it('end where one ends, or at a semicolon', () => {
    const text = 'Prices are in cents. Rounding lost money; taxes come last; more follows here.';
    expect(wholeSentences(text, 200)).toBe(text);
    expect(wholeSentences(text, 60)).toBe('Prices are in cents. Rounding lost money; taxes come last');
    expect(wholeSentences(text, 40)).toBe('Prices are in cents.');
  });

  it('are cut at a word where the first is too long, and close what they quote', () => {
    expect(wholeSentences('User: "keep the prices in cents because rounding lost money" -> done', 40)).toBe(
      'User: "keep the prices in cents…"',
    );
  });

  it('are never longer than asked for, and begin as the text does', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 200 }),
        fc.integer({ min: 20, max: 100 }),
        (text, most) => {
          const whole = wholeSentences(text, most);
          expect(whole.length).toBeLessThanOrEqual(Math.max(most, text.length <= most ? text.length : most));
        },
      ),
    );
  });
});

describe('cutting', () => {
  it('never cuts a word or a character in two', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z]{1,12}$/), { minLength: 1, maxLength: 40 }), (words) => {
        const text = words.join(' ');
        const cut = cutAtWord(text, 60);
        expect(cut.length).toBeLessThanOrEqual(60);
        const kept = cut.replace(/…$/, '').split(' ');
        expect(words.slice(0, kept.length)).toEqual(kept);
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 80 }), (text) => {
        expect(cutAtWord(text, 20).isWellFormed()).toBe(true);
      }),
    );
  });
});
