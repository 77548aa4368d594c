import { expect, test } from 'vitest';
import { readUserText } from './user-text.ts';

// Each opening tag that looks for its end once more would take minutes.
test.each([
  '<system-reminder>x ',
  '<system-reminder>\nx\n',
  '<system-reminder ',
  '<task-notification>\n',
  '<command-name>',
  '<command-name>a</command-name><command-args>',
  '<user-memory-input>',
  '<bash-input>',
])('reads a megabyte of %j', (unit) => {
  const text = unit.repeat(Math.ceil(1e6 / unit.length));
  expect(readUserText(text).text.length).toBeGreaterThan(0);
});
