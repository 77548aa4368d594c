import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { WRITERS } from '../made/agent-sessions.ts';
import { workSession } from '../made/work.ts';
import { builtCli } from './built-cli.ts';
import { CliHome } from './cli-home.ts';

let home: CliHome;
beforeAll(builtCli);
beforeEach(() => {
  home = new CliHome();
  const folder = join(home.projects, '-srv-shop');
  mkdirSync(folder, { recursive: true });
  const put = (id: string, day: string, you: string) =>
    writeFileSync(
      join(folder, `${id}.jsonl`),
      workSession(id, [{ you }, { edit: 'src/price.ts' }, { agent: 'Done, `roundPrice` is right.' }], day),
    );
  put('first001', '2026-01-05', 'Never edit the files under `src/gen`, run `make gen` instead.');
  put(
    'second01',
    '2026-01-06',
    'Fix the price. Please never edit the files under `src/gen`, run `make gen` instead.',
  );
});
afterEach(() => home.remove());

test('the first run shows once what memory would have done, and how to switch it on', () => {
  const first = home.ok();
  expect(first).toContain('What memory would have done for you');
  expect(first).toContain('You repeated an instruction from an earlier session.');
  expect(first).toContain('keepsake install');
  expect(first).toContain('Found no case where it would have been wrong or irrelevant.');
  expect(home.ok()).not.toContain('What memory would have done');
});

test('the first cases are shown when there are sessions for the first time: after the sample, and after --json', () => {
  const later = new CliHome();
  try {
    expect(later.ok()).toContain('sample project');
    expect(later.ok()).not.toContain('What memory would have done');
    cpSync(home.projects, later.projects, { recursive: true });
    expect(later.json().items.length).toBeGreaterThan(2);
    expect(later.ok()).toContain('What memory would have done for you');
    expect(later.ok()).not.toContain('What memory would have done');
  } finally {
    later.remove();
  }
});

test('with the history of another agent alone no sample is shown', () => {
  const other = new CliHome();
  try {
    const lines = WRITERS.codex([{ kind: 'ask', text: 'Fill the basket at the start.' }]);
    other.file(
      join(other.path, '.codex', 'sessions', '2026', '01', '05', 'rollout-made.jsonl'),
      lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    );
    const { stdout, stderr } = other.run([]);
    expect(stdout).toContain('Fill the basket');
    expect(stdout + stderr).not.toMatch(/No transcripts|sample/i);
  } finally {
    other.remove();
  }
});

test('replay prints figures, and the best and the worst cases with their places', () => {
  home.ok('sync');
  const text = home.ok('replay');
  expect(text).toMatch(/^2 sessions of 1 project, 2 prompts, 2026-01-05 to 2026-01-06/);
  expect(text).toMatch(/repeated instructions +1: 1 shown before you repeated them/);
  expect(text).toMatch(/used +\d+ of \d+ texts? \(\d+%\)/);
  expect(text).toMatch(/contradicted +0 \(0\.0 per 100 prompts\)/);
  expect(text).toMatch(/Worst cases\n {2}None found\./);
  const shown = /keepsake show (ex_[0-9a-f]+)/.exec(text)!;
  expect(home.ok('show', shown[1]!)).toContain('src/gen');
});

test('replay --json has all cases, and only those sessions that were asked for', () => {
  home.ok('sync');
  const report = home.json('replay');
  expect(report.figures).toMatchObject({ sessions: 2, instructions: { found: 1, said: 1 } });
  expect(report.cases[0]).toMatchObject({
    kind: 'instruction',
    before: { session: 'first001', project: '-srv-shop' },
    again: { session: 'second01' },
    said: { on: 'start' },
  });
  expect(home.json('replay', '--since', '2026-01-06').figures.sessions).toBe(1);
  expect(home.json('replay', '--since', '2026-01-07').figures.sessions).toBe(0);
  expect(home.ok('replay', '--since', '2026-01-07')).toContain('No session started on or after 2026-01-07.');
  // 10:00 UTC is the next day there already.
  const { stdout } = home.run(['replay', '--since', '2026-01-07', '--json'], { TZ: 'Pacific/Kiritimati' });
  expect(JSON.parse(stdout).figures.sessions).toBe(1);
  expect(home.json('replay', '--project', 'shop').figures.sessions).toBe(2);
  expect(home.run(['replay', '--project', 'nowhere']).status).not.toBe(0);
});

test('status counts which injections were used', () => {
  home.ok('sync');
  expect(home.ok('status')).not.toContain('injections');
  expect(home.json('status').injections).toMatchObject({ since: null, injections: 0, contradicted: 0 });
  const said = (id: string, text: string) => ({
    ...{ id, at: '2026-01-06T09:00:00.000Z', session: 'second01', on: 'start', why: '' },
    ...{ tokens: 20, sources: [], text },
  });
  const rows = [
    said('in_1', '> Never edit the files under `src/gen`, run `make gen` instead.'),
    said('in_2', '> src/price.ts'),
  ];
  home.file(
    join(home.archive, 'projects', '-srv-shop', 'injections', 'second01.jsonl'),
    rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
  );
  home.file(
    join(home.projects, '-srv-shop', 'third001.jsonl'),
    workSession(
      'third001',
      [{ you: 'You may edit the files under `src/gen` now.' }, { agent: 'All right.' }],
      '2026-01-07',
    ),
  );
  home.ok('sync');
  const figures = { injections: 2, known: 2, used: 1, contradicted: 1, unhelpful: 0 };
  expect(home.json('status').injections).toMatchObject(figures);
  expect(home.ok('status')).toMatch(
    /injections +2 since 2026-01-06: .*1 contradicted, 0 marked as not helpful/,
  );
  // The command for the next page asks as this one did.
  const { stderr } = home.run(['injections', '--limit', '1', '--session', 'second01']);
  expect(stderr).toMatch(/1 of 2 shown.*\s+keepsake injections --session "second01" --limit 1 --after \S+/);
});

test('a purged session leaves nothing in the cache of a replay', () => {
  home.ok('sync');
  home.ok('replay');
  expect(cached()).toContain('first001');
  expect(cached()).toContain('make gen');
  home.ok('purge', '--session', 'first001', '--yes');
  expect(cached()).not.toContain('first001');
  expect(cached()).not.toContain('Never edit the files');
  expect(home.json('replay').cases).toEqual([]);
  expect(cached()).not.toContain('first001');
  expect(home.run(['verify']).status).toBe(0);
});

/** All that a replay keeps, names and content. */
function cached(): string {
  const root = join(home.archive, 'cache', 'replay');
  const names = existsSync(root) ? readdirSync(root, { recursive: true, encoding: 'utf8' }) : [];
  return names
    .map((name) => `${name}\n${name.endsWith('.json') ? readFileSync(join(root, name), 'utf8') : ''}`)
    .join('\n');
}
