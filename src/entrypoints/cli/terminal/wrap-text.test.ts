import fc from 'fast-check';
import { expect, test } from 'vitest';
import { textWidth } from './text-width.ts';
import { hanging, wrapText } from './wrap-text.ts';

test('words stay whole, and an indent is kept', () => {
  expect(wrapText('run `keepsake sync` now or later', 18)).toEqual([
    'run',
    '`keepsake sync`',
    'now or later',
  ]);
  expect(wrapText('see /a/long/path/to/it now', 8)).toEqual(['see', '/a/long/path/to/it', 'now']);
  expect(wrapText('\u001b[31mone two\u001b[39m', 7)).toEqual(['\u001b[31mone two\u001b[39m']);
  expect(wrapText('one two three four', 9)).toEqual(['one two', 'three', 'four']);
  expect(wrapText('  - a list item', 9)).toEqual(['  - a', '  list', '  item']);
  expect(wrapText('a\n\nb', 5)).toEqual(['a', '', 'b']);
  expect(wrapText('as long as it likes', undefined)).toEqual(['as long as it likes']);
  expect(hanging('ok  ', 4, 'one two three four five six', 24)).toEqual([
    'ok  one two three four',
    '    five six',
  ]);
});

test('a command on a line of its own stays one command for a shell', () => {
  const command = '  keepsake projects --project="-home-me-tea shop" --limit 8 --after e05c1ad6';
  const lines = wrapText(`For more:\n${command}`, 40);
  expect(lines).toEqual([
    'For more:',
    '  keepsake projects \\',
    '    --project="-home-me-tea shop" \\',
    '    --limit 8 --after e05c1ad6',
  ]);
  const asShell = lines
    .slice(1)
    .join('\n')
    .replaceAll(/\\\n */g, '');
  expect(asShell).toBe(command);
});

test.each(['--project="My long project name"', "--project='My long project name'"])(
  'a quoted name behind an option stays one argument: %s',
  (option) => {
    for (let width = 20; width < 60; width++) {
      const lines = wrapText(`  keepsake unregister ${option} --purge`, width);
      expect(lines.filter((line) => line.includes(option))).toHaveLength(1);
    }
  },
);

test('no line is wider than it may be unless a word is, and no letter is lost', () => {
  const unit = fc.constantFrom('a', 'b', ' ', '語', 'é', '-', '…', '👍');
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 80 }), fc.integer({ min: 4, max: 30 }), (text, width) => {
      const lines = wrapText(text, width);
      const tooWide = lines.filter((line) => textWidth(line) > width);
      for (const line of tooWide) expect(line.trim(), 'only a word that is wider').not.toContain(' ');
      expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
    }),
  );
});
