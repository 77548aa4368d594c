import { expect, test } from 'vitest';
import { type ProgressOutput, progressBar, progressLine } from './progress.ts';
import { textWidth } from './text-width.ts';

test('the line says how far, how much, how fast and how long', () => {
  expect(
    progressLine(
      'Reading',
      { done: 20, total: 79, bytes: 100e6, totalBytes: 400e6, current: 'a\u001b[2Jb' },
      10,
    ),
  ).toBe('Reading █████░░░░░░░░░░░░░░░  25%  20/79 sessions  100.0 MB of 400.0 MB  10.0 MB/s  30s left  ab');
});

test('it is redrawn on one line that fits the terminal, and removed at the end', () => {
  const written: string[] = [];
  let now = 0;
  const output: ProgressOutput = {
    write: (text) => written.push(text),
    columns: () => 70,
    millis: () => now,
  };
  const bar = progressBar('Reading', output);
  for (let done = 0; done <= 10; done++) {
    bar.show({ done, total: 10, bytes: done * 1e6, totalBytes: 10e6 });
    now += 20;
  }
  bar.end();
  expect(written.length).toBeLessThan(8);
  for (const text of written) {
    expect(text.startsWith('\r\u001b[2K')).toBe(true);
    expect(text).not.toContain('\n');
    expect(textWidth(text.slice(5))).toBeLessThan(70);
  }
  expect(written.at(-2)).toContain('10/10 sessions');
  expect(written.at(-1)).toBe('\r\u001b[2K');
});

test('without a terminal there is nothing', () => {
  const bar = progressBar('Reading', undefined);
  expect(() => bar.show({ done: 0, total: 1, bytes: 0, totalBytes: 1 })).not.toThrow();
});

test('work that is not counted in bytes says how far it is and how long it takes', () => {
  const state = { done: 5, total: 20, bytes: 0, totalBytes: 0 };
  expect(progressLine('Composing', state, 3)).toBe(
    'Composing █████░░░░░░░░░░░░░░░  25%  5/20 sessions  9s left',
  );
  expect(progressLine('Indexing', { ...state, done: 0, unit: 'project' }, 3)).toBe(
    'Indexing ░░░░░░░░░░░░░░░░░░░░   0%  0/20 projects',
  );
});
