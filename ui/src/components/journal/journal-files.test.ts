import { expect, test } from 'vitest';
import { pagesIn } from './journal-files.ts';

test('pages come by the date of their conversation, those of unknown ones at the end', () => {
  const page = (id: string, mtimeMs: number) => ({
    name: `_memory/conversations/${id}.md`,
    bytes: 1,
    mtimeMs,
  });
  const files = [page('old', 9), page('unknown', 8), page('gone', 10), page('new', 7)];
  const last: Record<string, string> = { old: '2026-03-02', new: '2026-04-01' };
  expect(pagesIn(files, '', (session) => last[session] ?? '').map(({ name }) => name.slice(22, -3))).toEqual([
    'new',
    'old',
    'gone',
    'unknown',
  ]);
});
