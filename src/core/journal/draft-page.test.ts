import { expect, test } from 'vitest';
import { exchangeRecords } from '../layers/exchanges/records.ts';
import type { L1Line } from '../model/l1.ts';
import { statementsOf } from '../statements/statements-of.ts';
import { decides } from '../text/decides.ts';
import { commitSubjects } from './commits.ts';
import { cueOf } from './cues.ts';
import { draftPage } from './draft-page.ts';
import { pointOfStatement } from './statement-points.ts';

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

test('a page lists what was asked, decided, found and done, each with its exchange', () => {
  const exchanges = exchangeRecords('s1', LINES);
  const page = draftPage({
    session: 's1',
    title: undefined,
    branches: ['main'],
    first: '2026-01-05T10:00:01Z',
    last: '2026-01-05T10:00:09Z',
    exchanges,
    statements: statementsOf(LINES),
    lines: LINES,
  });
  expect(page.title).toBe('The price service rounds wrongly');
  const points = page.points.map(({ kind, text }) => `${kind}: ${text}`);
  expect(points[0]).toMatch(
    /^decision: "The price service rounds wrongly\. Let's store amounts in cents.*" → The root cause/,
  );
  expect(points.some((it) => it.startsWith('status: '))).toBe(true);
  expect(points.join()).not.toContain('Let me look');
  expect(page.points.every(({ exchange }) => exchange === exchanges[1]?.id)).toBe(true);
  expect(page.files).toEqual(['src/price.ts']);
  expect(page.commands).toContain('npm test');
});

test('a discussion without edits has its decisions, answers and open ends', () => {
  const lines = [
    line(
      'user',
      { text: 'We should keep the invoices in Postgres and not in files, since auditors read them.' },
      1,
    ),
    line('assistant', { text: 'Agreed: invoices stay in Postgres because auditors query them by date.' }, 2),
    line('user', { text: 'How large does the invoices table get in a year?' }, 3),
    line(
      'assistant',
      {
        text: 'About 40 GB: 1,200 invoices a day at 90 KB each. Should the invoices be partitioned by month?',
      },
      4,
    ),
  ];
  const story = { session: 's1', title: undefined, branches: [], first: '', last: '' };
  const exchanges = exchangeRecords('s1', lines);
  const page = draftPage({ ...story, exchanges, statements: statementsOf(lines), lines });
  const kinds = page.points.map(({ kind }) => kind);
  expect(kinds).toContain('decision');
  expect(page.points.length).toBeGreaterThan(2);
  // Every word of a point was said, or is a label of ours.
  const said = lines.map(({ text }) => text).join(' ');
  for (const { text } of page.points)
    for (const [quoted = ''] of text.matchAll(/[\p{L}\d][\p{L}\d ,'-]{20,}/gu))
      expect(said).toContain(quoted.trim());
});

test.each([
  ['always use cents for prices in this project', '', true],
  ['remove the watch command, we only need prepare', '', true],
  ['we should store it in Postgres instead of files', '', true],
  ['Not true.. My CLI does also work with the old server', '', false],
  ['screenshot of the issue', '', false],
  ['Please go ahead', '', false],
  ['yes', 'restart the server so you can test it', false],
  ['yes', 'add a group_by parameter with options user and device', true],
  ['please do not do any work, let us see the options first', '', false],
  ['create a folder for old notes and move as many of them there as you can', '', false],
  ['create a folder for old notes, they should never be in the status file', '', true],
  ['wait why are the traces in a folder of their own, we should have one each', '', false],
  ['this means we should update the dashboard, right', '', false],
  ['I do not think you set this up correctly, see below', '', false],
  ['I want the commits 3fa2c81 and 9bd01e7 removed', '', false],
  ['yes', 'add a test that covers the scenario', false],
  ['yes', 'should it be a separate entry point, or part of the proxy?', false],
  ['relevant because Transport is the public hook for proxies and observability', '', false],
])('%s [%s] decides something: %s', (words, reference, expected) => {
  expect(decides(words, reference)).toBe(expected);
});

test('a conversation without messages still gets a page', () => {
  const page = draftPage({
    session: 'abcdefghij',
    title: undefined,
    branches: [],
    first: '',
    last: '',
    exchanges: [],
    statements: [],
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

test.each<[string, 'user' | 'assistant', string | undefined]>([
  ['[ NEW ] Ok, I think we should drop the old login store: — 18 mins ago [+55 -278]', 'user', undefined],
  ["Let's only add the replace step to the importer for now, but leave the others.", 'user', undefined],
  ["Let's keep the importer in `lib/import.ts` rather than in the shell script.", 'user', 'decision'],
  ['Removed from `commitSession()` in the after-agent hook of the runner.', 'assistant', undefined],
  ['Removed `legacyFlag` from the `runImport()` signature of the importer.', 'assistant', 'change'],
  ['Merged the latest origin/main into the branch and pushed it to the fork.', 'assistant', undefined],
  ['On resume the dismiss is detected → session A now uses the `-2` suffix.', 'assistant', undefined],
  ['The issue is likely in how modified files of `importer.ts` are detected.', 'assistant', undefined],
  [
    'The issue is that `importer.ts` reads stdin twice, which gives nothing the second time.',
    'assistant',
    'discovery',
  ],
  ['If it still fails, we can check the logs of the importer in `.logs/run`.', 'assistant', undefined],
  ['The Remaining Issue: Session Conflict (Orphaned Branch) Still Open Here', 'assistant', undefined],
  ['The retry of `importer.ts` still fails when the queue of jobs is empty.', 'assistant', 'open'],
])('%s', (sentence, by, kind) => {
  expect(cueOf(sentence, by)?.kind).toBe(kind);
});

test('an error is shown without the numbers that were removed from it, or not at all', () => {
  const lines = [
    line('user', { text: 'Please make the linter of the importer pass again.' }, 1),
    line(
      'tool',
      { name: 'Bash', target: 'npm run lint', result: 'error: importer.ts:12:4: 3-4 lines are long' },
      2,
    ),
    line('tool', { name: 'Bash', target: 'npm run build', result: 'error: importer.ts:12: no such name' }, 3),
  ];
  const page = draftPage({
    session: 's1',
    title: undefined,
    branches: [],
    first: '2026-01-05T10:00:01Z',
    last: '2026-01-05T10:00:09Z',
    exchanges: exchangeRecords('s1', lines),
    statements: [],
    lines,
  });
  const open = page.points.filter(({ kind }) => kind === 'open').map(({ text }) => text);
  expect(open.join('\n')).not.toContain('#');
  expect(open).toContain('`npm run lint` still failed in the end.');
});

test('a commit that is shown and says why one way was chosen is a decision, others were done', () => {
  const commit = (text: string, tier: 'shown' | 'candidate', foundBy: 'commit' | 'pasted' = 'commit') =>
    pointOfStatement({
      id: 'st_1',
      kind: 'decision',
      text: `Commit: ${text}`,
      author: 'assistant',
      foundBy,
      tier,
      confidence: 0.9,
      quotes: [],
      overturned: [],
      exchange: 1,
      ts: '',
    }).kind;
  const chosen = 'feat: keep cents — Amounts are whole cents instead of floats.';
  expect(commit(chosen, 'shown')).toBe('decision');
  expect(commit(chosen, 'candidate')).toBe('done');
  expect(commit('feat: add a form — It has a field for the coupon.', 'shown')).toBe('done');
  expect(commit('cart: test the sums — They are in cents instead of floats.', 'shown')).toBe('done');
  expect(commit('We must keep cents instead of floats.', 'candidate', 'pasted')).toBe('note');
});
