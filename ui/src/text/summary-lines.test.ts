import { expect, test } from 'vitest';
import { summaryLines } from './summary-lines.ts';

test('a summary is shown by its sentences, however they were joined', () => {
  expect(summaryLines('Prices are cents; `a;b` stays. The hook is quiet')).toEqual([
    'Prices are cents',
    '`a;b` stays.',
    'The hook is quiet',
  ]);
});

test('what is in brackets stays in one line, and a name with a dot is no end', () => {
  expect(summaryLines('Done (first; then second) in setup.go v1. 2 files')).toEqual([
    'Done (first; then second) in setup.go v1. 2 files',
  ]);
  expect(summaryLines('One\n\nTwo;')).toEqual(['One', 'Two;']);
  expect(summaryLines('')).toEqual([]);
});
