import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { termsOf } from '../text/terms.ts';
import { asksNothing, holdsPhrase, parseQuery, queryMatcher, termsOfPhrase } from './query.ts';

describe('a query', () => {
  it('is words, each term once', () => {
    expect(parseQuery('the token cache and the Token caches')).toEqual({
      text: 'the token cache and the Token caches',
      terms: ['token', 'cach'],
      phrases: [],
      not: { terms: [], phrases: [] },
      prefixes: [],
    });
  });

  it('has phrases in straight, curly and angled quotes, whose words are looked for as well', () => {
    const query = parseQuery('why "Token  Cache" “at startup” «le cache»');
    expect(query.phrases).toEqual(['token cache', 'at startup', 'le cache']);
    expect(query.terms).toEqual(['token', 'cach', 'startup', 'le']);
  });

  it('holds a phrase only as whole words, where words have spaces between them', () => {
    expect(holdsPhrase('the concat dogs', 'cat dog')).toBe(false);
    expect(holdsPhrase('The Cat  dog.', 'cat dog')).toBe(true);
    expect(holdsPhrase('concat dog, cat dog', 'cat dog')).toBe(true);
    expect(holdsPhrase('src/cache.tsx', 'src/cache.ts')).toBe(false);
    expect(holdsPhrase('see ERR_MODULE_NOT_FOUND', 'err_module')).toBe(true);
    expect(holdsPhrase('全文検索機能', '検索')).toBe(true);
    expect(holdsPhrase('--json-lines', '--json')).toBe(true);
  });

  it('knows the terms that every text with a phrase holds', () => {
    const text = fc.array(
      fc.constantFrom('the', 'token', 'getUser', 'a/b.ts', 'caches', 'don’t', '検索する'),
      {
        minLength: 1,
        maxLength: 4,
      },
    );
    fc.assert(
      fc.property(text, text, text, (before, words, after) => {
        const held = new Set(termsOf([...before, ...words, ...after].join(' ')));
        const terms = termsOfPhrase(parseQuery(`"${words.join(' ')}"`).phrases[0]!);
        // A name in small letters has no parts; what the index does not know is not asked for.
        expect(terms.filter((term) => !held.has(term) && term !== 'getus')).toEqual([]);
      }),
    );
    expect(termsOfPhrase('as to the')).toEqual([]);
  });

  it('leaves out words and phrases after a minus sign', () => {
    const query = parseQuery('cache -redis -"in memory" -src/cache.ts');
    expect(query.terms).toEqual(['cach']);
    expect(query.not).toEqual({ terms: ['redi'], phrases: ['in memory', 'src/cache.ts'] });
  });

  it('takes a minus sign inside a word, an option and a lone one for what they are', () => {
    const query = parseQuery('token-cache --json - --');
    expect(query.terms).toEqual(['token-cache', 'token', 'cach', 'json']);
    expect(query.not).toEqual({ terms: [], phrases: [] });
  });

  it('has beginnings of words, and the stem where the beginning is longer than it', () => {
    expect(parseQuery('auth* getUser* src/au* Für*').prefixes).toEqual(['auth', 'getuser', 'src/au', 'fur']);
    expect(parseQuery('auth*').terms).toEqual([]);
    expect(parseQuery('caching*')).toMatchObject({ prefixes: ['caching'], terms: ['cach'] });
    expect(parseQuery('* ** *x').prefixes).toEqual([]);
  });

  it('takes the operators of a search engine for words', () => {
    const query = parseQuery('NEAR(token cache, 5) AND {col}: OR ^x NOT "');
    expect(query.terms).toEqual(['near', 'token', 'cach', '5', 'col', 'x']);
    expect(query.phrases).toEqual([]);
  });

  it('takes an unbalanced quote for an ordinary character', () => {
    expect(parseQuery('say "hello world').terms).toEqual(['say', 'hello', 'world']);
    expect(parseQuery('say "hello world').phrases).toEqual([]);
    expect(parseQuery('""" " "').phrases).toEqual([]);
  });

  it('may be empty, only stop-words, only emoji, or hold control characters', () => {
    for (const text of ['', '   ', 'the and of', '🎉🎉', '\0\u001b', '"" -"" -']) {
      expect(parseQuery(text)).toMatchObject({ terms: [], prefixes: [], not: { terms: [] } });
    }
    expect(parseQuery('to\0ken')).toMatchObject({ text: 'to ken', terms: ['ken'] });
    expect(parseQuery('🎉 party 🎉').terms).toEqual(['parti']);
  });

  it('is cut where it is too long, and never inside a character', () => {
    const query = parseQuery(`word ${'🎉x'.repeat(50_000)}`);
    expect(query.text.length).toBeLessThanOrEqual(10_240);
    expect(query.text.isWellFormed()).toBe(true);
    expect(query.terms).toContain('word');
  });

  it('of plain words has exactly their terms', () => {
    const word = fc.stringMatching(/^[a-z]{1,12}$/);
    fc.assert(
      fc.property(fc.array(word, { maxLength: 20 }), (words) => {
        expect(parseQuery(words.join(' ')).terms).toEqual([...new Set(words.flatMap((it) => termsOf(it)))]);
      }),
    );
  });

  it('can be any string, and what it says of itself is well-formed and without doubles', () => {
    const piece = fc.constantFrom(
      '"',
      '-',
      '*',
      ' ',
      '“',
      '”',
      '«',
      'a',
      'token',
      '\0',
      '\ud83c',
      '🎉',
      '令牌',
      '(',
      ':',
    );
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join('')),
    );
    fc.assert(
      fc.property(text, (typed) => {
        const query = parseQuery(typed);
        const lists = [query.terms, query.phrases, query.not.terms, query.not.phrases, query.prefixes];
        for (const list of lists) {
          expect(new Set(list).size).toBe(list.length);
          for (const item of list) {
            expect(item).not.toBe('');
            expect(item.isWellFormed()).toBe(true);
            expect(item).not.toMatch(/\p{Cc}/u);
          }
        }
        for (const phrase of query.phrases) expect(holdsPhrase(query.text, phrase)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('what was looked for', () => {
  it('is known again, by its term or its beginning', () => {
    const matches = queryMatcher(parseQuery('caches auth* -redis'));
    expect(['cach', 'authent', 'redi', 'x'].map(matches)).toEqual([true, true, false, false]);
  });

  it('may be nothing', () => {
    expect(['', 'the', '-x', '🎉'].map((text) => asksNothing(parseQuery(text)))).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(['x', '"the"', 'a*'].map((text) => asksNothing(parseQuery(text)))).toEqual([false, false, false]);
  });
});

describe('a phrase', () => {
  it('is found in any case and over the ends of lines', () => {
    const [phrase] = parseQuery('"token cache"').phrases;
    expect(holdsPhrase('The Token\n  CACHE is full', phrase!)).toBe(true);
    expect(holdsPhrase('a cache of tokens', phrase!)).toBe(false);
  });
});
