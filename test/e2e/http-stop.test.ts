import { mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listSessions } from '../../src/app/find/sessions.ts';
import { sync } from '../../src/app/sync/sync.ts';
import { sanitizePath } from '../../src/core/model/ids.ts';
import { type Serving, serve } from '../../src/entrypoints/http/serve.ts';
import { siteAt } from '../../src/entrypoints/http/site.ts';
import { archiveTree } from '../made/archive-tree.ts';
import { transcript } from '../made/conversation.ts';
import { HttpClient } from '../made/http-client.ts';
import { makeWorld, type TestWorld } from '../made/world.ts';

const compress = 'post /api/memory/sessions/{sessionId}/versions';
const long = { sessionId: 'long' };
const async = { prefer: 'respond-async' };

let world: TestWorld;
let client: HttpClient;
let serving: Serving;
beforeAll(async () => {
  world = makeWorld();
  put('long', 120);
  await sync(world);
  client = new HttpClient(world);
  const site = siteAt(join(world.places.home, 'no-page'));
  serving = await serve({
    world,
    version: '0.0.0',
    site,
    port: 0,
    failed: (error) => client.failures.push(error),
  });
});
afterAll(async () => {
  await serving.close();
  await world.remove();
  expect(client.failures).toEqual([]);
});

/** A session that takes a while, since no two sentences of it are alike. */
function put(session: string, turns: number): void {
  const cwd = join(world.places.home, 'shop');
  const folder = join(world.projects, sanitizePath(cwd));
  mkdirSync(cwd, { recursive: true });
  mkdirSync(folder, { recursive: true });
  const said = (turn: number) =>
    Array.from(
      { length: 30 },
      (_, n) => `Detail ${turn * 30 + n} is about word${(turn * 37 + n * 11) % 997}.`,
    );
  const all = Array.from({ length: turns }, (_, n) => ({
    you: `What of ${session} ${n}?`,
    agent: said(n).join(' '),
  }));
  writeFileSync(join(folder, `${session}.jsonl`), transcript(cwd, session, all));
}

/** Begun, but not at its end. */
async function running(jobId: string): Promise<void> {
  while (client.jobs.get(jobId).state === 'queued') await setImmediate();
  for (let turns = 0; turns < 5; turns++) await setImmediate();
  expect(client.jobs.get(jobId).state).toBe('running');
}

async function ended(jobId: string): Promise<string> {
  while (client.jobs.get(jobId).endedAt === null) await setImmediate();
  return client.jobs.get(jobId).state;
}

/** Begins long work, and stops it in the middle. */
async function stopped(
  name: Parameters<HttpClient['call']>[0],
  params: Record<string, string>,
  body: unknown,
) {
  const begun = await client.call(name, params, { body, headers: async });
  const { jobId } = begun.json as unknown as { jobId: string };
  await running(jobId);
  await client.call('delete /api/memory/jobs/{jobId}', { jobId });
  return ended(jobId);
}

describe('long work that is interrupted', () => {
  test.each([
    [compress, long, { ratio: 20 }],
    [
      'post /api/memory/sessions/{sessionId}/versions/manual',
      long,
      { choices: { 1: 'drop' }, others: 'shrink' },
    ],
    ['post /api/memory/compose', {}, { name: 'stopped', budget: 4000, sessions: ['long'] }],
    ['post /api/memory/purge', {}, { text: 'Detail 77 is about' }],
    ['post /api/memory/verify', {}, {}],
  ] as const)('%s leaves the archive as it was', async (name, params, body) => {
    const before = archiveTree(world.places.archive);
    expect(await stopped(name, params, body)).toBe('cancelled');
    expect(archiveTree(world.places.archive)).toEqual(before);
  });

  test('can be repeated and completed', async () => {
    const { status, json } = await client.call(compress, long, { body: { ratio: 20 } });
    expect([status, json.items[0]?.version?.versionId]).toEqual([201, 'part1_v001']);
  });
});

test('a sync that is stopped keeps what it has archived, and the next one continues', async () => {
  for (let n = 0; n < 8; n++) put(`later-${n}`, 3);
  const begun = await client.call('post /api/memory/sync', {}, { body: {}, headers: async });
  const { jobId } = begun.json as unknown as { jobId: string };
  const taken = () => {
    const { progress } = client.jobs.get(jobId);
    return progress?.phase === 'read' ? progress.done : 0;
  };
  while (taken() < 3) await setImmediate();
  await client.call('delete /api/memory/jobs/{jobId}', { jobId });
  expect(await ended(jobId)).toBe('cancelled');
  const kept = (await listSessions(world)).items.length;
  expect(kept).toBeGreaterThan(1);
  expect(kept).toBeLessThan(9);
  expect((await client.call('post /api/memory/verify', {}, { body: {} })).json.problems).toEqual([]);
  await client.call('post /api/memory/sync', {}, { body: {} });
  expect((await listSessions(world)).items).toHaveLength(9);
});

describe('a client that leaves', () => {
  test.each([
    ['post', '/api/memory/compose/preview', { budget: 3000, sessions: ['long:original'], topic: 'word5' }],
    ['post', '/api/memory/compose/allocation', { budget: 2500, sessions: ['long'] }],
    ['post', '/api/memory/sessions/long/versions', { ratio: 33, dryRun: true }],
    [
      'post',
      '/api/memory/search/batch',
      { queries: Array.from({ length: 200 }, (_, id) => ({ id, query: `word${id}` })) },
    ],
    ['get', '/api/memory/sessions/long/compare?to=v001', undefined],
  ] as const)('stops what only looked: %s %s', async (method, path, body) => {
    const leaving = new AbortController();
    const before = archiveTree(world.places.archive);
    const answer = client.send(method, path, { body, signal: leaving.signal });
    await setImmediate();
    leaving.abort();
    expect((await answer).status).toBe(499);
    expect(archiveTree(world.places.archive)).toEqual(before);
  });

  /** Sends a request over a real connection, and closes it once the work has begun. Gives how the work ended. */
  async function leave(body: unknown): Promise<string> {
    const { port, token } = serving.record;
    const text = JSON.stringify(body);
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    const head = [
      'POST /api/memory/sessions/long/versions HTTP/1.1',
      `Host: 127.0.0.1:${port}`,
      `Authorization: Bearer ${token}`,
      'Content-Type: application/json',
      `Content-Length: ${text.length}`,
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n${text}`);
    const known = serving.jobs.list().length;
    while (serving.jobs.list()[0]?.state !== 'running' || serving.jobs.list().length === known)
      await setImmediate();
    const [job] = serving.jobs.list();
    socket.destroy();
    while (job?.endedAt === null) await setImmediate();
    return job?.state ?? '';
  }

  test('also over a connection that closes; but a write is finished', async () => {
    expect(await leave({ ratio: 40, dryRun: true })).toBe('cancelled');
    expect(await leave({ ratio: 41 })).toBe('done');
    const { json } = await client.call('get /api/memory/sessions/{sessionId}/versions', long);
    expect(json.parts[0]?.versions.map((it) => it.settings.compactionRatio)).toEqual([20, 41]);
  });
});
