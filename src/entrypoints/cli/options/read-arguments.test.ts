import { expect, test } from 'vitest';
import { readArguments } from './read-arguments.ts';

test('options of every command may come before or after it', () => {
  const request = readArguments(['--json', 'sessions', '--limit', '3', '--no-color', '--debug']);
  expect(request).toEqual({
    command: 'sessions',
    rest: ['--limit', '3'],
    json: true,
    debug: true,
    color: false,
  });
});

test('what follows two dashes stays as it is', () => {
  expect(readArguments(['projects', 'rename', '--', '-home-x', '--json'])).toMatchObject({
    command: 'projects',
    rest: ['rename', '--', '-home-x', '--json'],
    json: false,
  });
});

test('an option in front is no command', () => {
  expect(readArguments(['--help'])).toMatchObject({ command: undefined, rest: ['--help'] });
  expect(readArguments(['--nope', 'x'])).toMatchObject({ command: undefined, rest: ['--nope', 'x'] });
});
