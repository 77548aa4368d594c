import { expect, test } from 'vitest';
import { plainWords } from './plain-words.ts';

test('marks are gone, words and what is no Markdown stay', () => {
  expect(plainWords('## Money\n\n**Always** use `cents`, see [the rule](https://a.example).')).toBe(
    'Money\nAlways use cents, see the rule.',
  );
  expect(plainWords('- one\n- two\n\n> said')).toBe('one\ntwo\nsaid');
  expect(plainWords('```ts\nlet a = 1;\nlet b = 2;\n```')).toBe('let a = 1;\nlet b = 2;');
  expect(plainWords('a * b <b>bold</b> 2 ** 3')).toBe('a * b <b>bold</b> 2 ** 3');
  expect(plainWords('**cut off in the middle')).toBe('cut off in the middle');
});
