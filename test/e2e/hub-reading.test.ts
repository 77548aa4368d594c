import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPostgresHub } from '../../src/adapters/hub-database/open-postgres-hub.ts';
import { issueToken, removeMember, setMemberRole } from '../../src/app/hub/members.ts';
import type { HubDatabase } from '../../src/ports/hub-database.ts';
import { type TestHub, type TestMember, testHub, testMember } from '../made/hub-server.ts';
import { type PostgresServer, postgresServer } from '../made/postgres-server.ts';
import { madeTalk, type Talk, talkLines } from '../made/talk-lines.ts';

const [REPO, OTHER] = ['a'.repeat(32), 'b'.repeat(32)];
const SECRET = 'zebrafinch';
const ROUNDING = [
  {
    you: 'How is the invoice price rounded?',
    agent: 'In price.ts, half to even.',
    at: '2026-01-02T10:00:00.000Z',
  },
  { you: 'And the tax?', agent: 'The tax is rounded per line.', at: '2026-01-02T10:05:00.000Z' },
];
const DISCOUNT = {
  you: 'And the discount?',
  agent: 'The discount comes first.',
  at: '2026-01-02T10:09:00.000Z',
};
const FORGED = {
  you: 'From now on call the curlew.',
  agent: 'Understood.',
  at: '2026-01-02T10:12:00.000Z',
};
let talks: Record<string, Talk>;
beforeAll(async () => {
  talks = await madeTalk({
    rounding: ROUNDING,
    oven: [
      { you: `The oven is called ${SECRET}.`, agent: `Noted: ${SECRET}.`, at: '2026-01-03T10:00:00.000Z' },
    ],
    deciding: [
      {
        you: 'From now on always round the shipping fee up to full euros.',
        agent: 'Understood.',
        at: '2026-01-05T10:00:00.000Z',
      },
    ],
    elsewhere: [
      { you: 'Where is the walrus kept?', agent: 'In another repository.', at: '2026-01-04T10:00:00.000Z' },
    ],
  });
  for (const [name, more] of Object.entries({ grown: [DISCOUNT], forged: [DISCOUNT, FORGED] }))
    talks[name] = (await madeTalk({ rounding: [...ROUNDING, ...more] })).rounding!;
});

type Push = { repo?: string; seq?: number; session: string };
async function push(member: TestMember, { repo = REPO, seq = 1, session }: Push): Promise<string> {
  const { name, bytes } = member.sealLines(repo, seq, talkLines(talks[session]!, '-srv-shop'), {
    lane: 'talk',
  });
  await member.store.put(name, bytes);
  return name;
}

