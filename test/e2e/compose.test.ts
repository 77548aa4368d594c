import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { builtCli } from './built-cli.ts';
import { CliHome } from './cli-home.ts';

const ONE = '11111111-aaaa-4aaa-8aaa-000000000001';
const TWO = '22222222-bbbb-4bbb-8bbb-000000000002';

let home: CliHome;
beforeAll(builtCli);
beforeEach(() => {
  home = new CliHome();
  for (const [at, id] of [ONE, TWO].entries())
    home.session('/home/me/shop', id, [
      ...Array.from({ length: 12 }, (_, turn) => ({
        you: `Question ${at}.${turn}: what about price ${turn}?`,
        agent: `Price ${turn} is rounded in src/price-${turn}.ts, line ${turn * 9}.`,
      })),
      {
        you: '##keepit1.00## Prices are whole cents.',
        agent: 'Kept.',
        at: `2026-01-0${at + 5}T12:00:00.000Z`,
      },
    ]);
  home.ok('sync');
});
afterEach(() => home.remove());

test('a composition is previewed, created, shown, reused and deleted', () => {
  const ask = ['--budget', '500', '--sessions', `${ONE.slice(0, 8)},${TWO.slice(0, 8)}`];
  expect(home.ok('compose', 'basket', ...ask, '--preview')).toContain('would contain 2 sessions');
  expect(home.json('compositions').items).toEqual([]);
  const made = home.json('compose', 'basket', ...ask);
  expect(made.totalTokens).toBeLessThanOrEqual(500);
  expect(home.ok('compositions')).toContain('basket');
  expect(home.ok('compositions', 'show', 'basket', '--markdown')).toBe(made.markdown);
  expect(made.markdown.split('Prices are whole cents.')).toHaveLength(3);
  const taken = home.run(['compose', 'basket', ...ask]);
  expect([taken.status, taken.stderr]).toEqual([5, expect.stringContaining('--force')]);
  const reused = home.json('compositions', 'reuse', 'basket', '--budget', '300', '--as', 'short');
  expect(reused.totalTokens).toBeLessThanOrEqual(300);
  expect(home.run(['compositions', 'delete', 'basket']).status).toBe(2);
  expect(home.ok('compositions', 'delete', 'basket', '--yes')).toContain('Deleted basket');
  expect(home.json('compositions').items.map((row: { name: string }) => row.name)).toEqual(['short']);
});

test('the error for a budget that is too small names the smallest possible one', () => {
  const ran = home.run(['compose', 'x', '--budget', '20', '--sessions', `${ONE},${TWO}`]);
  expect(ran.status).toBe(5);
  const [, smallest = ''] = /--budget (\d+)/.exec(ran.stderr) ?? [];
  const made = home.json('compose', 'x', '--budget', smallest, '--sessions', `${ONE},${TWO}`);
  expect(made.totalTokens).toBeLessThanOrEqual(Number(smallest));
  const less = String(Number(smallest) - 1);
  expect(home.run(['compose', 'y', '--budget', less, '--sessions', `${ONE},${TWO}`]).status).toBe(5);
});

test('a composition without a budget gets one that leaves room for the work', () => {
  const made = home.json('compose', 'plain', '--sessions', ONE, '--preview');
  expect(made.request.totalTokenBudget).toBe(16_000);
});

test('wrong requests are refused with a hint, and nothing is written', () => {
  const wrong: [string[], number][] = [
    [['compose', 'x', '--budget', '500'], 2],
    [['compose', 'x', '--budget', '0', '--sessions', ONE], 2],
    [['compose', '../x', '--budget', '500', '--sessions', ONE], 2],
    [['compose', 'x', '--budget', '500', '--sessions', 'ffffffff'], 3],
    [['compose', 'x', '--budget', '500', '--sessions', `${ONE}:part1_v009`], 3],
    [['compose', 'x', '--budget', '500', '--sessions', ONE, '--strategy', 'magic'], 2],
    [['compose', 'x', '--budget', '500', '--sessions', ONE, '--allocate', 'nothing'], 2],
    [['compositions', 'show', 'nobody'], 3],
  ];
  for (const [args, status] of wrong) {
    const ran = home.run(args);
    expect([ran.status, ran.stdout], args.join(' ')).toEqual([status, '']);
    expect(ran.stderr).not.toContain('    at ');
  }
  const [project = ''] = readdirSync(join(home.archive, 'projects'));
  expect(existsSync(join(home.archive, 'projects', project, 'composed'))).toBe(false);
});

test('a resumed session is where the agent looks for it, and the output says how to continue', () => {
  const ran = home.ok('compose', 'basket', '--budget', '500', '--sessions', ONE, '--resume');
  const [, id = ''] = /claude --resume (\S+)/.exec(ran) ?? [];
  const folder = join(home.projects, home.path.replace(/[^A-Za-z0-9]/g, '-'));
  expect(readFileSync(join(folder, `${id}.jsonl`), 'utf8')).toContain('Prices are whole cents.');
  expect(home.ok('sync')).toContain('1 left out (1 composed and not used yet)');
  expect(home.json('sessions').items.map((row: { sessionId: string }) => row.sessionId)).not.toContain(id);
});
