import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtCli } from './built-cli.ts';
import { CliHome } from './cli-home.ts';
import { HookRuns } from './hook-runs.ts';
import { settled } from './settled.ts';

const SAMPLE = join(import.meta.dirname, '..', '..', 'sample', 'projects');
const first = new CliHome();
const second = new CliHome();
const store = mkdtempSync(join(tmpdir(), 'keepsake-e2e-store-'));
beforeAll(builtCli);
afterAll(() => {
  first.remove();
  second.remove();
  rmSync(store, { recursive: true, force: true });
});

function files(): string[] {
  return readdirSync(store, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

test('two machines share what was approved through a folder, and the store can be left again', () => {
  first.ok('sync', '--from', SAMPLE);
  const { key } = first.json('remote', 'add', store);
  first.ok('remote', 'share', '--all');
  expect(first.json('remote', 'sync').items[0].pushed.segments).toBe(0);
  expect(files(), 'nothing leaves before it is approved').toEqual([]);
  const [{ sessions }] = first.json('remote', 'preview').projects;
  expect(sessions.length).toBeGreaterThan(0);
  first.ok('private', sessions[0].sessionId);
  first.ok('remote', 'approve');
  const [{ pushed }] = first.json('remote', 'sync').items;
  expect(pushed.sessions).toBe(sessions.length - 1);
  const stored = files().map((file) => readFileSync(file, 'latin1').split('\n').slice(1).join('\n'));
  for (const word of ['keepsake', 'session', 'content']) expect(stored.join('').includes(word)).toBe(false);
  expect(second.run(['remote', 'add', store])).toMatchObject({ status: 2 });
  second.ok('remote', 'add', store, '--key', key);
  expect(second.json('remote', 'sync').items[0].pulled.sessions).toBe(sessions.length - 1);
  expect(second.json('sessions').items).toHaveLength(sessions.length - 1);
  expect(second.json('remote', 'status').items[0].devices).toHaveLength(2);
  expect(first.json('remote', 'remove', 'home', '--erase-all', '--yes')).toMatchObject({ left: 0 });
  expect(files()).toEqual([]);
  expect(first.run(['remote', 'sync'])).toMatchObject({ status: 3 });
});

test('with remote.auto a sync sends what is new, and a store that is gone stops neither a sync nor the end of a session', async () => {
  const hooks = new HookRuns();
  const place = join(hooks.home, 'store');
  const machine = new CliHome();
  const session = 'aaaaaaaa-1111-4111-8111-111111111111';
  const listed = () =>
    readdirSync(place, { recursive: true, encoding: 'utf8' }).filter((name) => /\/\d{8}-/.test(name));
  const keepsake = (...args: string[]) =>
    machine.run(args, { HOME: hooks.home, CLAUDE_MEMORY_DIR: hooks.archive });
  try {
    hooks.write(session, [{ you: 'From now on always polish the lens before sunset.', agent: 'I will.' }]);
    await hooks.run('Stop', session);
    for (const args of [
      ['sync'],
      ['remote', 'add', place],
      ['remote', 'share', '--all'],
      ['remote', 'approve'],
    ])
      expect(keepsake(...args).status).toBe(0);
    expect(listed()).toEqual([]);
    expect(keepsake('config', 'set', 'remote.auto', 'on').status).toBe(0);
    expect(keepsake('sync').status).toBe(0);
    const sent = listed();
    expect(sent.length).toBeGreaterThan(0);
    rmSync(place, { recursive: true });
    hooks.write(session, [{ you: 'And salt the steps.', agent: 'Done.' }], 2);
    expect(await hooks.run('SessionEnd', session)).toMatchObject({ status: 0, stderr: '' });
    await settled(hooks.archive);
    expect(keepsake('sync').status).toBe(0);
  } finally {
    await settled(hooks.archive);
    hooks.remove();
    machine.remove();
  }
}, 60_000);
