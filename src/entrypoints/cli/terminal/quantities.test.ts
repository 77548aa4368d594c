import { expect, test } from 'vitest';
import { bytes, count, plural, seconds, shortCount } from './quantities.ts';

test('figures are written for reading', () => {
  expect([count(7), count(1234567)]).toEqual(['7', '1,234,567']);
  expect([shortCount(999), shortCount(12_345), shortCount(999_950), shortCount(4.5e9)]).toEqual([
    '999',
    '12.3k',
    '1.0M',
    '4.5G',
  ]);
  expect([bytes(0), bytes(999), bytes(1_400_000), bytes(999_999)]).toEqual([
    '0 B',
    '999 B',
    '1.4 MB',
    '1.0 MB',
  ]);
  expect([seconds(3.4), seconds(61), seconds(Number.POSITIVE_INFINITY)]).toEqual(['3s', '1m01s', '?']);
  expect([plural(1, 'session'), plural(0, 'session'), plural(2, 'entry', 'entries')]).toEqual([
    '1 session',
    '0 sessions',
    '2 entries',
  ]);
});
