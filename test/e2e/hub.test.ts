import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { zstdDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HubProcess, hubProcess } from '../made/hub-process.ts';
import { workSession } from '../made/work.ts';
import { builtCli, COMPILED, LAUNCHER } from './built-cli.ts';
import { CliHome } from './cli-home.ts';

const [anna, ben] = [new CliHome(), new CliHome()];
const data = mkdtempSync(join(tmpdir(), 'keepsake-e2e-hub-'));
const [RULE, SECRET] = ['Always run the linter with --strict before you commit.', 'zebrafinch'];
let hub: HubProcess;
beforeAll(builtCli);
beforeAll(async () => {
  hub = await hubProcess(LAUNCHER, ['--data', data, '--port', '0'], {
    HOME: data,
    NODE_COMPILE_CACHE: COMPILED,
  });
});
afterAll(async () => {
  await hub?.end();
  anna.remove();
  ben.remove();
  rmSync(data, { recursive: true, force: true });
});

/** A checkout of one repository on a person's machine, and a session in it. */
function work(home: CliHome, id: string, said: string[]): string {
  const shop = join(home.path, 'shop');
  mkdirSync(join(shop, '.git'), { recursive: true });
  writeFileSync(join(shop, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(shop, '.git', 'config'), '[remote "origin"]\n\turl = git@github.com:acme/shop.git\n');
  const steps = said.flatMap((you) => [{ you }, { agent: 'Done, as you said.' }]);
  const folder = join(home.projects, shop.replaceAll(/[^A-Za-z0-9]/g, '-'));
  home.file(join(folder, `${id}.jsonl`), workSession(id, steps, undefined, shop));
  return shop;
}

const member = (...args: string[]) => anna.json('hub', 'member', ...args, '--data', data);

function holds(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file).includes(text));
}

/** What the database of the hub has of a member's devices, unpacked. */
function stored(name: string): string {
  const database = new DatabaseSync(join(data, 'hub.sqlite'), { readOnly: true });
  try {
    const rows = database
      .prepare(
        'select s.body from segment s join device d on d.id = s.device join member m on m.id = d.member where s.body is not null and m.name = ?',
      )
      .all(name);
    return rows
      .map(({ body }) => Buffer.from(body as Uint8Array))
      .map((bytes) => zstdDecompressSync(bytes.subarray(bytes.indexOf(10) + 1 + 64)).toString('utf8'))
      .join('');
  } finally {
    database.close();
  }
}

test("two people share a repository: each sees who said what, and no agent obeys the other's words", () => {
  expect(hub.invitation).toMatch(/^ksi_/);
  work(anna, '11111111-1111-4111-8111-111111111111', [RULE, `The test account is called ${SECRET}.`]);
  const shop = work(ben, '22222222-2222-4222-8222-222222222222', [`Why is ${SECRET} in the seed data?`]);
  const [first, second] = [member('add', 'anna'), member('add', 'ben')];
  for (const [home, { invitation }] of [
    [anna, first],
    [ben, second],
  ] as const) {
    home.ok('sync');
    const added = home.json('remote', 'add', hub.address, '--invite', invitation);
    expect(added).toMatchObject({ remote: { name: 'team', encrypt: false } });
    expect(JSON.stringify(added)).not.toMatch(/kst_/);
    home.ok('remote', 'share', '--all');
    home.ok('remote', 'approve');
  }
  expect(anna.json('remote', 'sync').items[0].pushed.sessions).toBe(1);
  member('role', 'ben', 'github.com/acme/shop', 'writer');
  expect(ben.json('remote', 'sync').items[0]).toMatchObject({
    pulled: { sessions: 1 },
    pushed: { sessions: 1 },
  });
  expect(anna.json('remote', 'sync').items[0].pulled.sessions).toBe(1);
  const bens = JSON.parse(ben.in(shop, 'sessions', '--json')).items;
  expect(bens.map((row: { by?: string }) => row.by ?? 'me').sort()).toEqual(['anna', 'me']);
  // Found, and no rule of ben's.
  expect(JSON.stringify(ben.json('search', 'linter strict'))).toContain('linter');
  const facts = JSON.parse(ben.in(shop, 'facts', '--json')).items as { content: string; by?: string }[];
  expect(facts.filter(({ content, by }) => content.includes('linter') && by !== 'anna')).toEqual([]);
  expect(anna.ok('hub', 'member', '--data', data)).toMatch(
    /^ben {2}shop: writer\n {2}device [0-9a-f]{8} {2}/m,
  );
  // A token is for its user alone, and an invitation works once.
  const [token] = holds(join(anna.archive, 'remotes'), 'kst_');
  expect(statSync(token!).mode & 0o077).toBe(0);
  expect(
    ben.run(['remote', 'add', hub.address, '--name', 'again', '--invite', first.invitation]),
  ).toMatchObject({
    status: 2,
  });
});

