import { expect, test } from 'vitest';
import { journalReferences, pagesIn } from './journal-files.ts';

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

test('ids in a journal are called by the titles of their conversations, cut at a word', () => {
  const title = 'Replace the status of the worktree with a small shim for git';
  const references = journalReferences([{ sessionId: '62c6bad8-0000', projectId: 'p', title }]);
  expect(references('62c6bad8')).toMatchObject({
    title: 'Replace the status of the worktree with a small…',
    to: { params: { sessionId: '62c6bad8-0000', projectId: 'p' } },
  });
  expect(references('0276a600')).toBeUndefined();
  expect(references('ex_8da8d3ea829a')?.to).toMatchObject({
    params: { exchangeId: 'ex_8da8d3ea829a' },
    query: { project: 'p' },
  });
});
