import { expect, test } from 'vitest';
import { noteOf } from './history.ts';

test.each([
  ['From /home/me/my files/a.jsonl.', 'From', '/home/me/my files/a.jsonl'],
  [
    '/home/me/a.jsonl is no longer what was archived. All of it is kept.',
    'The file is no longer what was archived. All of it is kept.',
    '/home/me/a.jsonl',
  ],
  ['It is kept, although it was cut: /tmp/x.jsonl', 'It is kept, although it was cut', '/tmp/x.jsonl'],
  ['Renamed from shop to store.', 'Renamed from shop to store.', ''],
])('%j tells what happened apart from the path', (note, words, path) => {
  expect(noteOf({ action: 'register', note })).toEqual({ words, path });
});

test('growth is shown in bytes', () => {
  expect(noteOf({ action: 'grow', details: { before: 100, after: 1600 } }).words).toBe('1.5 KB more');
});

test('an imported edit shows its words, not its id', () => {
  const details = { edit: { action: 'promote', content: 'Sensor ids are strings.' } };
  expect(noteOf({ action: 'fact', note: 'Imported: fe_83d85b6fa4ea', details }).words).toBe(
    'Imported: promote Sensor ids are strings.',
  );
});
