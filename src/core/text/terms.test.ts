import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { IRREGULAR_FORMS } from './irregular-forms.ts';
import { anyToken, termStarts, termsBeginning, termsOf, tokenPattern } from './terms.ts';

describe('the terms of a text', () => {
  it('are the same by the quick pattern as by the one for all scripts, between any two characters', () => {
    const found = (text: string, pattern: RegExp) => text.match(pattern) ?? [];
    let quick = 0;
    for (let code = 0; code < 0x10000; code++) {
      const text = `a${String.fromCharCode(code)}b it's src/a.ts`;
      const pattern = tokenPattern(text);
      if (pattern === anyToken()) continue;
      quick++;
      if (found(text, pattern).join(' ') !== found(text, anyToken()).join(' '))
        expect.fail(`U+${code.toString(16)}`);
    }
    expect(quick).toBeGreaterThan(500);
  });

  it('hold an identifier whole and in parts', () => {
    expect(termsOf('getUserName')).toEqual(['getusername', 'user', 'name']);
    expect(termsOf('get_user_name')).toEqual(['get_user_name', 'user', 'name']);
    expect(termsOf('ERR_MODULE_NOT_FOUND')).toEqual(['err_module_not_found', 'err', 'modul', 'find']);
    expect(termsOf('HTTPServer2')).toEqual(['httpserver2', 'http', 'server', '2']);
  });

  it('hold a path whole and in parts', () => {
    expect(termsOf('see src/auth/token-cache.ts.')).toEqual([
      'see',
      'src/auth/token-cache.ts',
      'src',
      'auth',
      'token',
      'cach',
      'ts',
    ]);
  });

  it('are stems without stop-words, in any case and with any accents', () => {
    expect(termsOf('The caches were caching')).toEqual(['cach', 'cach']);
    expect(termsOf("User's FÜR Straße")).toEqual(expect.arrayContaining(['user']));
    expect(termsOf('Müller')).toEqual(termsOf('muller'));
  });

  it('are the same for the forms of a German word', () => {
    const forms = [
      ['Rechnung', 'Rechnungen'],
      ['Warenkorb', 'Warenkörbe', 'Warenkorbs'],
      ['Datei', 'Dateien'],
      ['Funktion', 'Funktionen'],
      ['Aktivität', 'Aktivitäten'],
      ['Ergebnis', 'Ergebnisse', 'Ergebnissen'],
      ['möglich', 'mögliche', 'möglichen', 'mögliches'],
      ['Schwierigkeit', 'Schwierigkeiten'],
    ];
    for (const [first, ...others] of forms)
      for (const other of others) expect(termsOf(other)).toEqual(termsOf(first!));
    // English words that look alike stay apart from what they would become.
    for (const [word, other] of [
      ['listen', 'list'],
      ['token', 'tok'],
      ['pension', 'pens'],
      ['taken', 'tak'],
    ])
      expect(termsOf(word!)).not.toEqual(termsOf(other!));
  });

  it('are pairs of characters in Chinese, Japanese and Korean', () => {
    expect(termsOf('令牌缓存')).toEqual(['令牌', '牌缓', '缓存']);
    expect(termsOf('トークン cache')).toEqual(['トー', 'ーク', 'クン', 'cach']);
    expect(termsOf('토큰 캐시')).toEqual(['토큰', '캐시']);
    expect(termsOf('用getUserName')).toEqual(['用', 'getusername', 'user', 'name']);
  });

  it('are the same in plain text, whatever else the text holds', () => {
    const plain = fc.string({ unit: fc.constantFrom(..."aZbQ09_$'./:@\\- s\n"), maxLength: 30 });
    fc.assert(
      fc.property(plain, (text) => {
        expect(termsOf(`${text} ф`)).toEqual([...termsOf(text), 'ф']);
      }),
    );
  });

  it('are found in any text without a fault, and a word is found in any place', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        for (const term of termsOf(text)) expect(term).not.toBe('');
        expect(termsOf(`${text} zanzibar`)).toContain('zanzibar');
      }),
      { numRuns: 500 },
    );
  });
});

it('terms that are looked for are found and what begins otherwise is left out', () => {
  const ends = ['', 's', 'ed', 'ing', 'ingly', 'ies', 'ied', 'y', 'e', 'ational', 'ness', 'ungen', 'isse'];
  const word = fc.oneof(
    fc.constantFrom(...IRREGULAR_FORMS.keys(), 'dying', 'lying', 'tying', 'skies', 'aing', 'oed', 'größe'),
    fc.tuple(fc.stringMatching(/^[a-z]{1,6}$/), fc.constantFrom(...ends)).map((parts) => parts.join('')),
    fc.stringMatching(/^[a-zA-Z0-9_.]{1,12}$/),
    fc.constantFrom('検索エンジン', 'getUserName', 'src/app/terms.ts', "don't", 'été'),
  );
  fc.assert(
    fc.property(
      fc.array(word, { maxLength: 12 }),
      fc.array(word, { minLength: 1, maxLength: 3 }),
      (words, asked) => {
        const looked = new Set(termsOf(asked.join(' ')));
        const only = (terms: readonly string[]) => terms.filter((term) => looked.has(term));
        const text = [...words, ...asked].join(' ');
        const { length, found } = termsBeginning(text, termStarts(looked));
        expect(only(found)).toEqual(only(termsOf(text)));
        expect(length).toBe(termsOf(text).length);
      },
    ),
    { numRuns: 2000 },
  );
});

it('a word that begins otherwise is not stemmed', () => {
  const starts = termStarts(['talk']);
  const found = { length: 3, found: ['talk'] };
  expect(termsBeginning('walking hunters talked', starts)).toEqual(found);
  expect(termsBeginning('walking hunters talked', starts)).toEqual(found);
});
