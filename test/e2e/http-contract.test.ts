import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type HttpClient, nameOf, ROUTES } from '../made/http-client.ts';
import { makeScenario, type Sample, type Scenario, samplesOf } from '../made/http-scenario.ts';

let made: Scenario;
let client: HttpClient;
let samples: Sample[];
beforeAll(async () => {
  made = await makeScenario();
  client = made.client;
  samples = await samplesOf(made);
});
afterAll(() => made.world.remove());

const preview = 'post /api/memory/decay/preview';
const versions = 'post /api/memory/sessions/{sessionId}/versions';

describe('the API as it was first specified', () => {
  test.each([
    'get projects',
    'get projects/{projectId}',
    'post projects/{projectId}/sessions/{sessionId}',
    'delete projects/{projectId}/sessions/{sessionId}',
    'get sessions/{sessionId}/versions',
    'post sessions/{sessionId}/versions',
    'delete sessions/{sessionId}/versions/{versionId}',
    'get sessions/{sessionId}/versions/{versionId}',
    'get sessions/{sessionId}/keepits',
    'put sessions/{sessionId}/keepits/{markerId}',
    'get projects/{projectId}/compositions',
    'post projects/{projectId}/compositions',
    'get compositions/{compositionId}',
    'delete compositions/{compositionId}',
    'post decay/preview',
    'get sessions',
    'post sessions',
    'delete sessions/{sessionId}',
    'post compose',
    'post compose/preview',
    'get compositions',
    'get stats',
    'get projects/{projectId}/sessions/{sessionId}/delta',
    'post projects/{projectId}/sessions/{sessionId}/delta',
    'get projects/{projectId}/sessions/{sessionId}/parts',
    'post projects/{projectId}/sessions/{sessionId}/parts/{part}/recompress',
  ])('has %s', (name) => {
    expect(ROUTES.map(nameOf)).toContain(name.replace(' ', ' /api/memory/'));
  });

  test('previews decay exactly as specified', async () => {
    const body = {
      sessionId: 'one',
      compressionRatio: 30,
      aggressiveness: 'aggressive',
      sessionDistance: 5,
    };
    const { json } = await client.call(preview, {}, { body });
    const id = expect.stringMatching(/^k_/);
    expect(json).toEqual({
      markers: [
        { markerId: id, weight: 1, survives: true },
        { markerId: id, weight: 0.3, survives: false },
      ],
      threshold: 0.65,
    });
    const explained = await client.call(preview, {}, { body: { ...body, explain: true } });
    expect(explained.json.markers[0]).toMatchObject({
      content: 'Money is integer cents.',
      verdict: expect.any(String),
    });
  });

  test('accepts the settings of a version as a record has them, and records them', async () => {
    const settings = {
      mode: 'uniform',
      compactionRatio: 17,
      aggressiveness: 'moderate',
      model: 'extractive',
      skipFirstMessages: 1,
      keepitMode: 'preserve-all',
      sessionDistance: 4,
    } as const;
    const { json } = await client.call(versions, { sessionId: 'one' }, { body: settings });
    expect(json.items[0]?.version?.settings).toMatchObject(settings);
    const customTiers = [
      { endPercent: 40, compactionRatio: 20, aggressiveness: 'aggressive' },
      { endPercent: 100, compactionRatio: 3, aggressiveness: 'minimal' },
    ];
    const body = { mode: 'tiered', tierPreset: 'custom', customTiers, model: 'extractive' };
    const tiered = await client.call(versions, { sessionId: 'one' }, { body });
    // `minimal` is an older name of `light`: it is taken, and called what it is everywhere.
    const named = customTiers.map((tier) =>
      tier.aggressiveness === 'minimal' ? { ...tier, aggressiveness: 'light' } : tier,
    );
    expect(tiered.json.items[0]?.version?.settings).toMatchObject({
      tierPreset: 'custom',
      customTiers: named,
    });
  });

  test('accepts a composition as first specified, and returns its record', async () => {
    const body = {
      name: 'as written',
      components: [
        { sessionId: 'one', recompressSettings: { mode: 'uniform', compactionRatio: 4, model: 'opus' } },
        { sessionId: 'two', versionId: 'original' },
      ],
      totalTokenBudget: 4000,
      outputFormat: 'markdown',
    };
    const name = 'post /api/memory/projects/{projectId}/compositions';
    const { status, json } = await client.call(name, { projectId: made.project }, { body });
    expect(status).toBe(201);
    expect(json).toMatchObject({
      name: 'as written',
      compositionId: expect.any(String),
      components: [
        { sessionId: 'one', order: 0, recompress: { settings: { compactionRatio: 4 } } },
        { sessionId: 'two', versionId: 'original', order: 1 },
      ],
      outputFile: expect.stringMatching(/\.md$/),
      usedInSessions: [],
    });
    const without = await client.call(
      'post /api/memory/compose/preview',
      {},
      { body: { sessions: ['one'] } },
    );
    expect([without.status, without.problem.detail]).toEqual([400, expect.stringContaining('budget')]);
  });

  test('returns a project with its sessions unless the request says otherwise', async () => {
    const name = 'get /api/memory/projects/{projectId}';
    const { json } = await client.call(name, { projectId: made.project });
    expect(json.sessions?.map(({ sessionId }) => sessionId).sort()).toEqual(['one', 'twin', 'two']);
    const bare = await client.call(name, { projectId: made.project, sessions: 'false' });
    expect(bare.json.sessions).toBeUndefined();
    const rename = (params: Record<string, string>, tag: string | null) =>
      client.call(
        'patch /api/memory/projects/{projectId}',
        { projectId: made.project, ...params },
        { body: { displayName: 'shop' }, headers: { 'if-match': tag } },
      );
    expect((await rename({}, bare.headers.get('etag'))).status).toBe(412);
    expect((await rename({ sessions: 'false' }, bare.headers.get('etag'))).status).toBe(200);
    const again = await client.call(name, { projectId: made.project });
    expect((await rename({}, again.headers.get('etag'))).status).toBe(200);
  });
});

/** All that a page holds, whatever its lists are called. */
function itemsOf(json: Record<string, unknown>): unknown[] {
  return ['items', 'files', 'sessions'].flatMap((name) => (json[name] as unknown[] | undefined) ?? []);
}

test('the pages of every list together are the list', async () => {
  const paged = ROUTES.filter((it) => it.method === 'get' && 'after' in fieldsOf(it.query)).map(nameOf);
  const tried = samples.filter(([name]) => paged.includes(name));
  expect(new Set(tried.map(([name]) => name)).size).toBe(paged.length);
  for (const [name, params = {}] of tried) {
    const { limit: _, ...plain } = params;
    const all = itemsOf((await client.call(name, { ...plain, limit: '1000' })).json as never);
    const size = Math.max(1, Math.ceil(all.length / 3));
    const gathered: unknown[] = [];
    let after: string | null | undefined;
    do {
      const query: Record<string, string> = { ...plain, limit: String(size), ...(after ? { after } : {}) };
      const { json, text } = await client.call(name, query);
      const part = itemsOf(json as never);
      expect(part.length, `${name} ${text.slice(0, 200)}`).toBeLessThanOrEqual(size);
      gathered.push(...part);
      after = (json as unknown as { next: string | null }).next;
    } while (after);
    expect(gathered, name).toEqual(all);
  }
});

function fieldsOf(query: unknown): Record<string, unknown> {
  return (query as { shape?: Record<string, unknown> } | undefined)?.shape ?? {};
}
