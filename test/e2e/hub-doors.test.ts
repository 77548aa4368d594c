import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openPostgresHub } from '../../src/adapters/hub-database/open-postgres-hub.ts';
import { hubStore } from '../../src/adapters/remote-hub/hub-store.ts';
import { issueToken, removeMember, revokeToken, setMemberRole } from '../../src/app/hub/members.ts';
import { secretHash } from '../../src/core/hub/hub-secret.ts';
import { deviceKey, joinText, signed } from '../../src/core/remote/device-key.ts';
import { ALL_HUB_ROUTES } from '../../src/entrypoints/hub/hub-app.ts';
import type { HubRoute } from '../../src/entrypoints/hub/hub-routes.ts';
import type { HubDatabase } from '../../src/ports/hub-database.ts';
import { type TestHub, type TestMember, testHub, testMember } from '../made/hub-server.ts';
import { type PostgresServer, postgresServer } from '../made/postgres-server.ts';

const REPO = 'a'.repeat(32);
const OPEN = new Set(['/healthz', '/readyz']);
const guarded = ALL_HUB_ROUTES.filter(({ path }) => !OPEN.has(path));
const members = guarded.filter(({ needs }) => needs !== 'invitation');
const inRepo = guarded.filter(({ path, needs }) => path.includes(':repo') || needs === 'admin');
const ofSessions = inRepo.filter(({ needs }) => needs !== 'admin');
const forAdmins = guarded.filter(({ needs }) => needs === 'admin');
/** Anna's own token, by the name that lists show. */
const LABEL = 't_11111111';

type Scene = { hub: TestHub; anna: TestMember; there: { name: string; bytes: Buffer } };

/** Anna's repository with one segment. */
async function scene(database?: HubDatabase): Promise<Scene> {
  const hub = await testHub(database ? { database } : {});
  const anna = await testMember(hub, 'anna');
  const there = anna.seal(REPO, 1, Buffer.from('the words of anna'), 'bytes');
  await anna.store.put(there.name, there.bytes);
  await setMemberRole(hub.hub, { name: 'anna', repo: REPO, role: 'admin' });
  const stored = hub.hub.database;
  const [own] = (await stored.tokens()).filter(({ device }) => device === anna.device);
  await stored.addToken({ ...own!, hash: secretHash('token', `kst_${'l'.repeat(43)}`)!, label: LABEL });
  return { hub, anna, there };
}

/** What an admin may send, and nobody else: a stranger comes in, anna goes, a token in her name. */
function harm({ method, path }: HubRoute): string {
  if (path === '/v1/tokens') return JSON.stringify({ name: 'anna', days: 3000 });
  if (path.endsWith('/members')) return JSON.stringify({ name: 'mallory', role: 'admin' });
  return method === 'PUT' ? JSON.stringify({ role: 'none' }) : '{}';
}

/** The request that would do the most harm on this route. */
function send(
  { hub, there }: Scene,
  route: HubRoute,
  token: string | undefined,
  { name, bytes, repo: asked }: { name: string; bytes: Buffer; repo?: string } = there,
) {
  const [, repo, device, lane, file] = name.split('/');
  const path = route.path
    .replace(':repo', asked ?? repo!)
    .replace(':name', 'anna')
    .replace(':label', LABEL)
    .replace(':device', device!)
    .replace(':lane', lane!)
    .replace(':file', file!);
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const sealed = route.method === 'PUT' && route.needs === 'writer' ? new Uint8Array(bytes) : undefined;
  const body = ['PUT', 'POST'].includes(route.method) ? (sealed ?? harm(route)) : null;
  return fetch(hub.address + path, { method: route.method, headers, ...(body === null ? {} : { body }) });
}

