import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sanitizePath } from '../../src/core/model/ids.ts';
import { transcript } from '../made/conversation.ts';
import { HttpClient } from '../made/http-client.ts';
import { makeScenario, type Scenario } from '../made/http-scenario.ts';

let made: Scenario;
beforeAll(async () => {
  made = await makeScenario();
  // The server was started in one of the projects: nobody who asks knows, or means it.
  const places = { ...made.world.places, cwd: join(made.world.places.home, 'bakery') };
  made = { ...made, client: new HttpClient({ ...made.world, places }) };
});
afterAll(() => made.world.remove());

const compose = 'post /api/memory/compose';
const resume = 'post /api/memory/compositions/{compositionId}/resume';

describe('a session to continue', () => {
  test('is in the folder of its project, however that is named and wherever the server runs', async () => {
    const { client, shop, project, world } = made;
    await client.call(
      'patch /api/memory/projects/{projectId}',
      { projectId: project },
      { body: { displayName: 'tea' } },
    );
    const named = [{}, { project }, { project: shop }, { project: 'Tea' }];
    for (const [n, more] of named.entries()) {
      const body = { name: `r${n}`, budget: 3000, sessions: ['one'], resume: true, ...more };
      const { status, json, text } = await client.call(compose, {}, { body });
      expect(status, text.slice(0, 300)).toBe(201);
      const [resumed] = json.resumed ?? [];
      expect(resumed?.file).toBe(join(world.projects, sanitizePath(shop), `${resumed?.sessionId}.jsonl`));
      expect(json.projectId).toBe(project);
    }
    const again = await client.call(resume, { compositionId: 'basket' }, { body: {} });
    expect(again.json.resumed?.at(-1)?.file).toContain(join(world.projects, sanitizePath(shop)));
    const elsewhere = await client.call(
      resume,
      { compositionId: 'basket' },
      { body: { cwd: '/else/where' } },
    );
    expect(elsewhere.json.resumed?.at(-1)?.file).toContain(sanitizePath('/else/where'));
    expect((await client.call(resume, { compositionId: 'basket' }, { body: { cwd: 'here' } })).status).toBe(
      400,
    );
  });
});

describe('a project in a path', () => {
  const name = 'post /api/memory/projects/{projectId}/compositions';

  test('takes precedence: a body that names another is refused, and nothing is stored', async () => {
    const { client, project, other } = made;
    const body = { name: 'mine', budget: 2000, sessions: ['one'], project: other };
    const refused = await client.call(name, { projectId: project }, { body });
    expect([refused.status, refused.problem.code]).toEqual([400, 'usage']);
    expect(
      (await client.call('get /api/memory/compositions/{compositionId}', { compositionId: 'mine' })).status,
    ).toBe(404);
    const same = await client.call(name, { projectId: project }, { body: { ...body, project: made.shop } });
    expect([same.status, same.json.projectId]).toEqual([201, project]);
  });

  test('that is unknown is not found, although another has such a session; one that the agent knows is found', async () => {
    const { client, world } = made;
    const register = 'post /api/memory/projects/{projectId}/sessions/{sessionId}';
    const nope = await client.call(register, { projectId: 'nope', sessionId: 'one' }, { body: {} });
    expect([nope.status, nope.problem.code]).toEqual([404, 'not-found']);
    const garden = join(world.places.home, 'garden');
    const folder = join(world.projects, sanitizePath(garden));
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, 'seeds.jsonl'),
      transcript(garden, 'seeds', [{ you: 'Which seeds?', agent: 'Peas.' }]),
    );
    const fresh = { projectId: sanitizePath(garden), sessionId: 'seeds' };
    const taken = await client.call(register, fresh, { body: {} });
    expect([taken.status, taken.json.sessions]).toEqual([201, [fresh]]);
  });
});

describe('where the server was started', () => {
  test('does not matter: without a project all are searched, or a project is required', async () => {
    const { client, project, other } = made;
    const recall = await client.call('get /api/memory/recall', { topic: 'rounding' });
    expect(recall.json.project).toBeNull();
    expect(recall.text).toContain('rounding');
    const suggested = await client.call('get /api/memory/suggest', { topics: 'rounding' });
    expect(suggested.json.items[0]).toMatchObject({ sessionId: 'one', project });
    for (const [route, body] of [
      [compose, { name: 'newest', budget: 2000, latest: 1 }],
      [compose, { name: 'newest', budget: 2000, linked: true }],
      [compose, { name: 'newest', budget: 2000, sessions: ['current'] }],
      ['post /api/memory/facts', { content: 'Peas are green.' }],
    ] as const) {
      const { status, problem } = await client.call(route, {}, { body });
      expect([status, problem.code], JSON.stringify(body)).toEqual([400, 'usage']);
    }
    expect((await client.call('get /api/memory/export')).status).toBe(400);
    const current = { name: 'newest', budget: 2000, sessions: ['current'], project: other };
    expect((await client.call(compose, {}, { body: current })).json.components[0]?.sessionId).toBe('twin');
  });

  test('a name is an id, not a file of that folder', async () => {
    const bakery = join(made.world.places.home, 'bakery');
    const before = process.cwd();
    writeFileSync(join(bakery, 'two'), transcript(bakery, 'planted', [{ you: 'Planted?', agent: 'Yes.' }]));
    process.chdir(bakery);
    try {
      const { json } = await made.client.call('post /api/memory/sessions', {}, { body: { target: 'two' } });
      expect(json.sessions).toEqual([{ projectId: made.project, sessionId: 'two' }]);
    } finally {
      process.chdir(before);
    }
    expect(
      existsSync(join(made.world.places.archive, 'projects', made.other, 'originals', 'planted.jsonl')),
    ).toBe(false);
  });
});

