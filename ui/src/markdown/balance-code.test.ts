import { expect, test } from 'vitest';
import { balanceCode } from './balance-code.ts';

test('code that a gap cut in two ends before it, and does not swallow the words after it', () => {
  expect(balanceCode('They change during `git commit … The `Checkpoint: <id>` trailer is the link')).toBe(
    'They change during `git commit` … The `Checkpoint: <id>` trailer is the link',
  );
  expect(balanceCode('Run it … --force` always')).toBe('Run it … `--force` always');
});

test('a text without a gap, or with whole pairs, stays as it is', () => {
  for (const text of ['a ` b', 'use `a` … and `b`', 'no code … at all', ''])
    expect(balanceCode(text)).toBe(text);
});
