import { describe, expect, it } from 'vitest';
import type { L1Line } from '../../model/l1.ts';
import { statementsOf } from '../statements-of.ts';
import { isStillBroken } from './still-broken.ts';

type Part = Partial<L1Line> & Pick<L1Line, 'role'>;
const user = (text: string): Part => ({ role: 'user', text });
const agent = (text: string): Part => ({ role: 'assistant', text });
const bash = (target: string): Part => ({ role: 'tool', name: 'Bash', target });
const commits = (...parts: Part[]) =>
  statementsOf(parts.map((part, index) => ({ ts: '2026-03-01T10:00:00Z', src: index * 100, ...part })))
    .filter(({ foundBy }) => foundBy === 'commit')
    .map(({ text }) => text);
const SUBJECT = 'perf(token): reuse the client of the token endpoint';
const commit = (body: string, flags = '') => bash(`git commit${flags} -m "${SUBJECT}\n\n${body}"`);
const FIRST = 'Because a new client was made for each call, the cache of connections was never used.';
const LAST = 'Because a new client was made for each call, now one client reads its transport each time.';
const WORK = [user('The token endpoint is slow.'), agent('A new client is made for each call.')];

describe('a commit that was made again', () => {
  it('counts in its last form, with the same first line, amended or after a reset', () => {
    const again = [user('Please do not keep the transport.'), agent('It reads the transport each time now.')];
    const other = commit(LAST).target!.replace(
      SUBJECT,
      'perf(token): one client, with its transport of the day',
    );
    for (const second of [
      [commit(LAST)],
      [bash(other.replace('commit', 'commit --amend'))],
      [bash('git reset --soft HEAD~1'), bash(other)],
    ]) {
      const texts = commits(...WORK, user('commit it'), commit(FIRST), ...again, ...second).join('\n');
      expect(texts).toContain('reads its transport');
      expect(texts).not.toContain('cache of connections');
    }
  });

  it('stays where only its files were taken back or its text was kept', () => {
    for (const kept of [
      'git reset HEAD src/a.ts',
      'git reset --hard origin/main',
      'git commit --amend --no-edit',
      'git reset --soft HEAD~0',
      'git commit -m "docs: tell that git reset --soft HEAD~1 takes a commit back"',
      'git commit -m wip && true',
    ])
      expect(commits(...WORK, user('commit it'), commit(FIRST), bash(kept)).join()).toContain(
        'cache of connections',
      );
  });
});

it('a reset takes back the last one, also where that says nothing', () => {
  const steps = [commit(FIRST), bash('git commit -m "wip"'), bash('git reset --soft HEAD~1')];
  expect(commits(...WORK, user('commit it'), ...steps).join()).toContain('cache of connections');
});

describe('a fix', () => {
  const fix = 'fix: buffer answers behind the proxy. Fixes the chat that is stuck on thinking.';

  it('is still broken when the next words say so of it or of nothing else', () => {
    for (const heard of [
      'I tried again. No changes.',
      'still not working',
      'The chat is still stuck on thinking.',
    ])
      expect(isStillBroken(fix, heard), heard).toBe(true);
  });

  it('is not when they speak of something else, or no fix was claimed', () => {
    const other = 'Tables are good now. The names of cities in the search results still have no links.';
    for (const heard of [other, 'Still working?', 'Great, now the logo.'])
      expect(isStillBroken(fix, heard), heard).toBe(false);
    expect(isStillBroken('feat: add a chat', 'still not working')).toBe(false);
  });
});
