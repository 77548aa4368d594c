import { describe, expect, it } from 'vitest';
import { termsOf } from '../text/terms.ts';
import { askingWords, relatedTerms } from './related-words.ts';

const related = (word: string) => relatedTerms(termsOf(word)[0]!);

describe('related words', () => {
  it('lead from what is asked for to what may answer it, whatever the form', () => {
    expect(related('instruments')).toContain(termsOf('piano')[0]);
    expect(related('databases')).toContain('postgr');
    expect(related('children')).toContain(termsOf('daughters')[0]);
  });

  it('are found for every word of the table: its stem begins as it does', () => {
    for (const word of askingWords()) {
      const [term] = termsOf(word);
      // A stop-word is never asked for.
      if (term !== undefined) expect([word, relatedTerms(term).length > 0]).toEqual([word, true]);
    }
  });

  it('go one way only', () => {
    expect(related('piano')).toEqual([]);
  });

  it('never hold the word itself, nor one twice', () => {
    for (const word of ['kid', 'child', 'movie', 'film', 'auth', 'configuration', 'authentication']) {
      const found = related(word);
      expect(found.length).toBeGreaterThan(0);
      expect(found).not.toContain(termsOf(word)[0]);
      expect(new Set(found).size).toBe(found.length);
    }
  });

  it('are none for a word that is not in the table, nor for the name of something in an object', () => {
    for (const word of ['zebra', 'constructor', '__proto__', '']) expect(relatedTerms(word)).toEqual([]);
  });
});
