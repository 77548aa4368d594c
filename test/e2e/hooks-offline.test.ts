import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { builtCli, LAUNCHER } from './built-cli.ts';
import { HookRuns } from './hook-runs.ts';

const A = '11111111-1111-4111-8111-111111111111';
const B = '22222222-2222-4222-8222-222222222222';
const EVENTS = [
  'UserPromptSubmit',
  'SessionStart',
  'PreToolUse',
  'PostToolUse',
  'Stop',
  'SubagentStop',
  'PreCompact',
  'SessionEnd',
];
const OIL = {
  you: 'Which oil does the foghorn compressor need?',
  agent: 'The foghorn compressor needs Albatross 40 oil.',
};
const QUESTION = { prompt: 'What about the foghorn compressor oil?' };

/** Notes every way out of the process, and lets none of them be taken. */
const WATCH = `
const { appendFileSync } = require('node:fs');
const note = (what) => { appendFileSync(process.env.OPENED, what + '\\n'); throw new Error('no network'); };
const net = require('node:net'), dgram = require('node:dgram'), dns = require('node:dns');
net.Socket.prototype.connect = () => note('connect');
net.Server.prototype.listen = () => note('listen');
dgram.createSocket = () => note('dgram');
dns.lookup = () => note('lookup');
globalThis.fetch = () => note('fetch');
`;

beforeAll(() => builtCli());
let hooks: HookRuns;
beforeEach(() => {
  hooks = new HookRuns();
});
afterEach(() => hooks.remove());

test('no hook opens a socket', async () => {
  const [watch, opened] = [join(hooks.home, 'watch.cjs'), join(hooks.home, 'opened')];
  writeFileSync(watch, WATCH);
  const env = { NODE_OPTIONS: `--require ${watch}`, OPENED: opened };
  hooks.write(A, [OIL]);
  await hooks.run('SessionEnd', A, {}, env);
  for (const event of EVENTS) {
    const ran = await hooks.run(event, B, event === 'UserPromptSubmit' ? QUESTION : {}, env);
    expect(ran).toMatchObject({ status: 0, stderr: '' });
    if (event === 'UserPromptSubmit') expect(ran.stdout).toContain('Albatross 40');
  }
  expect(existsSync(opened) ? readFileSync(opened, 'utf8') : '').toBe('');
  // The watch does notice: the same way out is seen where someone takes it.
  spawnSync(process.execPath, ['-e', "require('node:net').connect(9)"], { env: { ...process.env, ...env } });
  expect(readFileSync(opened, 'utf8')).toBe('connect\n');
});

test('a prompt directly after a sync finds what was synced, without a search in between', async () => {
  hooks.write(A, [OIL]);
  const env = { PATH: process.env.PATH, HOME: hooks.home, TZ: 'UTC' };
  const ran = spawnSync(process.execPath, [LAUNCHER, 'sync'], { cwd: hooks.cwd, env, encoding: 'utf8' });
  expect(ran.status).toBe(0);
  expect(await hooks.injected('UserPromptSubmit', B, QUESTION)).toContain('Albatross 40');
  hooks.write(A, [{ you: 'And the bell?', agent: 'The bell takes Petrel grease.' }], 1);
  spawnSync(process.execPath, [LAUNCHER, 'sync'], { cwd: hooks.cwd, env, encoding: 'utf8' });
  const bell = { prompt: 'Which grease does the bell take, Petrel or another?' };
  expect(await hooks.injected('UserPromptSubmit', B, bell)).toContain('Petrel grease');
});