describe('the request in a record', () => {
  test('of a composition can be sent back unchanged, with the share of each session', async () => {
    const { client, project, other } = made;
    const body = {
      name: 'first',
      budget: 5000,
      sessions: ['one', 'two:original'],
      strategy: 'manual',
      allocations: { one: 1500, two: 1000 },
      recompress: { one: { level: 'moderate' } },
    };
    const first = await client.call(compose, {}, { body });
    expect(first.status, first.text.slice(0, 300)).toBe(201);
    const { request } = first.json;
    const again = await client.call(compose, {}, { body: { ...request, name: 'second' } });
    expect(again.status, again.text.slice(0, 300)).toBe(201);
    expect(again.json.request).toEqual(request);
    expect(again.json.markdown.split('\n').slice(-5)).toEqual(first.json.markdown.split('\n').slice(-5));
    // An id that stands in two projects is told apart by the record.
    for (const projectId of [project, other]) {
      const components = [{ projectId, sessionId: 'twin' }];
      const sent = { totalTokenBudget: 2000, outputFormat: 'both', components };
      const { json } = await client.call('post /api/memory/compose/preview', {}, { body: sent });
      expect(json.projectId).toBe(projectId);
    }
    const nowhere = {
      name: 'x',
      totalTokenBudget: 2000,
      components: [{ projectId: other, sessionId: 'one' }],
    };
    expect((await client.call(compose, {}, { body: nowhere })).status).toBe(404);
  });

  test('a name is required to save, and the API document says so', async () => {
    const { client } = made;
    expect((await client.call(compose, {}, { body: { budget: 2000, sessions: ['one'] } })).status).toBe(400);
    const { paths } = await client.document();
    const needed = (path: string) => {
      const { requestBody } = paths[path]!.post as unknown as {
        requestBody: { content: Record<string, { schema: { required?: string[] } }> };
      };
      return requestBody.content['application/json']?.schema.required ?? [];
    };
    expect(needed('/api/memory/compose')).toContain('name');
    expect(needed('/api/memory/projects/{projectId}/compositions')).toContain('name');
    expect(needed('/api/memory/compose/preview')).not.toContain('name');
  });

  test('the settings of a version give the same version again', async () => {
    const { client } = made;
    const versions = 'post /api/memory/sessions/{sessionId}/versions';
    const sent = {
      ratio: 6,
      aggressiveness: 'minimal',
      keepit: 'ignore',
      distance: 2,
      skipFirst: 1,
    } as const;
    for (const body of [sent, { preset: 'gentle' }]) {
      const first = await client.call(versions, { sessionId: 'one' }, { body });
      expect(first.status, first.text.slice(0, 300)).toBe(201);
      const [made] = first.json.items;
      // What stood so then is not a setting, but the session's own.
      const { decay: _, weights: __, held: ___, title: ____, ...settings } = made?.settings ?? ({} as never);
      const again = await client.call(versions, { sessionId: 'one' }, { body: settings });
      expect(again.status, again.text.slice(0, 300)).toBe(200);
      expect(again.json.items[0]).toMatchObject({
        existed: true,
        version: { versionId: made?.version?.versionId },
      });
    }
  });

  test('levels by number, light by both names, sessions by id: as specified', async () => {
    const { client } = made;
    const versions = 'post /api/memory/sessions/{sessionId}/versions';
    const dry = (body: object) =>
      client.call(versions, { sessionId: 'one' }, { body: { ...body, dryRun: true } as never });
    for (const [body, ratio] of [
      [{ level: 2 }, 10],
      [{ level: 1 }, 4],
      [{ aggressiveness: 'light' }, 4],
      [{ aggressiveness: 'minimal' }, 4],
    ] as const) {
      const { status, json, text } = await dry(body);
      expect(status, text.slice(0, 300)).toBeLessThan(300);
      expect(json.items[0]?.settings).toMatchObject({
        compactionRatio: ratio,
        aggressiveness: ratio === 10 ? 'moderate' : 'light',
      });
      for (const { weight, threshold } of json.items[0]?.receipt.keepits ?? [])
        expect(Math.max(weight, threshold)).toBeLessThanOrEqual(2);
    }
    expect((await dry({ level: 4 })).status).toBe(400);
    const sessions = 'post /api/memory/sessions';
    const named = await client.call(sessions, {}, { body: { sessionId: 'one' } });
    expect(named.status, named.text.slice(0, 300)).toBeLessThan(300);
    const both = await client.call(sessions, {}, { body: { sessionId: 'one', target: 'one' } });
    expect(both.status).toBe(400);
  });
});
