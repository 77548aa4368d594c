import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { s3Server } from '../made/s3-server.ts';
import { builtCli } from './built-cli.ts';
import { claudeClient } from './claude-client.ts';
import { ClaudeHome } from './claude-home.ts';
import { FakeModel } from './fake-model.ts';

const client = claudeClient();
if ('missing' in client) console.warn(`The tests with the real client are left out: ${client.missing}`);

const PAINT = 'Our lighthouse tower paint is Cormorant Grey number 4711, ordered from the harbor merchant.';

describe.skipIf('missing' in client)('two machines with the real Claude Code', () => {
  let model: FakeModel;
  let cleanUp: () => void;
  const homes: ClaudeHome[] = [];
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-bare-'));
  const git = (cwd: string, ...args: string[]) => {
    const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'init.defaultBranch=main'];
    execFileSync('git', [...who, ...args], { cwd, stdio: 'pipe' });
  };
  beforeAll(async () => {
    cleanUp = builtCli();
    model = await FakeModel.start();
  });
  afterAll(async () => {
    await model.stop();
    for (const home of homes) home.remove();
    rmSync(folder, { recursive: true, force: true });
    cleanUp();
  });

  async function machine(env: Record<string, string>): Promise<ClaudeHome> {
    const home = new ClaudeHome('path' in client ? client.path : '', model);
    homes.push(home);
    home.env = env;
    git(home.app, 'init', '-q');
    git(home.app, 'commit', '-q', '--allow-empty', '-m', `begin at ${home.path}`);
    git(home.app, 'remote', 'add', 'origin', 'git@github.com:acme/lighthouse.git');
    await home.keepsake('install', '--yes', '--no-sync');
    return home;
  }

  /** Says something on one machine, and asks the model on the other one what it was told at its start. */
  async function carried(address: string, rule: string, env: Record<string, string> = {}): Promise<string> {
    const [first, second] = [await machine(env), await machine(env)];
    await first.ask(`${PAINT}\n\n${rule}`);
    const { key } = await first.json('remote', 'add', address);
    await first.json('remote', 'share', '--all');
    await first.json('remote', 'approve');
    await first.json('remote', 'sync');
    expect(await second.ask('Hello.'), 'not known before').not.toContain(rule.slice(12, 40));
    await second.json('remote', 'add', address, '--key', key);
    await second.json('remote', 'sync');
    return second.ask('Good morning.');
  }

  test('a rule from the first is injected at the next start on the second, over a bare git repository', async () => {
    git(folder, 'init', '-q', '--bare', 'memory.git');
    const start = await carried(
      `git+file://${join(folder, 'memory.git')}`,
      'From now on always lock the lamp room before you leave the tower.',
    );
    expect(start).toContain('always lock the lamp room');
  });

  test('the same over an S3 server', async () => {
    const { address, access, close } = await s3Server();
    const env = { AWS_ACCESS_KEY_ID: access.accessKeyId, AWS_SECRET_ACCESS_KEY: access.secretAccessKey };
    try {
      const start = await carried(address, 'From now on always ring the fog bell twice at noon.', env);
      expect(start).toContain('always ring the fog bell');
    } finally {
      await close();
    }
  });
});
