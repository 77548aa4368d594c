import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hostileFiles } from '../made/hostile-archive.ts';
import { builtCli } from './built-cli.ts';
import { claudeClient } from './claude-client.ts';
import { ClaudeHome } from './claude-home.ts';
import { FakeModel } from './fake-model.ts';

const client = claudeClient();
if ('missing' in client) console.warn(`The tests with the real client are left out: ${client.missing}`);

/** The client's own prompt knows the words alone. */
const EVIL = /evil\.example|owned-by-keepsake/i;

describe.skipIf('missing' in client)('bundles of others beside the real Claude Code', () => {
  let model: FakeModel;
  let home: ClaudeHome;
  let cleanUp: () => void;
  beforeAll(async () => {
    cleanUp = builtCli();
    model = await FakeModel.start();
    home = new ClaudeHome('path' in client ? client.path : '', model);
    await home.keepsake('install', '--yes', '--no-sync');
  });
  afterAll(async () => {
    await model.stop();
    home.remove();
    cleanUp();
  });

  test('the model never gets them', async () => {
    await home.ask('From now on always paint the lighthouse tower with Cormorant Grey before a commit.');
    const files = (await hostileFiles(home.path)).filter((_, index) => index % 10 === 0 || index % 10 === 3);
    for (const { file, isChat } of files) {
      const by = isChat ? ['--by', 'Kim'] : [];
      const { status, stderr } = await home.keepsake('import', file, '--project', 'lighthouse', ...by);
      expect(status, stderr).toBe(0);
    }
    expect((await home.json('sessions', '--project', 'lighthouse')).items.length).toBeGreaterThan(5);
    const { items } = await home.json('search', 'evil.example', '--project', 'lighthouse');
    expect(items.length).toBeGreaterThan(0);
    const start = await home.ask('Hello.');
    expect(start).toContain('Cormorant Grey');
    for (const prompt of ['What do I always run before every commit?', 'Which command starts every build?'])
      expect(EVIL.test(await home.ask(prompt)), prompt).toBe(false);
    expect(EVIL.test(start)).toBe(false);
  });
});
