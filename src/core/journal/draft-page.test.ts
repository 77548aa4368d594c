import { expect, test } from 'vitest';
import { exchangeRecords } from '../layers/exchange-records.ts';
import type { L1Line } from '../model/l1.ts';
import { commitSubjects } from './commits.ts';
import { draftPage } from './draft-page.ts';

const line = (role: L1Line['role'], rest: Partial<L1Line>, src: number): L1Line => ({
  ts: `2026-01-05T10:00:${String(src).padStart(2, '0')}Z`,
  role,
  src,
  ...rest,
});

const LINES: L1Line[] = [
  line('user', { text: 'hi' }, 1),
  line('assistant', { text: 'Hello! What shall we do?' }, 2),
  line(
    'user',
    {
      text: 'The price service rounds wrongly. Let’s store amounts in cents instead of floats, since floats lose money.'.replace(
        '’',
        "'",
      ),
    },
    3,
  ),
  line('assistant', { text: 'Let me look at the code first.' }, 4),
  line('tool', { name: 'Bash', target: 'npm test', result: 'error: expected 100 got 99.99' }, 5),
  line('tool', { name: 'Edit', target: 'src/price.ts', diff: '-float +cents' }, 6),
  line('tool', { name: 'Bash', target: 'npm test' }, 7),
  line('tool', { name: 'Bash', target: `git commit -m "fix(price): amounts are whole cents"` }, 8),
  line(
    'assistant',
    {
      text: 'The root cause was `toFixed` in `src/price.ts`, which rounds half to even. All tests pass and the change is committed.',
    },
    9,
  ),
];

test('a page tells what was asked, decided, found and done, each with its exchange', () => {
  const exchanges = exchangeRecords('s1', LINES);
  const page = draftPage({
    session: 's1',
    title: undefined,
    branches: ['main'],
    first: '2026-01-05T10:00:01Z',
    last: '2026-01-05T10:00:09Z',
    exchanges,
    lines: LINES,
  });
  expect(page.title).toBe('The price service rounds wrongly');
  const told = page.points.map(({ kind, text }) => `${kind}: ${text}`);
  expect(told).toContain(
    "decision: Let's store amounts in cents instead of floats, since floats lose money.",
  );
  expect(told).toContain(
    'discovery: The root cause was `toFixed` in `src/price.ts`, which rounds half to even.',
  );
  expect(told).toContain('done: fix(price): amounts are whole cents');
  expect(told.some((it) => it.startsWith('status: '))).toBe(true);
  expect(told.join()).not.toContain('Let me look');
  expect(page.points.every(({ exchange }) => exchange === exchanges[1]?.id)).toBe(true);
  expect(page.files).toEqual(['src/price.ts']);
  expect(page.commands).toContain('npm test');
});

test('a conversation in which nothing was said is a page all the same', () => {
  const page = draftPage({
    session: 'abcdefghij',
    title: undefined,
    branches: [],
    first: '',
    last: '',
    exchanges: [],
    lines: [],
  });
  expect(page).toMatchObject({ title: 'Conversation abcdefgh', points: [], files: [] });
});

test.each([
  ['git commit -m "feat: a \\"quoted\\" word" && git push', ['feat: a "quoted" word']],
  ["git -C /srv commit -am 'fix: it'", ['fix: it']],
  ['git commit -m "$(cat <<\'EOF\'\nfix: by heredoc\n\nbody\nEOF\n)"', ['fix: by heredoc']],
  ['gh pr create --title "Add the thing" --body x', ['Pull request: Add the thing']],
  ['git commit --amend --no-edit', []],
  ['echo commit -m "no"', []],
])('%s', (target, subjects) => {
  expect(commitSubjects(line('tool', { name: 'Bash', target }, 1))).toEqual(subjects);
});
