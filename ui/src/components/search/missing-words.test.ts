import { expect, test } from 'vitest';
import { missingWords } from './missing-words.ts';

const hit = (text: string, title = '') => ({ text, title, snippet: text.slice(0, 10) });

test('it is said when no result has all of the words, and which word none has', () => {
  const some = [hit('A mermaid diagram of the server.'), hit('The second phase is done.')];
  expect(missingWords('mermaid phase', some)).toBe(
    'No result contains all of the words. These contain some of them.',
  );
  expect(missingWords('mermaid heronsgate', some)).toBe(
    'No result contains “heronsgate”. These contain the other words.',
  );
});

test('nothing is said where one result has all of them, in its title or with other endings', () => {
  expect(missingWords('mermaid phase', [hit('phases of work', 'Mermaids')])).toBe('');
  expect(missingWords('the phase of a mermaid', [hit('mermaid phase')])).toBe('');
  expect(missingWords('phase -mermaid', [hit('phase')])).toBe('');
  expect(missingWords('phase', [hit('nothing of it')])).toBe('');
  expect(missingWords('mermaid phase', [])).toBe('');
  expect(missingWords('検索 結果', [hit('検索の結果')])).toBe('');
});