async function isUntouched({ hub, anna, there }: Scene): Promise<void> {
  const { database } = hub.hub;
  const known = await database.members();
  expect(known.map(({ name }) => name)).not.toContain('mallory');
  const { id } = known.find(({ name }) => name === 'anna')!;
  expect(await database.roles(id)).toEqual([{ repo: REPO, member: id, role: 'admin' }]);
  const tokens = (await database.tokens()).filter(({ member }) => member === id);
  expect(tokens.find(({ label }) => label === LABEL)?.revokedAt).toBeNull();
  expect(tokens.filter(({ expiresAt }) => expiresAt > '2030')).toEqual([]);
  expect(await anna.store.list('r/')).toEqual([{ name: there.name, bytes: there.bytes.length }]);
  expect((await anna.store.get(there.name))?.equals(there.bytes)).toBe(true);
}

function suite(label: string, make: () => Promise<HubDatabase | undefined>): void {
  describe(`Every route of a hub on ${label}`, () => {
    let it: Scene;
    beforeAll(async () => {
      it = await scene(await make());
    });
    afterAll(() => it?.hub.close());

    test.each(guarded)('$method $path: no token, a wrong token, an invitation as token', async (route) => {
      for (const token of [undefined, '', 'x', `kst_${'x'.repeat(43)}`, `ksi_${'x'.repeat(43)}`]) {
        const { status } = await send(it, route, token);
        expect([400, 401, 403]).toContain(status);
        if (route.needs !== 'invitation') expect(status).toBe(401);
      }
      await isUntouched(it);
    });

    test.each(members)('$method $path: an expired token', async (route) => {
      const { token } = await issueToken(it.hub.hub, { name: 'anna', days: 1 });
      const hash = secretHash('token', token)!;
      const { database } = it.hub.hub;
      const stored = (await database.tokens()).find((known) => known.hash === hash)!;
      const expired = `kst_${`${route.method}${route.path}`.replaceAll(/\W/g, '').padEnd(43, 'e').slice(0, 43)}`;
      await database.addToken({
        ...stored,
        hash: secretHash('token', expired)!,
        expiresAt: '2020-01-01T00:00:00.000Z',
      });
      expect((await send(it, route, expired)).status).toBe(401);
      await isUntouched(it);
    });

    test.each(members)('$method $path: revoked while the request runs', async (route) => {
      const { token } = await issueToken(it.hub.hub, { name: 'anna', days: 1 });
      const hash = secretHash('token', token)!;
      const { database } = it.hub.hub;
      const { findToken } = database;
      database.findToken = async (asked, now) => {
        const found = await findToken(asked, now);
        if (asked === hash) await database.revokeToken(hash, now);
        return found;
      };
      try {
        const { status } = await send(it, route, token);
        // A device that is not the token's own, or a body that is no claim, is refused before.
        expect([400, 401, 403]).toContain(status);
      } finally {
        database.findToken = findToken;
      }
      await isUntouched(it);
    });

    test.each(inRepo)('$method $path: a member of another repository, and one without any', async (route) => {
      for (const [name, role] of [
        ['ben', undefined],
        ['carl', 'admin'],
      ] as const) {
        const stranger = await testMember(it.hub, `${name} ${route.method} ${route.path.length}`);
        if (role !== undefined)
          await setMemberRole(it.hub.hub, { name: stranger.name, repo: 'github.com/other/one', role });
        expect((await send(it, route, stranger.token)).status).toBe(403);
        const own = stranger.seal(REPO, 1, Buffer.from('mine'), 'bytes');
        expect((await send(it, route, stranger.token, own)).status).toBe(403);
        expect(await stranger.store.list('r/')).toEqual([]);
      }
      await isUntouched(it);
    });

    test.each(ofSessions)('$method $path: a role that is too low', async (route) => {
      if (route.needs !== 'writer') return expect(route.needs).toBe('reader');
      const reader = await testMember(it.hub, `reader ${route.method}`, 'reader');
      const own = reader.seal(REPO, 1, Buffer.from('mine'), 'bytes');
      expect((await send(it, route, reader.token, own)).status).toBe(403);
      expect((await send(it, route, reader.token)).status).toBe(403);
      await isUntouched(it);
    });

    test.each(forAdmins)(
      '$method $path: a role below admin, and an admin of one repository',
      async (route) => {
        for (const role of ['reader', 'writer', 'reviewer']) {
          const lower = await testMember(it.hub, `${role} ${route.method} ${route.path}`, role);
          expect((await send(it, route, lower.token)).status).toBe(403);
          expect((await send(it, route, lower.token, { ...it.there, repo: '*' })).status).toBe(403);
        }
        // Anna is admin of her repository, and of no other.
        for (const repo of ['*', 'b'.repeat(32), 'github.com%2Fother%2Fone', 'unheard-of'])
          expect((await send(it, route, it.anna.token, { ...it.there, repo })).status).toBe(403);
        await isUntouched(it);
      },
    );

    test.each(ofSessions)("$method $path: another device's log", async (route) => {
      if (route.needs === 'reader') return expect(['GET', 'POST']).toContain(route.method);
      const writer = await testMember(it.hub, `writer ${route.method}`, 'writer');
      expect((await send(it, route, writer.token)).status).toBe(403);
      // Under anna's device, with the writer's own signature.
      const forged = writer.seal(REPO, 2, Buffer.from('forged'));
      const [, repo, , lane, file] = forged.name.split('/');
      const name = `r/${repo}/${it.anna.device}/${lane}/${file}`;
      expect((await send(it, route, writer.token, { ...forged, name })).status).toBe(403);
      // By anna's own token, with a signature that is not her device's.
      const { status } = await send(it, route, it.anna.token, { ...forged, name });
      expect(status).toBe(route.method === 'PUT' ? 422 : 200);
      await isUntouched(it);
    });

    test('a body that still arrives when the token is revoked is not stored', async () => {
      const { hub, anna } = it;
      const dora = await testMember(hub, 'dora', 'writer');
      const sealed = dora.seal(REPO, 1, Buffer.alloc(50_000, 'x'));
      const sent = request(`${hub.address}/v1/${sealed.name}`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${dora.token}`, 'content-length': sealed.bytes.length },
      });
      sent.write(sealed.bytes.subarray(0, 40));
      await new Promise((resolve) => setTimeout(resolve, 100));
      await removeMember(hub.hub, 'dora');
      sent.end(sealed.bytes.subarray(40));
      const [answer] = await once(sent, 'response');
      answer.resume();
      expect([401, 403]).toContain(answer.statusCode);
      expect(await anna.store.get(sealed.name)).toBeUndefined();
    });

    test('a member who is removed while waiting for news gets none', async () => {
      const { hub, anna, there } = it;
      const eve = await testMember(hub, 'eve', 'reader');
      const looks = vi.spyOn(hub.hub.database, 'follow');
      const waiting = fetch(`${hub.address}/v1/r/${REPO}/log?after=1&wait=20`, {
        headers: { authorization: `Bearer ${eve.token}` },
      });
      await expect.poll(() => looks.mock.calls.length).toBeGreaterThan(0);
      looks.mockRestore();
      await removeMember(hub.hub, 'eve');
      const next = anna.seal(REPO, 2, Buffer.from('news'));
      await anna.store.put(next.name, next.bytes);
      const answer = await waiting;
      expect(answer.status).toBe(403);
      expect(await answer.text()).not.toContain(next.name);
      await anna.store.remove(next.name);
      await isUntouched({ hub, anna, there });
    });
  });
}

suite('SQLite', async () => undefined);

describe('with PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await postgresServer();
  });
  afterAll(() => server?.close());
  suite('PostgreSQL', async () => openPostgresHub(await server.newDatabase()));
});

test('an admin deletes what anybody sent, a writer only what their own devices sent; both are in the audit log', async () => {
  const { hub, anna, there } = await scene();
  try {
    const ben = await testMember(hub, 'ben', 'admin');
    expect((await ben.store.get(there.name))?.equals(there.bytes)).toBe(true);
    await ben.store.remove(there.name);
    expect(await anna.store.list('r/')).toEqual([]);
    // It does not come back, and that is no error for who still has it.
    await anna.store.put(there.name, there.bytes);
    expect(await anna.store.get(there.name)).toBeUndefined();
    const actions = (await hub.hub.database.audits({ limit: 100 })).map(
      ({ member, action }) => `${member} ${action}`,
    );
    for (const row of [
      'anna grant',
      'anna push',
      'ben read original',
      'ben delete',
      'operator add member',
      'anna join',
    ])
      expect(actions).toContain(row);
    const text = JSON.stringify([hub.log, await hub.hub.database.audits({ limit: 100 })]);
    expect(text).not.toContain('the words of anna');
    expect(text).not.toContain(anna.token);
  } finally {
    await hub.close();
  }
});

test('rates, guesses and sizes are limited', async () => {
  const hub = await testHub({
    limits: { requestsPerMinute: 5, mistakesPerMinute: 3, megabytesPerMinute: 1 },
  });
  try {
    const anna = await testMember(hub, 'anna');
    const me = (token: string) =>
      fetch(`${hub.address}/v1/me`, { headers: { authorization: `Bearer ${token}` } });
    const statuses: number[] = [];
    for (let at = 0; at < 8; at++) statuses.push((await me(anna.token)).status);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
    expect(statuses[0]).toBe(200);
    const wrong: number[] = [];
    for (let at = 0; at < 6; at++) wrong.push((await me(`kst_${String(at).repeat(43)}`)).status);
    expect(wrong.slice(0, 3)).toEqual([401, 401, 401]);
    expect(wrong.slice(3)).toEqual([429, 429, 429]);
    const ben = await testMember(hub, 'ben');
    const sealed = ben.seal(REPO, 1, Buffer.from('x'));
    const large = await fetch(`${hub.address}/v1/${sealed.name}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${ben.token}` },
      body: new Uint8Array(25 * 1024 * 1024),
    }).then(
      ({ status }) => status,
      () => 413,
    );
    expect(large).toBe(413);
  } finally {
    await hub.close();
  }
});

test('anybody can read the health, only an admin of everything the counts, and neither contains names', async () => {
  const { hub, anna } = await scene();
  try {
    for (const path of OPEN) expect((await fetch(hub.address + path)).status).toBe(200);
    const metrics = (token: string) =>
      fetch(`${hub.address}/metrics`, { headers: { authorization: `Bearer ${token}` } });
    expect((await metrics(anna.token)).status).toBe(403);
    const boss = await testMember(hub, 'boss', 'admin');
    const text = await (await metrics(boss.token)).text();
    expect(text).toMatch(/keepsake_hub_requests_total\{method="PUT",route="[^"]*",status="201"\} 1/);
    expect(text).toMatch(/keepsake_hub_sent_bytes_total [1-9]/);
    const read = hub.log.filter(({ method, route }) => method === 'GET' && route === '/healthz');
    expect(read).toMatchObject([{ bytesOut: '{"status":"ok"}'.length }]);
    expect(text).not.toContain(REPO);
    expect(text).not.toContain('anna');
  } finally {
    await hub.close();
  }
});

test('a token for CI registers a device, and revoking it ends both', async () => {
  const { hub } = await scene();
  try {
    const { token, label } = await issueToken(hub.hub, { name: 'anna', days: 1 });
    let stored = token;
    const tokens = {
      read: async () => stored,
      write: async (_: string, written: string) => {
        stored = written;
      },
    };
    const store = hubStore(hub.address, tokens);
    const device = deviceKey(randomBytes(32));
    const prove = (secret: string) => signed(joinText(secret), device);
    const asked = { invitation: undefined, publicKey: device.publicKey, deviceName: 'ci' };
    await expect(store.join!({ ...asked, prove: () => Buffer.alloc(64) })).rejects.toMatchObject({
      code: 'remote',
    });
    expect(await store.join!({ ...asked, prove })).toMatchObject({ member: 'anna' });
    expect(stored).not.toBe(token);
    expect(await store.list('r/')).toHaveLength(1);
    await revokeToken(hub.hub, label);
    await expect(store.list('r/')).rejects.toMatchObject({ code: 'unauthorized' });
    stored = token;
    await expect(store.list('r/')).rejects.toMatchObject({ code: 'unauthorized' });
  } finally {
    await hub.close();
  }
});
