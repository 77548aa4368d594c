import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
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

test('the first run shows what memory would have done, once, with the way to switch it on', () => {
  const first = home.ok();
  expect(first).toContain('What memory would have done for you');
  expect(first).toContain('You gave an instruction again that an earlier session had.');
  expect(first).toContain('keepsake install');
  expect(home.ok()).not.toContain('What memory would have done');
});

test('replay prints figures, the best and the worst cases with their places', () => {
  home.ok('sync');
  const text = home.ok('replay');
  expect(text).toMatch(/^2 sessions of 1 project, 2 prompts, 2026-01-05 to 2026-01-06/);
  expect(text).toMatch(/repeated instructions +1: 1 said before you repeated them/);
  expect(text).toMatch(/taken back +0 \(0\.0 per 100 prompts\)/);
  expect(text).toMatch(/The worst cases\n {2}None was found\./);
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
  expect(home.json('replay', '--project', 'shop').figures.sessions).toBe(2);
  expect(home.run(['replay', '--project', 'nowhere']).status).not.toBe(0);
});

test('status counts what became of injections', () => {
  home.ok('sync');
  expect(home.ok('status')).not.toContain('injections');
  expect(home.json('status').injections).toMatchObject({ since: null, injections: 0, contradicted: 0 });
});

test('a purged session leaves nothing in the cache of a replay', () => {
  home.ok('sync');
  home.ok('replay');
  home.ok('purge', '--session', 'first001', '--yes');
  expect(home.json('replay').cases).toEqual([]);
  expect(home.run(['verify']).status).toBe(0);
});
