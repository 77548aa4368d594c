import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Serving, serve } from '../../src/entrypoints/http/serve.ts';
import { forgetServer, recordServer } from '../../src/entrypoints/http/server-record.ts';
import { nameOf, ROUTES } from '../made/http-client.ts';
import { makeScenario, type Sample, type Scenario, samplesOf } from '../made/http-scenario.ts';

let made: Scenario;
let samples: Sample[];
beforeAll(async () => {
  made = await makeScenario();
  samples = await samplesOf(made);
});
afterAll(() => made.world.remove());

const sampleOf = (name: string) => samples.find(([it]) => it === name) ?? [];

test('If-Match is checked for everything that two people can edit', async () => {
  const edited = ROUTES.filter((route) => route.current);
  expect(edited.length).toBeGreaterThan(12);
  for (const route of edited) {
    // What is there: some samples delete what others made.
    const [, there] = sampleOf(nameOf({ ...route, method: 'get' }));
    const [, params = {}, body] = sampleOf(nameOf(route));
    const headers = { 'if-match': '"what nobody read"' };
    const { status } = await made.client.call(nameOf(route) as Sample[0], there ?? params, {
      headers,
      ...(body === undefined ? {} : { body }),
    });
    expect(status, nameOf(route)).toBe(412);
  }
});

test('every file is sent as a download, never shown', async () => {
  const files = ROUTES.filter(({ downloads }) => downloads && !downloads.includes('text/event-stream'));
  expect(files.length).toBeGreaterThan(3);
  for (const route of files) {
    const [, params = {}] = sampleOf(nameOf(route));
    const { headers, status } = await made.client.call(nameOf(route) as Sample[0], params);
    expect([status, headers.get('content-disposition')], nameOf(route)).toEqual([
      200,
      expect.stringMatching(/^attachment; filename="[\w.-]+"$/),
    ]);
    expect(headers.get('content-type')).not.toMatch(/html|xml/);
  }
});

test('a keepit is changed only in its own session', async () => {
  const keepits = 'get /api/memory/sessions/{sessionId}/keepits';
  const { json } = await made.client.call(keepits, { sessionId: 'one' });
  const markerId = json.items[0]?.markerId ?? '';
  const put = 'put /api/memory/sessions/{sessionId}/keepits/{markerId}';
  const foreign = await made.client.call(put, { sessionId: 'two', markerId }, { body: { weight: 0.1 } });
  expect(foreign.status).toBe(404);
  expect((await made.client.call(keepits, { sessionId: 'one' })).json).toEqual(json);
});

test('internal errors are written to the log, and not shown to clients', async () => {
  const route = ROUTES.find((it) => nameOf(it) === 'post /api/memory/verify');
  if (!route) throw new Error('no route');
  const { run } = route;
  const inner = new Error('inner /home/ada/secret.ts');
  route.run = async () => {
    throw inner;
  };
  try {
    for (const headers of [{}, { prefer: 'respond-async' }]) {
      const { status, text } = await made.client.call('post /api/memory/verify', {}, { body: {}, headers });
      expect(text).not.toContain('secret');
      if (status === 202) continue;
      expect(status).toBe(500);
      expect(made.client.failures.splice(0)).toEqual([inner]);
    }
    await new Promise((resolve) => setImmediate(resolve));
    expect(made.client.failures.splice(0)).toEqual([inner]);
    const jobs = await made.client.call('get /api/memory/jobs');
    expect(jobs.json.items[0]).toMatchObject({
      kind: 'verify',
      state: 'failed',
      error: { code: 'internal' },
    });
    expect(jobs.text).not.toContain('secret');
  } finally {
    route.run = run;
  }
});

test('hostile values in the fields of a body break nothing and reveal nothing', async () => {
  const tricks = [
    '../../../etc/passwd',
    '..%2f..%2fetc',
    'a\u0000b',
    '__proto__',
    '/etc/passwd',
    'x'.repeat(10_000),
  ];
  const words = new Set([
    'content',
    'text',
    'secret',
    'reason',
    'note',
    'q',
    'query',
    'name',
    'as',
    'value',
    'displayName',
    'data',
  ]);
  let sent = 0;
  for (const [name, params, body] of samples) {
    if (typeof body !== 'object' || body === null) continue;
    for (const [field, value] of Object.entries(body)) {
      if (typeof value !== 'string' || words.has(field)) continue;
      for (const trick of tricks) {
        // A name that the user gives: what is made of it has no way out of its folder.
        const named = (field === 'cwd' && trick === '/etc/passwd') || /import$/.test(name);
        const answer = await made.client.call(name, params, { body: { ...body, [field]: trick } });
        expect(
          named ? [201, 400, 404, 422] : [400, 404, 409, 413, 422],
          `${name} ${field} ${trick.slice(0, 20)} ${answer.text.slice(0, 200)}`,
        ).toContain(answer.status);
        if (answer.status >= 400)
          expect(answer.text).not.toMatch(/root:|node_modules|\bat \S+ \(|keepsake-world-/);
        expect(answer.text).not.toMatch(/"projectId":"[^"]*(\/|\.\.)/);
        sent++;
      }
    }
  }
  expect(made.client.failures).toEqual([]);
  expect(sent).toBeGreaterThan(60);
});

test('a server that ends disconnects its clients, waits for nobody, and leaves the record of another server alone', async () => {
  const start = (): Promise<Serving> =>
    serve({
      world: made.world,
      version: '0.0.0',
      site: () => new Response('page'),
      port: 0,
      failed: () => undefined,
    });
  const serving = await start();
  const { job } = serving.jobs.start(
    { kind: 'k', subject: 's' },
    ({ signal }) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped')))),
  );
  const base = `http://127.0.0.1:${serving.record.port}`;
  const headers = { authorization: `Bearer ${serving.record.token}` };
  const stream = await fetch(`${base}/api/memory/jobs/${job.jobId}/events`, { headers });
  const reader = stream.body?.getReader();
  await reader?.read();
  const other = { ...serving.record, token: 'another' };
  await recordServer(made.world, other);
  await serving.close();
  await expect(fetch(base, { headers })).rejects.toThrow();
  const record = await made.world.archive.files.read(undefined, 'server.json');
  expect(record?.toString()).toContain('another');
  await forgetServer(made.world, other);
  expect(await made.world.archive.files.read(undefined, 'server.json')).toBeUndefined();
});
