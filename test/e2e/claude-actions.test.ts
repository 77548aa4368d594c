import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { builtCli } from './built-cli.ts';
import { claudeClient } from './claude-client.ts';
import { ClaudeHome } from './claude-home.ts';
import { FakeModel } from './fake-model.ts';

const client = claudeClient();
if ('missing' in client) console.warn(`The tests with the real client are left out: ${client.missing}`);

const ALLOWED = ['--allowedTools', 'Bash', 'Write', 'Edit'];
const bash = (command: string) => `Please: CALL:Bash:${JSON.stringify({ command, description: 'lamp' })}:END`;

describe.skipIf('missing' in client)('the point of action inside the real Claude Code', () => {
  let model: FakeModel;
  let home: ClaudeHome;
  let cleanUp: () => void;
  beforeAll(async () => {
    cleanUp = builtCli();
    model = await FakeModel.start();
    home = new ClaudeHome('path' in client ? client.path : '', model);
    mkdirSync(join(home.app, 'tools'));
    const lamp = join(home.app, 'tools', 'lamplighter');
    writeFileSync(lamp, '#!/bin/sh\necho the lamp is $1\n');
    chmodSync(lamp, 0o755);
    await home.keepsake('install', '--yes', '--no-sync');
    await home.ask(bash('lamplighter on'), ALLOWED);
    await home.ask(bash('./tools/lamplighter on'), ['--continue', ...ALLOWED]);
  });
  afterAll(async () => {
    await model.stop();
    home.remove();
    cleanUp();
  });

  test('nothing is injected until it is switched on', async () => {
    const asked = await home.ask(bash('lamplighter off'), ALLOWED);
    expect(asked).not.toContain('was not found here');
  });

  test('the command that worked reaches the model once a session, and is logged', async () => {
    await home.keepsake('config', 'set', 'hooks.actionTokens', '120');
    await home.keepsake('config', 'set', 'hooks.startTokens', '0');
    await home.keepsake('sync');
    const asked = await home.ask(bash('lamplighter off'), ALLOWED);
    expect(asked).toContain('`lamplighter` was not found here; what worked: `./tools/lamplighter on`');
    await home.ask(bash('lamplighter dim'), ['--continue', ...ALLOWED]);
    const { items } = await home.json('injections');
    const before = items.filter(({ on }: { on: string }) => on === 'action');
    expect(before).toMatchObject([{ tokens: expect.any(Number), why: expect.any(String) }]);
  });
});