test('who knows: colleagues by what they worked on', () => {
  const { people, isFile } = ben.json('who', SECRET);
  expect(isFile).toBe(false);
  expect(
    people.map(({ name, sessions }: { name: string; sessions: number }) => [name, sessions]).sort(),
  ).toEqual([
    ['anna', 1],
    ['me', 1],
  ]);
  expect(ben.ok('who', 'linter')).toContain('anna: 1 session');
  expect(ben.ok('who', 'walrus')).toContain('Nobody found');
});

test('content that is sent twice is stored once, and a sync without changes sends nothing', () => {
  expect(anna.json('remote', 'sync').items[0]).toMatchObject({
    pushed: { segments: 0 },
    pulled: { segments: 0 },
  });
  expect(ben.json('remote', 'sync').items[0]).toMatchObject({
    pushed: { segments: 0 },
    pulled: { segments: 0 },
  });
});

test("a purge reaches the hub and colleagues' copies, and leaves what colleagues said themselves", () => {
  expect(stored('anna')).toContain(SECRET);
  anna.ok('purge', '--text', SECRET, '--yes');
  anna.ok('remote', 'sync');
  expect(stored('anna')).not.toContain(SECRET);
  expect(stored('ben')).toContain(SECRET);
  const synced = ben.json('remote', 'sync').items[0];
  expect(synced.notes).toEqual([]);
  const own = holds(ben.archive, SECRET).filter((file) => file.includes('originals'));
  expect(own.map((file) => file.replace(/.*\//, ''))).toEqual(['22222222-2222-4222-8222-222222222222.jsonl']);
  // Anna's session is there again without it.
  const rows = ben.json('sessions').items as { by?: string }[];
  expect(rows.filter(({ by }) => by === 'anna')).toHaveLength(1);
  const audit = anna.json('hub', 'audit', '--data', data).items as { member: string; action: string }[];
  expect(audit.some(({ member: who, action }) => who === 'anna' && action === 'delete')).toBe(true);
});

test('a fact that one member offers and another accepts is quoted at the start of a session, if that is switched on', () => {
  const [shop, bens] = [join(anna.path, 'shop'), join(ben.path, 'shop')];
  const [plain, order] = ['Prices are stored in cents, as integers.', 'Run the linter first.'];
  for (const words of [plain, order]) {
    const { id } = JSON.parse(anna.in(shop, 'facts', 'add', '--kind', 'fact', words, '--json'));
    anna.in(shop, 'facts', 'promote', id);
  }
  anna.ok('remote', 'sync');
  ben.ok('remote', 'sync');
  const waiting = JSON.parse(ben.in(bens, 'facts', 'team', '--waiting', '--json')).items as {
    id: string;
    content: string;
    author: string;
    isHeldBack: boolean;
  }[];
  expect(waiting.map(({ content, isHeldBack }) => [content, isHeldBack]).sort()).toEqual([
    [plain, false],
    [order, true],
  ]);
  expect(new Set(waiting.map(({ author }) => author))).toEqual(new Set(['anna']));
  const start = () =>
    ben.run(
      ['hook'],
      {},
      bens,
      JSON.stringify({
        ...{ hook_event_name: 'SessionStart', source: 'startup', cwd: bens },
        ...{ session_id: '33333333-3333-4333-8333-333333333333', transcript_path: join(bens, 'none.jsonl') },
      }),
    ).stdout;
  for (const { id } of waiting) ben.ok('facts', 'review', id, '--accept');
  expect(start()).not.toContain(plain);
  ben.ok('config', 'set', 'remote.inject', 'team');
  const said = start();
  expect(said).toContain('anna (reviewed by you,');
  expect(said).toContain(plain);
  expect(said).not.toContain(order);
  ben.ok(
    'facts',
    'review',
    waiting.find(({ content }) => content === plain)!.id,
    '--refuse',
    '--note',
    'in euros now',
  );
  expect(start()).not.toContain(plain);
  // A writer's refusal is for this writer; one of a reviewer counts for anna, too.
  ben.ok('remote', 'sync');
  anna.ok('remote', 'sync');
  const state = () =>
    (JSON.parse(anna.in(shop, 'facts', 'team', '--json')).items as { content: string; state: string }[]).find(
      ({ content }) => content === plain,
    )?.state;
  expect(state()).toBe('offered');
  member('role', 'ben', 'github.com/acme/shop', 'reviewer');
  ben.ok(
    'facts',
    'review',
    waiting.find(({ content }) => content === plain)!.id,
    '--correct',
    'Prices are in euros.',
  );
  ben.ok('remote', 'sync');
  anna.ok('remote', 'sync');
  const items = JSON.parse(anna.in(shop, 'facts', 'team', '--json')).items;
  expect(items).toContainEqual(
    expect.objectContaining({
      content: 'Prices are in euros.',
      state: 'accepted',
      reviewer: 'ben',
      author: '',
    }),
  );
});

test('a removed member gets nothing from the next request on, and their words stay under their name', () => {
  anna.ok('hub', 'member', 'remove', 'ben', '--data', data);
  const refused = ben.run(['remote', 'sync']);
  expect(refused.status).toBe(2);
  expect(refused.stderr).toContain('refuses');
  expect(member().items.map(({ name }: { name: string }) => name)).toEqual(['anna', 'owner']);
  anna.ok('remote', 'sync');
  expect(anna.json('sessions').items.some(({ by }: { by?: string }) => by === 'ben')).toBe(true);
});

test('an admin of a repository manages its members from their own machine', () => {
  const shop = 'github.com/acme/shop';
  const there = (...args: string[]) => anna.ok('hub', ...args, '--remote', 'team');
  // She sent it first, which nobody has confirmed yet.
  const early = anna.run(['hub', 'member', '--repository', shop, '--remote', 'team']);
  expect(early.stderr).toMatch(/sent this repository first[\s\S]*hub member role anna [0-9a-f]{32} admin/);
  member('role', 'anna', shop, 'admin');
  const added = there('member', 'add', 'carla', '--repository', shop, '--role', 'writer');
  expect(added).toMatch(/^Added the member carla\.\ncarla is writer in github\.com\/acme\/shop now\.\n/);
  const [invitation] = /ksi_\S+/.exec(added) ?? [];
  expect(added).toContain(`keepsake remote add ${hub.address} --invite ${invitation}`);
  expect(there('member', '--repository', shop)).toMatch(
    /^anna {2}shop: admin\n(?: .*\n)*carla {2}shop: writer$/m,
  );
  const carla = new CliHome();
  try {
    carla.ok('remote', 'add', hub.address, '--invite', invitation!);
    // A writer manages nobody.
    const refused = carla.run(['hub', 'member', '--remote', 'team', '--repository', shop]);
    expect(refused).toMatchObject({ status: 68, stdout: '' });
    expect(refused.stderr).toContain('does not allow this');
    there('member', 'role', 'carla', shop, 'admin');
    expect(carla.ok('hub', 'member', '--remote', hub.address, '--repository', 'shop')).toContain(
      'carla  shop: admin',
    );
  } finally {
    carla.remove();
  }
  there('member', 'remove', 'carla', '--repository', shop);
  const rows = there('audit', '--repository', shop).split('\n');
  for (const detail of ['carla', 'carla writer', 'carla admin', 'carla none'])
    expect(rows.some((row) => row.includes('  anna  ') && row.endsWith(`  ${detail}`))).toBe(true);
  // Each row with the device, where there is one.
  expect(rows.some((row) => /^\S+ {2}anna {2}[0-9a-f]{8} {2}push {2}[0-9a-f]{8} {2}/.test(row))).toBe(true);
  // For all repositories only who is admin of all.
  for (const args of [['member'], ['audit'], ['member', 'add', 'x'], ['member', 'token', 'anna']])
    expect(anna.run(['hub', ...args, '--remote', 'team'])).toMatchObject({ status: 68 });
  const { token } = member('token', 'owner');
  const byUrl = anna.run(['hub', 'member', '--url', hub.address], { KEEPSAKE_HUB_TOKEN: token });
  expect(byUrl.stdout).toMatch(/^owner {2}\*: admin$/m);
  expect(anna.run(['hub', 'member', '--url', hub.address]).stderr).toContain('KEEPSAKE_HUB_TOKEN is not set');
  expect(anna.run(['hub', 'member', '--remote', 'team', '--data', data]).stderr).toContain(
    'cannot be combined',
  );
  expect(anna.run(['hub', 'member', 'add', 'x', '--role', 'writer', '--data', data]).stderr).toContain(
    '--role needs --repository',
  );
});

test('it does not listen beyond this machine without TLS, and needs a folder for its data', () => {
  const open = anna.run(['hub', '--data', data, '--host', '0.0.0.0', '--port', '0']);
  expect(open).toMatchObject({ status: 2 });
  expect(open.stderr).toContain('--plain-http');
  expect(anna.run(['hub'])).toMatchObject({ status: 2 });
  expect(anna.run(['hub', '--database', 'mysql://x'])).toMatchObject({ status: 2 });
});
