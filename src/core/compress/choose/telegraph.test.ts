import { describe, expect, it } from 'vitest';
import { isEnglish, telegraph } from './telegraph.ts';

describe('telegraphic prose', () => {
  it('drops small words and commas, and keeps negations, numbers, names, code and what must or may be', () => {
    expect(telegraph('This may not be the fix, but it is in `a, the file` of the 3 modules.')).toBe(
      'may not fix but `a, the file` 3 modules.',
    );
    expect(telegraph('We must never call the API from IT, only from src/the/api.ts.')).toBe(
      'must never call API from IT only from src/the/api.ts.',
    );
  });

  it('leaves a sentence of nothing but small words as it is', () => {
    expect(telegraph('This is it.')).toBe('This is it.');
  });

  it('knows English from other languages, and from what is no language', () => {
    expect(isEnglish('The tests of this module are not in the right folder.')).toBe(true);
    expect(isEnglish('Die Tests des Moduls sind nicht im richtigen Ordner.')).toBe(false);
    expect(isEnglish('Les tests du module ne sont pas dans le dossier.')).toBe(false);
    expect(isEnglish('このモジュールのテスト')).toBe(false);
    expect(isEnglish('npm ERR! code E404')).toBe(false);
  });
});
