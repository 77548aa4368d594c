import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
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

test('two machines share approved sessions through a folder, and can leave the store again', () => {
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
  expect(first.run(['remote', 'remove', 'home', '--erase-all']), 'nobody is there to be asked').toMatchObject(
    {
      status: 2,
    },
  );
  expect(files()).not.toEqual([]);
  expect(first.json('remote', 'remove', 'home', '--erase-all', '--yes')).toMatchObject({ left: 0 });
  expect(readdirSync(store)).toEqual([]);
  expect(first.run(['remote', 'sync'])).toMatchObject({ status: 3 });
});

test('a light machine stores only the projects it works with, unless all are requested', () => {
  const place = mkdtempSync(join(tmpdir(), 'keepsake-e2e-store-'));
  const [desk, laptop, shelf] = [new CliHome(), new CliHome(), new CliHome()];
  const checkout = (home: CliHome, name: string) => {
    const git = join(home.path, name, '.git');
    mkdirSync(git, { recursive: true });
    writeFileSync(join(git, 'HEAD'), 'ref: refs/heads/main\n');
    writeFileSync(join(git, 'config'), `[remote "origin"]\n\turl = git@github.com:acme/${name}.git\n`);
    return join(home.path, name);
  };
  const sessionsOf = (home: CliHome) =>
    home.json('sessions').items.map((it: { sessionId: string }) => it.sessionId);
  const ids = ['shop', 'ship'].map((_, at) => `cccccccc-1111-4111-8111-11111111111${at}`);
  try {
    desk.session(checkout(desk, 'shop'), ids[0]!, [{ you: 'Prices are in cents.', agent: 'Noted.' }]);
    desk.session(checkout(desk, 'ship'), ids[1]!, [{ you: 'The anchor is iron.', agent: 'Noted.' }]);
    desk.ok('sync');
    const { key } = desk.json('remote', 'add', place);
    for (const args of [['share', '--all'], ['approve'], ['sync']]) desk.ok('remote', ...args);
    expect(laptop.ok('remote', 'add', place, '--key', key, '--light')).toContain(
      'only the projects that you work on',
    );
    laptop.in(checkout(laptop, 'shop'), 'remote', 'sync');
    expect(sessionsOf(laptop)).toEqual([ids[0]]);
    expect(laptop.ok('search', 'cents')).toContain('Prices are in');
    expect(laptop.run(['search', 'anchor']).stderr).toContain(
      'only the projects of the remote home that you work on here',
    );
    const add = ['remote', 'add', place, '--key', key, '--light', '--all-projects'];
    expect(shelf.run([...add, '--only-here']).status).toBe(2);
    expect(shelf.ok(...add)).not.toContain('only the projects that you work on');
    shelf.ok('remote', 'sync');
    expect(sessionsOf(shelf).sort()).toEqual(ids);
  } finally {
    for (const home of [desk, laptop, shelf]) home.remove();
    rmSync(place, { recursive: true, force: true });
  }
});

test('with remote.auto a sync sends what is new, and a missing store stops neither a sync nor the end of a session', async () => {
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
    expect(keepsake('sync').stdout).toContain('synced in the background');
    await settled(hooks.archive);
    const sent = listed();
    expect(sent.length).toBeGreaterThan(0);
    hooks.write(session, [{ you: 'And salt the kestrel steps.', agent: 'Done.' }], 2);
    expect(await hooks.run('SessionEnd', session)).toMatchObject({ status: 0, stderr: '' });
    await settled(hooks.archive);
    expect(listed().length, 'the end of a session sends what was said').toBeGreaterThan(sent.length);
    const { key } = JSON.parse(keepsake('remote', 'key', '--json').stdout);
    machine.ok('remote', 'add', place, '--key', key);
    machine.ok('remote', 'sync');
    expect(machine.ok('search', 'kestrel')).toContain('salt the');
    rmSync(place, { recursive: true });
    hooks.write(session, [{ you: 'And lock the gate.', agent: 'Done.' }], 4);
    expect(await hooks.run('SessionEnd', session)).toMatchObject({ status: 0, stderr: '' });
    await settled(hooks.archive);
    expect(keepsake('sync')).toMatchObject({
      status: 0,
      stderr: expect.stringContaining('The remote home could not be reached since'),
      stdout: expect.not.stringContaining('synced in the background'),
    });
  } finally {
    await settled(hooks.archive);
    hooks.remove();
    machine.remove();
  }
});

test('a store that never answers delays neither hooks nor the work after them, and at most one process waits for it', async () => {
  const hooks = new HookRuns();
  const open = new Set<Socket>();
  let most = 0;
  const silent = createServer((socket) => {
    open.add(socket.on('close', () => open.delete(socket)).on('error', () => undefined));
    // Who gave up and asks again closes the first call while it opens the second; two processes both wait for seconds.
    setTimeout(() => {
      most = Math.max(most, open.size);
    }, 500);
  });
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const machine = new CliHome();
  const session = 'bbbbbbbb-1111-4111-8111-111111111111';
  const variables = { AWS_ACCESS_KEY_ID: 'k', AWS_SECRET_ACCESS_KEY: 's' };
  const keepsake = (...args: string[]) =>
    machine.run(args, { HOME: hooks.home, CLAUDE_MEMORY_DIR: hooks.archive, ...variables });
  try {
    hooks.write(session, [{ you: 'The tide is high at noon.', agent: 'Noted.' }]);
    for (const args of [['sync'], ['remote', 'add', join(hooks.home, 'store')], ['remote', 'share', '--all']])
      expect(keepsake(...args).status).toBe(0);
    expect(keepsake('remote', 'approve').status).toBe(0);
    expect(keepsake('config', 'set', 'remote.auto', 'on').status).toBe(0);
    const record = join(hooks.archive, 'remotes', 'home', 'remote.json');
    const { port } = silent.address() as AddressInfo;
    const address = `s3://bucket/memory?endpoint=http://127.0.0.1:${port}&region=auto`;
    writeFileSync(record, JSON.stringify({ ...JSON.parse(readFileSync(record, 'utf8')), address }));
    const asked = once(silent, 'connection');
    const hook = async (event: string, more: object = {}) => {
      const [status] = await once(hooks.start(hooks.input(event, session, more), variables), 'close');
      return status;
    };
    expect(await hook('SessionEnd')).toBe(0);
    await asked;
    // While someone still waits for the store:
    expect(await hook('SessionStart', { source: 'startup' })).toBe(0);
    expect(await hook('SessionEnd')).toBe(0);
    expect(open.size).toBe(1);
    await settled(hooks.archive);
    expect(most).toBe(1);
    expect(keepsake('remote', 'status').stdout).toContain('Not reached since');
  } finally {
    for (const socket of open) socket.destroy();
    silent.close();
    await settled(hooks.archive);
    hooks.remove();
    machine.remove();
  }
});
