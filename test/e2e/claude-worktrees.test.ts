import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { builtCli } from './built-cli.ts';
import { claudeClient } from './claude-client.ts';
import { ClaudeHome } from './claude-home.ts';
import { FakeModel } from './fake-model.ts';

const client = claudeClient();
if ('missing' in client) console.warn(`The tests with the real client are left out: ${client.missing}`);

const PAINT = 'Our lighthouse tower paint is Cormorant Grey number 4711, ordered from the harbor merchant.';
const RULE = 'From now on always lock the lamp room before you leave the tower.';
const QUESTION = 'Which paint number did we order for the lighthouse tower?';

describe.skipIf('missing' in client)('a worktree inside the real Claude Code', () => {
  let model: FakeModel;
  let home: ClaudeHome;
  let tree: string;
  let cleanUp: () => void;
  const git = (...args: string[]) => {
    const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'init.defaultBranch=main'];
    execFileSync('git', [...who, ...args], { cwd: home.app, stdio: 'pipe' });
  };
  beforeAll(async () => {
    cleanUp = builtCli();
    model = await FakeModel.start();
    home = new ClaudeHome('path' in client ? client.path : '', model);
    tree = join(home.path, 'trees', '3');
    git('init', '-q');
    git('commit', '-q', '--allow-empty', '-m', 'begin');
    git('remote', 'add', 'origin', 'git@github.com:acme/lighthouse.git');
    git('worktree', 'add', '-q', tree);
    await home.keepsake('install', '--yes', '--no-sync');
  });
  afterAll(async () => {
    await model.stop();
    home.remove();
    cleanUp();
  });

  test('what was said there is injected in the main checkout, at the start and beside a prompt, after it is deleted', async () => {
    home.cwd = tree;
    await home.ask(`${PAINT}\n\n${RULE}`);
    home.cwd = home.app;
    git('worktree', 'remove', '--force', tree);
    const start = await home.ask('Hello.');
    expect(start).toContain('Cormorant Grey');
    expect(start).toContain('always lock the lamp room');
    await home.keepsake('config', 'set', 'hooks.startTokens', '0');
    const beside = await home.ask(QUESTION);
    expect(beside).toContain('Memory that fits this prompt');
    expect(beside).toContain('Cormorant Grey');
    const { items } = await home.json('projects');
    expect(items).toMatchObject([{ displayName: 'lighthouse', identity: 'github.com/acme/lighthouse' }]);
    expect(items[0].folders).toHaveLength(2);
  });
});