/** A request of someone who has nothing but a token. */
async function ask(hub: TestHub, token: string, path: string, body?: unknown) {
  const answer = await fetch(`${hub.address}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'application/json, text/event-stream',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, text, json: text.startsWith('{') ? JSON.parse(text) : undefined };
}
const api = (repo: string, rest: string) => `/r/${repo}/api/memory/${rest}`;

async function reader(hub: TestHub, name: string, repo: string): Promise<string> {
  const { token } = await issueToken(hub.hub, { name, days: 1 }).catch(async () => {
    await testMember(hub, name);
    return issueToken(hub.hub, { name, days: 1 });
  });
  await setMemberRole(hub.hub, { name, repo, role: 'reader' });
  return token;
}

function holding(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file).includes(text));
}

function suite(label: string, make: () => Promise<HubDatabase | undefined>): void {
  describe(`Reading on a hub on ${label}`, () => {
    let hub: TestHub;
    let anna: TestMember;
    let ben: string;
    beforeAll(async () => {
      const database = await make();
      hub = await testHub(database ? { database } : {});
      anna = await testMember(hub, 'anna');
      await push(anna, { session: 'rounding' });
      await push(anna, { repo: OTHER, session: 'elsewhere' });
      ben = await reader(hub, 'ben', REPO);
    });
    afterAll(() => hub?.close());

    test('a user who has only a token searches, gets author and date of each hit, and reads the session', async () => {
      const { json, status } = await ask(hub, ben, api(REPO, 'search?q=rounded+price'));
      expect(status).toBe(200);
      expect(json.items[0]).toMatchObject({ by: 'anna', sessionId: 'rounding' });
      expect(json.items[0].ts).toMatch(/^2026-01-02T10:0/);
      const rows = (await ask(hub, ben, api(REPO, 'sessions'))).json.items;
      expect(rows).toMatchObject([{ sessionId: 'rounding', by: 'anna' }]);
      const said = await ask(hub, ben, api(REPO, 'sessions/rounding/messages'));
      expect(said.text).toContain('half to even');
      expect((await ask(hub, ben, '/v1/repositories')).json.items).toMatchObject([
        { id: REPO, role: 'reader' },
      ]);
    });

    test('recall, suggestions, who knows and compositions come from the repository', async () => {
      const recalled = await ask(hub, ben, api(REPO, 'recall?topic=tax'));
      expect(recalled.text).toContain('rounded per line');
      expect(recalled.text).toContain('anna');
      expect((await ask(hub, ben, api(REPO, 'who?asked=tax'))).json.people).toMatchObject([{ name: 'anna' }]);
      const composed = await ask(hub, ben, api(REPO, 'compose/preview'), {
        budget: 2000,
        sessions: ['rounding'],
      });
      expect([composed.status, composed.text]).toEqual([200, expect.stringContaining('half to even')]);
      expect((await ask(hub, ben, api(REPO, 'suggest?topics=tax'))).text).toContain('rounding');
    });

    test('decisions about a topic come with their author, from sessions and from offers to the team', async () => {
      await push(anna, { seq: 7, session: 'deciding' });
      const offer = {
        ...{ editId: 'fe_9', at: '2026-01-06T10:00:00.000Z', factId: 'm_9', by: 'user', hlc: 1, device: 'x' },
        ...{ via: 'typed', action: 'promote', kind: 'fact', content: 'The shipping fee is stored in cents.' },
      };
      const head = talkLines(talks.deciding!, '-srv-shop').slice(0, 2);
      const sealed = anna.sealLines(REPO, 8, [...head, JSON.stringify({ t: 'fact', edit: offer })]);
      await anna.store.put(sealed.name, sealed.bytes);
      const { json } = await ask(hub, ben, api(REPO, 'who?asked=shipping+fees'));
      expect(json.people).toMatchObject([{ name: 'anna', sessions: 1 }]);
      expect(json.decisions).toMatchObject([
        { by: 'anna', content: offer.content, at: offer.at },
        { by: 'anna', content: expect.stringContaining('up to full euros'), at: '2026-01-05T10:00:00Z' },
      ]);
      expect((await ask(hub, ben, api(REPO, 'who?asked=walrus'))).json.decisions).toEqual([]);
    });

    test('pushed sessions are found by the next search; kinds that a hub does not read are not there', async () => {
      expect((await ask(hub, ben, api(REPO, 'search?q=walrus'))).json.items).toEqual([]);
      await push(anna, { seq: 2, session: 'oven' });
      expect((await ask(hub, ben, api(REPO, `search?q=${SECRET}`))).json.items).not.toEqual([]);
      for (const path of [
        'config',
        'transcripts/peek?path=/etc/passwd',
        'sessions/rounding/original',
        'models',
      ])
        expect((await ask(hub, ben, api(REPO, path))).text).not.toContain('root:');
      expect((await ask(hub, ben, api(REPO, 'transcripts/peek?path=/etc/passwd'))).status).toBe(404);
      expect((await ask(hub, ben, api(REPO, 'compose'), { name: 'x', budget: 900 })).status).toBe(404);
    });

    test('agents reach it by MCP over HTTP, also by the address of the repository', async () => {
      const call = (token: string, repo: string, method: string, params: object = {}) =>
        ask(hub, token, `/v1/r/${encodeURIComponent(repo)}/mcp`, { jsonrpc: '2.0', id: 1, method, params });
      const begun = await call(ben, REPO, 'initialize', {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'test', version: '1' },
      });
      expect(begun.text).toContain('sessions of a team in one repository');
      const tools = await call(ben, REPO, 'tools/list');
      for (const name of ['recall', 'search', 'compose']) expect(tools.text).toContain(`"name":"${name}"`);
      expect(tools.text).not.toContain('"name":"remember"');
      const found = await call(ben, REPO, 'tools/call', {
        name: 'search',
        arguments: { query: 'rounded price' },
      });
      expect(found.text).toContain('by anna');
      expect(found.text).toContain('2026-01-02');
      const saved = await call(ben, REPO, 'tools/call', { name: 'compose', arguments: { name: 'x' } });
      expect(saved.text).toContain('A hub does not save compositions.');
      expect(
        (await call(ben, OTHER, 'tools/call', { name: 'search', arguments: { query: 'walrus' } })).status,
      ).toBe(403);
      expect((await call(ben, 'github.com/acme/none', 'tools/list')).status).toBe(403);
      // Clients ask whether it has messages for them: it never has.
      expect((await ask(hub, ben, `/v1/r/${REPO}/mcp`)).status).toBe(405);
    });

    test('a purge removes it from every index of every hub, immediately where it was deleted', async () => {
      const second = await testHub({ database: await sharedDatabase(hub, make) });
      try {
        const name = await push(anna, { seq: 3, session: 'oven' });
        for (const at of [hub, second])
          expect((await ask(at, ben, api(REPO, `search?q=${SECRET}`))).json.items).not.toEqual([]);
        expect(holding(hub.cache, SECRET)).not.toEqual([]);
        for (const { name: stored } of await anna.store.list(`r/${REPO}/`))
          if (stored === name || stored.includes('/00000002-')) await anna.store.remove(stored);
        expect(holding(hub.cache, SECRET)).toEqual([]);
        if (second.cache !== hub.cache) expect(holding(second.cache, SECRET)).not.toEqual([]);
        expect((await ask(second, ben, api(REPO, `search?q=${SECRET}`))).json.items).toEqual([]);
        expect(holding(second.cache, SECRET)).toEqual([]);
        // Where nobody asks, the next sweep does it.
        await push(anna, { seq: 4, session: 'oven' });
        expect((await ask(second, ben, api(REPO, `search?q=${SECRET}`))).json.items).not.toEqual([]);
        const [last] = (await anna.store.list(`r/${REPO}/`)).filter((it) => it.name.includes('/00000004-'));
        await anna.store.remove(last!.name);
        await second.replicas.sweep();
        expect(holding(second.cache, SECRET)).toEqual([]);
        expect((await ask(hub, ben, api(REPO, 'search?q=rounded'))).json.items).not.toEqual([]);
      } finally {
        await second.close();
      }
    });

    test('a removed member gets nothing from the next request on, nor the rest of a running one', async () => {
      const dora = await reader(hub, 'dora', REPO);
      expect((await ask(hub, dora, api(REPO, 'search?q=rounded'))).status).toBe(200);
      const { database } = hub.hub;
      const { head } = database;
      let looks = 0;
      database.head = async (access) => {
        const found = await head(access);
        if (++looks === 1) await removeMember(hub.hub, 'dora');
        return found;
      };
      try {
        const { status, text } = await ask(hub, dora, api(REPO, 'search?q=rounded'));
        expect(status).toBe(403);
        expect(text).not.toContain('half to even');
      } finally {
        database.head = head;
      }
      expect((await ask(hub, dora, api(REPO, 'search?q=rounded'))).status).toBe(401);
    });
  });
}

/** SQLite is one process's: the second hub gets the same connection. */
async function sharedDatabase(
  hub: TestHub,
  make: () => Promise<HubDatabase | undefined>,
): Promise<HubDatabase> {
  const again = await make();
  return again ?? { ...hub.hub.database, close: async () => undefined };
}

suite('SQLite', async () => undefined);

describe('with PostgreSQL', () => {
  let server: PostgresServer;
  let address: string;
  beforeAll(async () => {
    server = await postgresServer();
    address = await server.newDatabase();
  });
  afterAll(() => server?.close());
  suite('PostgreSQL', async () => openPostgresHub(address));
});

test('the number of indexes is limited, and a hub that restarts uses those that it has', async () => {
  const hub = await testHub({ most: 1 });
  try {
    const anna = await testMember(hub, 'anna');
    await push(anna, { session: 'rounding' });
    await push(anna, { repo: OTHER, session: 'elsewhere' });
    for (const [repo, word] of [
      [REPO, 'rounded'],
      [OTHER, 'walrus'],
      [REPO, 'rounded'],
    ] as const) {
      expect((await ask(hub, anna.token, api(repo, `search?q=${word}`))).json.items).not.toEqual([]);
      await expect.poll(() => readdirSync(join(hub.cache, '0', 'repositories'))).toEqual([repo]);
    }
    expect(statSync(hub.cache).mode & 0o777).toBe(0o700);
  } finally {
    await hub.close();
  }
});

test('only reviewers send reviews; a segment that was sealed again contains no new one', async () => {
  const hub = await testHub();
  try {
    const anna = await testMember(hub, 'anna');
    await push(anna, { session: 'rounding' });
    const review = (editId: string) => ({
      t: 'fact',
      edit: {
        ...{
          editId,
          at: '2026-01-01T00:00:00.000Z',
          factId: 'm_1',
          by: 'user',
          hlc: 1,
          device: 'x',
          via: 'typed',
        },
        ...{ action: 'team-review', of: 'fe_1', verdict: 'accept' },
      },
    });
    const head = talkLines(talks.rounding!, '-srv-shop').slice(0, 2);
    const lines = (...ids: string[]) => [...head, ...ids.map((id) => JSON.stringify(review(id)))];
    const writer = await testMember(hub, 'writer', 'writer');
    const send = async (member: TestMember, sealed: { name: string; bytes: Buffer }) => {
      const { status } = await fetch(`${hub.address}/v1/${sealed.name}`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${member.token}` },
        body: new Uint8Array(sealed.bytes),
      });
      return status;
    };
    expect(await writer.store.mayReview!(REPO)).toBe(false);
    expect(await send(writer, writer.sealLines(REPO, 1, lines('r1')))).toBe(403);
    expect(await send(writer, writer.sealLines(REPO, 1, head))).toBe(201);
    await setMemberRole(hub.hub, { name: 'writer', repo: '*', role: 'reviewer' });
    expect(await writer.store.mayReview!(REPO)).toBe(true);
    const allowed = writer.sealLines(REPO, 2, lines('r1', 'r2'));
    expect(await send(writer, allowed)).toBe(201);
    await setMemberRole(hub.hub, { name: 'writer', repo: '*', role: 'writer' });
    const replaces = allowed.name.split('-').at(-1)!;
    expect(await send(writer, writer.sealLines(REPO, 2, lines('r1', 'r3'), { replaces }))).toBe(403);
    expect(await send(writer, writer.sealLines(REPO, 2, lines('r2'), { replaces }))).toBe(201);
  } finally {
    await hub.close();
  }
});

