import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compressSession } from '../../src/app/compress/compress.ts';
import type { SessionId } from '../../src/core/model/ids.ts';
import { nameOf, ROUTES, type RouteName } from '../made/http-client.ts';
import { makeScenario, type Scenario } from '../made/http-scenario.ts';

let made: Scenario;
beforeAll(async () => {
  made = await makeScenario();
});
afterAll(() => made.world.remove());

describe('a purge', () => {
  test('by a part of an id is refused in every request', async () => {
    const { client, project } = made;
    const remove = 'delete /api/memory/sessions/{sessionId}';
    const below = 'delete /api/memory/projects/{projectId}/sessions/{sessionId}';
    const read = await client.call('get /api/memory/search', { q: 'oven' });
    const message = read.json.items[0]?.messageId ?? '';
    const answers = [
      await client.call('post /api/memory/purge', {}, { body: { session: 'on' } }),
      await client.call('post /api/memory/purge', {}, { body: { message: message.slice(0, -1) } }),
      await client.call(remove, { sessionId: 'on', purge: 'true', force: 'true' }),
      await client.call(below, { projectId: project, sessionId: 'on', purge: 'true', force: 'true' }),
    ];
    expect(answers.map(({ status, problem }) => [status, problem.code])).toEqual(
      answers.map(() => [400, 'usage']),
    );
    expect(answers[0]?.problem.hint).toContain('one');
    expect((await client.call('get /api/memory/sessions/{sessionId}', { sessionId: 'one' })).status).toBe(
      200,
    );
    expect((await client.call('get /api/memory/search', { q: 'oven' })).json.items[0]?.messageId).toBe(
      message,
    );
  });
});

