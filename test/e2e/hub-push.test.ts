import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HubProcess, hubProcess } from '../made/hub-process.ts';
import { workSession } from '../made/work.ts';
import { builtCli, COMPILED, LAUNCHER } from './built-cli.ts';
import { CliHome } from './cli-home.ts';

const data = mkdtempSync(join(tmpdir(), 'keepsake-e2e-push-'));
const [job, admin] = [new CliHome(), new CliHome()];
let hub: HubProcess;
let token = '';
beforeAll(builtCli);
beforeAll(async () => {
  hub = await hubProcess(LAUNCHER, ['--data', data, '--port', '0'], {
    HOME: data,
    NODE_COMPILE_CACHE: COMPILED,
  });
  admin.json('hub', 'member', 'add', 'ci', '--data', data);
  admin.json('hub', 'member', 'role', 'ci', '*', 'writer', '--data', data);
  ({ token } = admin.json('hub', 'member', 'token', 'ci', '--data', data) as { token: string });
});
afterAll(async () => {
  await hub?.end();
  for (const home of [job, admin]) home.remove();
  rmSync(data, { recursive: true, force: true });
});

/** Once more where a connection was kept open longer than the hub keeps it: running a command stops this process. */
async function ask(path: string): Promise<{ items: Found[] }> {
  const headers = { authorization: `Bearer ${token}` };
  const once = () => fetch(hub.address + path, { headers });
  return (await (await once().catch(once)).json()) as { items: Found[] };
}
type Found = { id: string; by: string; sessionId: string };

async function found(query: string): Promise<Found[]> {
  const { items } = await ask('/v1/repositories');
  const hits = await Promise.all(items.map(({ id }) => ask(`/r/${id}/api/memory/search?q=${query}`)));
  return hits.flatMap((it) => it.items);
}

test('a CI job sends the sessions of its checkout with one command, and leaves no archive behind', async () => {
  const shop = join(job.path, 'shop');
  mkdirSync(shop);
  execFileSync('git', ['init', '-q', '-b', 'main', shop]);
  execFileSync('git', ['-C', shop, 'remote', 'add', 'origin', 'https://github.com/acme/shop.git']);
  const folder = join(job.projects, shop.replaceAll(/[^A-Za-z0-9]/g, '-'));
  const said = [
    { you: 'Why is the nightly walrus build red?' },
    { agent: 'The clock of the runner is wrong.' },
  ];
  job.file(join(folder, 'ci-1.jsonl'), workSession('ci-1', said, undefined, shop));
  const env = { HUB_TOKEN: token };
  const done = job.run(
    ['hub', 'push', '--url', hub.address, '--token-env', 'HUB_TOKEN', '--json'],
    env,
    shop,
  );
  expect(done).toMatchObject({ status: 0 });
  expect(JSON.parse(done.stdout)).toMatchObject({
    member: 'ci',
    sessions: ['ci-1'],
    repositories: ['github.com/acme/shop'],
  });
  expect((await found('walrus'))[0]).toMatchObject({ by: 'ci', sessionId: 'ci-1' });
  expect(existsSync(job.archive)).toBe(false);
  expect(readdirSync(tmpdir()).filter((name) => name.startsWith('keepsake-push-'))).toEqual([]);
  // The same job again, from a new machine, adds the session once.
  const again = job.run(['hub', 'push', '--url', hub.address, '--token-env', 'HUB_TOKEN'], env, shop);
  expect(again.stdout).toContain('1 session of github.com/acme/shop sent as ci');
  const places = (await found('walrus')).map(({ by, sessionId }) => `${by} ${sessionId}`);
  expect(new Set(places)).toEqual(new Set(['ci ci-1']));
  // A job sends; of what others sent it reads nothing.
  for (let times = 0; times < 2; times++)
    job.run(['hub', 'push', '--url', hub.address, '--token-env', 'HUB_TOKEN', '--originals'], env, shop);
  const audit = admin.json('hub', 'audit', '--data', data).items as { action: string; detail: string }[];
  expect(audit.filter(({ action, detail }) => action === 'push' && detail.includes('/bytes/'))).toHaveLength(
    2,
  );
  expect(audit.filter(({ action }) => action === 'read original')).toEqual([]);
});

test('a session file is sent with the repository by name; without a repository or token the error says what to do', () => {
  const file = join(job.path, 'alone.jsonl');
  const said = [{ you: 'Where do the penguins nest?' }, { agent: 'On the roof.' }];
  job.file(file, workSession('alone-1', said, undefined, '/srv/nowhere'));
  const push = (env: Record<string, string>, ...more: string[]) =>
    job.run(['hub', 'push', '--url', hub.address, file, ...more], env);
  const missing = push({});
  expect([missing.status, missing.stderr]).toEqual([
    2,
    expect.stringContaining('KEEPSAKE_HUB_TOKEN is not set'),
  ]);
  const nameless = push({ KEEPSAKE_HUB_TOKEN: token });
  expect([nameless.status, nameless.stderr]).toEqual([2, expect.stringContaining('--repository')]);
  expect(
    push({ KEEPSAKE_HUB_TOKEN: `kst_${'x'.repeat(43)}` }, '--repository', 'github.com/acme/zoo').status,
  ).not.toBe(0);
  const sent = push({ KEEPSAKE_HUB_TOKEN: token }, '--repository', 'github.com/acme/zoo');
  expect(sent).toMatchObject({ status: 0 });
  expect(sent.stdout).toContain('github.com/acme/zoo');
});
