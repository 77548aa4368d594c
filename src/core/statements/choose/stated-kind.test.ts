import { expect, test } from 'vitest';
import type { Candidate } from '../candidate.ts';
import { statedKind } from './stated-kind.ts';

const claim = (text: string) =>
  statedKind({
    foundBy: 'claim',
    features: new Set(['fix']),
    words: { text },
    kind: 'decision',
  } as Candidate);

test('what an agent reports as fixed is a solution', () => {
  expect(claim('The crash was caused by a missing lock; it now uses one instead of two files.')).toBe(
    'solution',
  );
  expect(claim('Fixed the error by reading the header once instead of twice.')).toBe('solution');
});

test('what a review advises is no solution: nothing was done yet', () => {
  expect(claim('`make()` panics: should return an error instead of failing.')).toBe('lesson');
  expect(
    claim(
      'Document the change of the interface; Add a check that is used instead of direct casts; Handle errors',
    ),
  ).toBe('lesson');
  expect(claim('I recommend to replace the broken lock, because it fails on Windows.')).toBe('lesson');
});
