import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { workSession } from '../made/work.ts';
import { builtCli } from './built-cli.ts';
import { CliHome } from './cli-home.ts';

const anna = new CliHome();
const shop = join(anna.path, 'shop');
const git = (...args: string[]) => execFileSync('git', ['-C', shop, ...args], { encoding: 'utf8' }).trim();
beforeAll(builtCli);
beforeAll(() => {
  mkdirSync(shop);
  execFileSync('git', ['init', '-q', '-b', 'main', shop]);
  git('config', 'user.name', 'Anna');
  git('config', 'user.email', 'anna@example.com');
  writeFileSync(join(shop, 'readme.md'), 'Shop.\n');
  git('add', '.');
  git('commit', '-qm', 'first');
  const said = [{ you: 'Please look at the prices.' }, { agent: 'Done.' }];
  const folder = join(anna.projects, shop.replaceAll(/[^A-Za-z0-9]/g, '-'));
  anna.file(join(folder, 's1.jsonl'), workSession('s1', said, undefined, shop));
  anna.ok('sync');
});
afterAll(() => anna.remove());

test('facts go to a branch for a pull request and come back after the merge, by the command', () => {
  for (const words of ['Prices are stored in cents.', 'Always run the deploy script first.']) {
    const { id } = JSON.parse(anna.in(shop, 'facts', 'add', words, '--json')) as { id: string };
    anna.in(shop, 'facts', 'promote', id);
  }
  const printed = anna.in(shop, 'team', 'export', '--to', 'git');
  expect(printed).toContain('1 fact in docs/team-facts.md on the branch keepsake/team-facts.');
  expect(printed).toContain('git push origin keepsake/team-facts');
  expect(printed).toContain(
    'Not exported because it reads like an instruction to an agent: Always run the deploy script first.',
  );
  expect(git('status', '--porcelain')).toBe('');
  expect(git('symbolic-ref', '--short', 'HEAD')).toBe('main');
  expect(anna.run(['team', 'import', '--from', 'git'], {}, shop)).toMatchObject({ status: 3 });
  git('merge', '-q', 'keepsake/team-facts');
  expect(anna.in(shop, 'team', 'import', '--from', 'git')).toBe(
    'From main: 0 new, 1 accepted, 0 corrected, 0 removed.\n',
  );
  expect(anna.in(shop, 'facts', 'team')).toContain('accepted by git main on ');
});

test('another place, and the command without arguments, say what to type', () => {
  for (const args of [['team'], ['team', 'export', '--to', 'svn'], ['team', 'import', '--from', 'mail']])
    expect(anna.run(args, {}, shop)).toMatchObject({ status: 2 });
});
