import { expect, test } from 'vitest';
import { addQueued, type QueuedText, takeQueued } from './queued-texts.ts';

test('a text is taken as often as it was added, the first one first', () => {
  const list: QueuedText[] = [];
  addQueued(list, 'a', { src: 1, asked: true });
  addQueued(list, 'b', { src: 2, asked: false });
  addQueued(list, 'a', { src: 3 });
  expect(list).toEqual([
    { src: 1, words: 'a', asked: true },
    { src: 2, words: 'b' },
    { src: 3, words: 'a' },
  ]);
  expect(takeQueued(list, 'c')).toBeUndefined();
  expect(['a', 'a', 'a', 'b', 'b'].map((words) => takeQueued(list, words)?.src)).toEqual([
    1,
    3,
    undefined,
    2,
    undefined,
  ]);
  expect(list).toEqual([]);
});

test('a list that was stored and read again is as good', () => {
  const list: QueuedText[] = [
    { src: 1, words: 'a' },
    { src: 2, words: 'a' },
  ];
  expect([takeQueued(list, 'a'), takeQueued(list, 'a'), takeQueued(list, 'a')].map((it) => it?.src)).toEqual([
    1,
    2,
    undefined,
  ]);
});