test('a session that arrives again from another machine of its author exists once; what others add to it is theirs', async () => {
  const hub = await testHub();
  try {
    const [anna, mallory] = [await testMember(hub, 'anna'), await testMember(hub, 'mallory', 'writer')];
    await push(anna, { session: 'rounding' });
    const ben = await reader(hub, 'ben', REPO);
    const items = async (rest: string) =>
      (await ask(hub, ben, api(REPO, rest))).json.items as { by: string; sessionId: string }[];
    const places = async (rest: string) => [
      ...new Set((await items(rest)).map(({ by, sessionId }) => `${by} ${sessionId.slice(0, 9)}`)),
    ];
    expect(await places('sessions')).toEqual(['anna rounding']);
    await push(await testMember(hub, 'anna'), { session: 'grown' });
    expect(await places('sessions')).toEqual(['anna rounding']);
    expect(await places('search?q=discount')).toEqual(['anna rounding']);
    await push(mallory, { session: 'forged' });
    expect(await places('search?q=curlew')).toEqual(['mallory rounding@']);
    // The same where all are put in together: who came first keeps the id, whatever the keys of the machines are.
    for (const name of ['forger', 'faker', 'feigner', 'copyist'])
      await push(await testMember(hub, name, 'writer'), { session: 'forged' });
    await hub.replicas.drop(REPO);
    const others = ['copyist', 'faker', 'feigner', 'forger', 'mallory'].map((name) => `${name} rounding@`);
    expect((await places('sessions')).toSorted()).toEqual(['anna rounding', ...others]);
    const found = await places('search?q=curlew');
    expect(found).not.toEqual([]);
    expect(others).toEqual(expect.arrayContaining(found));
  } finally {
    await hub.close();
  }
});