describe('a day', () => {
  test.each([
    '2026-99-99',
    '2026-02-30',
    '2026-06-31T10:00Z',
    '2026-01-05T25:00Z',
    '2026-01-05T10:61:00Z',
    'yesterday',
    '',
  ])('that no calendar has is refused: %s', async (day) => {
    const { client } = made;
    const answers = [
      await client.call('get /api/memory/search', { q: 'oven', since: day }),
      await client.call('get /api/memory/search', { q: 'oven', until: day }),
      await client.call('get /api/memory/recall', { topic: 'oven', asOf: day }),
      await client.call(
        'post /api/memory/compose/preview',
        {},
        { body: { budget: 2000, sessions: ['one'], asOf: day } },
      ),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
  });

  test.each(['2028-02-29', '2026-12-31T23:59Z', '2026-12-31 23:59:59.5', '2026-12-31T23:59:59.123456Z'])(
    'that one has is taken: %s',
    async (day) => {
      const { client } = made;
      expect((await client.call('get /api/memory/search', { q: 'oven', since: day })).status).toBe(200);
      const body = { budget: 2000, sessions: ['one'], asOf: day };
      expect((await client.call('post /api/memory/compose/preview', {}, { body })).status).toBe(200);
    },
  );
});

test('a model that is switched off or cannot be reached is a conflict with a hint', async () => {
  const run = 'post /api/memory/models/run';
  const off = await made.client.call(run, {}, { body: { uses: ['exchanges'], project: made.project } });
  expect([off.status, off.problem.code]).toEqual([409, 'conflict']);
  expect(off.problem.hint).toContain('model.use.exchanges');
  const key = 'model.use.exchanges';
  await made.client.call('put /api/memory/config/{key}', { key }, { body: { value: true } });
  const none = await made.client.call(run, {}, { body: { uses: ['exchanges'], project: made.project } });
  expect([none.status, none.problem.code]).toEqual([409, 'conflict']);
  const summaries = { key: 'model.use.summaries' };
  await made.client.call('put /api/memory/config/{key}', summaries, { body: { value: true } });
  const page = await made.client.call(
    'post /api/memory/projects/{projectId}/journal/pages/{sessionId}',
    { projectId: made.project, sessionId: 'one' },
    { body: { dryRun: true } },
  );
  expect([page.status, page.problem.code]).toEqual([409, 'conflict']);
  expect(made.client.failures).toEqual([]);
});

test('an ambiguous value is answered with its choices', async () => {
  const { client, world, project } = made;
  const one = { project, session: 'one' as SessionId };
  await compressSession(world, one, { level: 'aggressive' });
  const versions = await client.call('get /api/memory/sessions/{sessionId}/versions', { sessionId: 'one' });
  expect(versions.status).toBe(200);
  const add = 'post /api/memory/sessions/{sessionId}/keepits';
  const words = await client.call(add, { sessionId: 'one' }, { body: { text: 'has a detail', weight: 0.5 } });
  expect([words.status, words.problem.code]).toEqual([409, 'ambiguous']);
  expect(words.problem.choices?.[0]?.id).toMatch(/./);
  const facts = await client.call('get /api/memory/facts');
  const rules = facts.json.items.map(({ id }) => id);
  const prefix = rules.map((id) => id.slice(0, 4)).find((start, at, all) => all.indexOf(start) !== at);
  if (prefix !== undefined) {
    const fact = await client.call('get /api/memory/facts/{factId}', { factId: prefix });
    expect(fact.problem.choices?.map(({ id }) => id).sort()).toEqual(
      rules.filter((id) => id.startsWith(prefix)).sort(),
    );
  }
});

describe('messages of the system', () => {
  test('are only in the log, not in an answer, with no path of this machine', async () => {
    const { client, world } = made;
    const broken = join(world.places.archive, 'index.sqlite');
    expect(broken).toMatch(/^\//);
    const error = Object.assign(new Error(`ENOENT: no such file, open '${broken}'`), { code: 'ENOENT' });
    const archive = { ...world.archive, projects: () => Promise.reject(error) };
    const { HttpClient } = await import('../made/http-client.ts');
    const failing = new HttpClient({ ...world, archive });
    const answer = await failing.call('get /api/memory/projects');
    expect([answer.status, answer.problem.code]).toEqual([500, 'internal']);
    expect(answer.text).not.toContain(world.places.archive);
    expect(failing.failures).toEqual([error]);
    const full = Object.assign(new Error(`ENOSPC: no space, write '${broken}'`), { code: 'ENOSPC' });
    const crowded = new HttpClient({
      ...world,
      archive: { ...world.archive, projects: () => Promise.reject(full) },
    });
    const answers = await crowded.call('get /api/memory/projects');
    expect([answers.status, answers.problem.code]).toEqual([507, 'disk-full']);
    expect(answers.text).not.toContain(world.places.archive);
    expect(client.failures).toEqual([]);
  });

  test('about a path that a request names are answered as a sentence', async () => {
    const { client, world } = made;
    const home = world.places.home;
    const closed = join(home, 'closed');
    mkdirSync(closed);
    writeFileSync(join(closed, 's.jsonl'), '{}');
    if (process.getuid?.() !== 0) chmodSync(closed, 0);
    const nowhere = join(home, 'no', 'where.jsonl');
    const asked: [RouteName, Record<string, string>, unknown?][] = [
      ['get /api/memory/transcripts/peek', { path: nowhere }],
      ['get /api/memory/transcripts/peek', { path: home }],
      ['post /api/memory/sessions', {}, { target: nowhere }],
      ['post /api/memory/sync', {}, { from: [nowhere] }],
      ['post /api/memory/import', {}, { path: nowhere, project: 'x' }],
      ['post /api/memory/import', {}, { path: join(closed, 's.jsonl'), project: 'x' }],
      ['post /api/memory/import/bundle', {}, { path: nowhere }],
      ['post /api/memory/import/bundle', {}, { path: home }],
      ['post /api/memory/export', {}, { out: join(nowhere, 'x.gz'), project: made.project }],
      ['post /api/memory/export', {}, { out: home, project: made.project, force: true }],
      ['post /api/memory/compositions/{compositionId}/resume', { compositionId: 'basket' }, { cwd: nowhere }],
    ];
    const answers = [];
    for (const [name, params, body] of asked) {
      const { status, text } = await client.call(name, params, body === undefined ? {} : { body });
      if (status >= 500) answers.push(`${name} ${JSON.stringify(body ?? params)}: ${status} ${text}`);
    }
    if (process.getuid?.() !== 0) chmodSync(closed, 0o700);
    rmSync(closed, { recursive: true });
    expect(answers).toEqual([]);
    expect(client.failures).toEqual([]);
  });
});

test('a known path with another method says which ones it supports', async () => {
  const { client } = made;
  const response = await client.send('delete', '/api/memory/projects');
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  const session = await client.send('put', '/api/memory/sessions/one', { body: {} });
  expect([session.status, session.headers.get('allow')]).toEqual([405, 'GET, HEAD, PATCH, DELETE']);
  expect((await client.send('post', '/api/docs', { body: {} })).status).toBe(405);
  expect((await client.send('post', '/api/memory/nothing', { body: {} })).status).toBe(404);
  for (const { path } of ROUTES) {
    const there = new Set(ROUTES.filter((it) => it.path === path).map((it) => it.method));
    const place = path.replace(/\{(\w+)\}/g, 'x1');
    for (const method of ['put', 'patch', 'delete'] as const) {
      // Another route may have a parameter where this one has a word.
      if (there.has(method) || ROUTES.some((it) => it.method === method && fits(it.path, place))) continue;
      const answer = await client.send(method, place, method === 'delete' ? {} : { body: {} });
      expect(answer.status, `${method} ${nameOf({ method: 'get', path })}`).toBe(405);
    }
  }
});

function fits(pattern: string, place: string): boolean {
  return new RegExp(`^${pattern.replace(/\{\w+\}/g, '[^/]+')}$`).test(place);
}

test('a request that creates nothing is answered with 200: a preview, an existing item, a batch without results', async () => {
  const { client } = made;
  const compress = 'post /api/memory/sessions/{sessionId}/versions';
  const status = async (name: RouteName, params: Record<string, string>, body: unknown) =>
    (await client.call(name, params, { body })).status;
  const one = { sessionId: 'one' };
  expect([
    await status(compress, one, { ratio: 21, dryRun: true }),
    await status(compress, one, { ratio: 21 }),
    await status(compress, one, { ratio: 21 }),
    await status(
      'post /api/memory/compositions/{compositionId}/reuse',
      { compositionId: 'basket' },
      { preview: true },
    ),
    await status('post /api/memory/sessions/batch', {}, { targets: ['nowhere', 'nothing'] }),
    await status('post /api/memory/sessions/batch', {}, { targets: ['nowhere', 'one'] }),
  ]).toEqual([200, 201, 200, 200, 200, 201]);
});

test('a hint names routes and fields to a program, and commands to the page', async () => {
  const { client } = made;
  const program = await client.send('get', '/api/memory/facts/fa_0000');
  const page = await client.send('get', '/api/memory/facts/fa_0000', {
    headers: {
      authorization: null,
      cookie: `keepsake-4737=${client.gate.cookie}`,
      'x-keepsake-key': client.gate.key,
    },
  });
  expect([program.status, page.status]).toEqual([404, 404]);
  expect(((await program.json()) as { hint: string }).hint).toContain('`GET /api/memory/facts`');
  expect(((await page.json()) as { hint: string }).hint).toContain('`keepsake facts`');
});
