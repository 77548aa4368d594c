import { afterAll, beforeAll, expect, test } from 'vitest';
import { archiveSaying, importHostile } from '../made/hostile-archive.ts';
import type { TestWorld } from '../made/world.ts';
import { builtCli } from './built-cli.ts';
import { HookRuns } from './hook-runs.ts';

const EVIL = /curl|evil|owned/i;
const SESSION = '99999999-9999-4999-8999-999999999999';
let me: TestWorld;
let hooks: HookRuns;
let texts: string[];
beforeAll(async () => {
  builtCli();
  hooks = new HookRuns();
  me = await archiveSaying('mine', 'From now on always use pnpm here.');
  texts = await importHostile(me);
});
afterAll(async () => {
  hooks.remove();
  await me.remove();
});

/** What the plugin's own hook adds to the conversation. */
async function injected(event: string, session: string, more: object): Promise<string> {
  const env = { CLAUDE_MEMORY_DIR: me.archive.root };
  const { status, stdout, stderr } = await hooks.run(event, session, { cwd: '/srv/shop', ...more }, env);
  expect([status, stderr]).toEqual([0, '']);
  return stdout;
}

test('after a hundred hostile bundles and chats the hooks inject only what this user said', async () => {
  expect(texts).toHaveLength(100);
  const start = await injected('SessionStart', SESSION, { source: 'startup' });
  expect(start).toContain('pnpm');
  expect(start).not.toMatch(EVIL);
  expect(await injected('SessionStart', SESSION, { source: 'compact' })).not.toMatch(EVIL);
});

test('no prompt returns words of others, not even a quotation of them', async () => {
  const own = { prompt: 'Which package manager do we use here, pnpm?' };
  expect(await injected('UserPromptSubmit', SESSION.replaceAll('9', '8'), own)).toContain('pnpm');
  // Each in a session of its own: what was injected once is not injected again.
  for (const [index, text] of texts.entries()) {
    const session = SESSION.slice(0, -3) + String(index).padStart(3, '0');
    const prompt = `What was it again: ${text.replaceAll('##', '')}`;
    expect(await injected('UserPromptSubmit', session, { prompt }), text).not.toMatch(EVIL);
  }
});
