import { expect, test } from 'vitest';
import { summarizeArchive } from './archive-summary.ts';

const ARCHIVE = `# Memory

## 2026-01-10_0900 (local 01-10_1000) session abcd1234 lines 1-20
- user: The login times out with an error after a minute.
- assistant: We decided to use bcrypt for the login passwords because it is well known.
- assistant: The basket shows a wrong total when two coupons are used.
- changed: src/login.ts

## 2026-01-13_1100 (local 01-13_1200) session abcd1234 lines 21-40
- assistant: The login timeout error after a minute is fixed: the pool was never drained.
- user: From now on, keep login sessions in the database.
`;

test('themes, decisions with their reasons, issues with their state, and the whole in short', () => {
  const summary = summarizeArchive('memory_20260113_120000.md', ARCHIVE, '2026-01-13T12:05:00.000Z');
  expect(summary).toMatchObject({
    sourceFile: 'memory_20260113_120000.md',
    generatedAt: '2026-01-13T12:05:00.000Z',
  });
  expect(summary.themes[0]).toMatchObject({ name: 'Login', summary: expect.stringMatching(/login/) });
  expect(summary.keyDecisions).toContainEqual({
    decision: 'We decided to use bcrypt for the login passwords',
    reason: 'it is well known.',
  });
  expect(summary.keyDecisions.map((it) => it.decision)).toContain(
    'From now on, keep login sessions in the database.',
  );
  expect(summary.issues).toEqual([
    { issue: 'The login times out with an error after a minute.', status: 'resolved' },
    { issue: 'The basket shows a wrong total when two coupons are used.', status: 'open' },
    { issue: expect.stringContaining('is fixed'), status: 'resolved' },
  ]);
  expect(summary.overallSummary).toMatch(/^2 entries from 2026-01-10 to 2026-01-13\. /);
  expect(JSON.stringify(summary)).not.toContain('changed:');
});

test('"not fixed yet" is open', () => {
  const text = '- assistant: The export crash is not fixed yet.\n';
  expect(summarizeArchive('f.md', text, '').issues[0]?.status).toBe('open');
});

test('carried-over text is shown by the archive it is from, not again', () => {
  const text = `<!-- carried over from memory_20260101_000000.md -->\n- user: Old crash of the importer.\n<!-- end of what was carried over -->\n\n- user: New words about something else.\n`;
  expect(JSON.stringify(summarizeArchive('f.md', text, ''))).not.toContain('importer');
});

test.each(['', '\n\n', '# Memory\n', 'plain words of a person'])('%j can be summarized, too', (text) => {
  const { overallSummary, themes } = summarizeArchive('f.md', text, '');
  expect(overallSummary).toMatch(/^Notes\./);
  expect(themes.length).toBeLessThanOrEqual(1);
});

test('reasons are separated from decisions, also in commits', () => {
  const text = [
    '# Memory',
    '## 2026-01-05_1059 (local 01-05_1059) session abcd1234 lines 1-4',
    '- decision: "Keep one command for the bench so others can run it." → The bench has one command.',
    '- decision: "Because all tables have one shape, we share the tests."',
    '- committed: perf: one query — Orders are joined once to avoid a timeout of the list.',
    '- committed: feat: a form — It has a field for the coupon.',
  ].join('\n');
  expect(summarizeArchive('a.md', text, '2026-02-01T00:00:00Z').keyDecisions).toEqual([
    { decision: 'Keep one command for the bench', reason: 'others can run it.' },
    {
      decision: 'Because all tables have one shape, we share the tests.',
      reason: 'all tables have one shape',
    },
    { decision: 'perf: one query — Orders are joined once', reason: 'a timeout of the list.' },
  ]);
});
