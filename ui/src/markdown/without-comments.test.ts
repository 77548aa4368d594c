import { expect, test } from 'vitest';
import { withoutComments } from './without-comments.ts';

test('comments of their own lines are not for reading, one line long or many', () => {
  expect(withoutComments('# Parts\n\n<!-- Which parts there are. -->\n<!-- keepsake:page 1 -->\nCart.')).toBe(
    '# Parts\n\nCart.',
  );
  expect(withoutComments('a\n<!-- one\ntwo\n-->\nb')).toBe('a\nb');
});

test('comments in code, within a line or without an end stay as they are', () => {
  for (const text of [
    '```html\n<!-- code -->\n```',
    'before <!-- x --> after',
    '<!-- x --> after',
    'a\n<!-- never',
  ])
    expect(withoutComments(text)).toBe(text);
  expect(withoutComments('````\n```\n<!-- code -->\n````\n<!-- note -->\nb')).toBe(
    '````\n```\n<!-- code -->\n````\nb',
  );
});
