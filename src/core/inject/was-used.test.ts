import { expect, test } from 'vitest';
import type { L1Line } from '../model/l1.ts';
import { useOf } from './was-used.ts';

const TEXT = '> The cache lives in `src/token-cache.ts`; `evictOldest` drops the rest.';
const at = '2026-01-02T10:00:00Z';
const line = (more: Partial<L1Line>): L1Line => ({
  ts: '2026-01-02T11:00:00Z',
  role: 'assistant',
  src: 0,
  ...more,
});

test('a file that was opened and a name that was written afterwards show that it was used', () => {
  const lines = [
    line({ role: 'tool', name: 'Read', target: 'src/token-cache.ts' }),
    line({ text: 'I call evictOldest.' }),
  ];
  expect(useOf(TEXT, at, lines)).toEqual({ files: ['token-cache.ts'], words: ['evictOldest'] });
});

test('what was before it, and what the user named, shows nothing', () => {
  const before = line({
    ts: '2026-01-02T09:00:00Z',
    role: 'tool',
    name: 'Read',
    target: 'src/token-cache.ts',
  });
  expect(useOf(TEXT, at, [before])).toEqual({ files: [], words: [] });
  const asked = [
    line({ role: 'user', text: 'Look at token-cache.ts and evictOldest' }),
    line({ text: 'evictOldest' }),
  ];
  expect(useOf(TEXT, at, asked)).toEqual({ files: [], words: [] });
});
