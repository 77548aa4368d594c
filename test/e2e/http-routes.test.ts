import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JobName } from '../../src/app/jobs.ts';
import { nameOf, ROUTES } from '../made/http-client.ts';
import { makeScenario, type Sample, type Scenario, samplesOf } from '../made/http-scenario.ts';

let made: Scenario;
let samples: Sample[];
beforeAll(async () => {
  made = await makeScenario();
  samples = await samplesOf(made);
});
afterAll(() => made.world.remove());

/** What long work said that it is, in the order it began. */
const begun: JobName[] = [];

test('every route gives one good answer, as documented', async () => {
  const { jobs } = made.client;
  const start = jobs.start.bind(jobs);
  jobs.start = (name, ...rest) => {
    begun.push(name);
    return start(name, ...rest);
  };
  for (const [name, params, body] of samples) {
    const { status, text } = await made.client.call(name, params, body === undefined ? {} : { body });
    expect(status, `${name} ${text.slice(0, 300)}`).toBeLessThan(300);
  }
  expect(made.client.failures).toEqual([]);
  expect(ROUTES.map(nameOf).filter((name) => !made.client.answered.has(name))).toEqual([]);
});

test('long work says what it does, and to what', () => {
  const names = begun.map(({ kind, subject }) => `${kind}: ${subject}`);
  const plain = names.map((text) =>
    text
      .replace(made.project, 'SHOP')
      .replace(made.other, 'BAKERY')
      .replace(/\/.*\/keepsake-world-\w+/, 'HOME'),
  );
  expect([...new Set(plain)].sort()).toMatchInlineSnapshot(`
    [
      "check memory: SHOP",
      "compose: again",
      "compose: fresh",
      "compose: here",
      "compress: SHOP/one",
      "compress: SHOP/two",
      "decay: SHOP",
      "dedupe: SHOP",
      "export: HOME/shop.keepsake.gz",
      "finish memory: SHOP",
      "import: HOME/chat.jsonl",
      "import: HOME/shop.keepsake.gz",
      "migrate memory: SHOP",
      "model for exchanges, archives: SHOP",
      "plan purge: a text",
      "preview remote: home",
      "prune: SHOP/one",
      "put archives away: SHOP",
      "refine: SHOP",
      "register: 2 sessions",
      "register: SHOP/one",
      "register: SHOP/two",
      "register: all sessions",
      "replay: all projects",
      "resume: basket",
      "rotate memory: SHOP",
      "summarize archives: SHOP",
      "summarize: SHOP/one",
      "sync remote: home",
      "sync: SHOP/one",
      "sync: all sessions",
      "sync: the sample",
      "synthesize: SHOP",
      "undo decay: SHOP",
      "unregister: BAKERY/twin",
      "unregister: SHOP/two",
      "unregister: the sample",
      "verify: one",
    ]
  `);
});

test('the document is OpenAPI 3.1 by its official schema, and every schema in it is JSON Schema 2020-12', async () => {
  const document = await made.client.document();
  const validator = new Validator();
  expect(await validator.validate(structuredClone(document))).toEqual({ valid: true });
  expect(validator.version).toBe('3.1');
  const broken = { ...structuredClone(document), paths: { 'no-slash': { get: { responses: [] } } } };
  expect((await validator.validate(broken)).valid).toBe(false);
  const schemas = await made.client.schemas();
  const places = placesOfSchemas(document.paths, ['paths']);
  for (const name of Object.keys(document.components.schemas))
    schemas.compile(['components', 'schemas', name]);
  for (const place of places) schemas.compile(place);
  expect(places.length).toBeGreaterThan(ROUTES.length);
});

/** Each schema once, however often it stands there. */
function placesOfSchemas(value: unknown, at: string[], seen = new Set<string>()): string[][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => {
    if (key !== 'schema') return placesOfSchemas(item, [...at, key], seen);
    const text = JSON.stringify(item);
    if (seen.has(text)) return [];
    seen.add(text);
    return [[...at, key]];
  });
}

test('an undocumented answer is detected', async () => {
  const { client } = made;
  const json = (status: number, body: unknown, headers = {}) =>
    new Response(JSON.stringify(body), {
      status,
      headers: { 'content-type': 'application/json', ...headers },
    });
  const problem = (status: number, body: unknown) =>
    json(status, body, { 'content-type': 'application/problem+json' });
  const [path, empty] = ['/api/memory/projects', { items: [], next: null, total: 0 }];
  const of = (response: Response) => client.misfits('get', path, response);
  expect(await of(json(200, empty, { etag: '"x"' }))).toEqual([]);
  expect(await of(json(200, empty))).toEqual(['no ETag']);
  expect(await of(json(200, { ...empty, more: 1 }, { etag: '"x"' }))).not.toEqual([]);
  expect(await of(json(200, { items: [] }, { etag: '"x"' }))).not.toEqual([]);
  expect(await of(json(201, empty))).toEqual(['201 is not documented']);
  expect(await of(json(418, empty))).toEqual(['418 is not documented']);
  expect(
    await of(new Response('<p>', { headers: { 'content-type': 'text/html', etag: '"x"' } })),
  ).not.toEqual([]);
  expect(await of(new Response(null, { status: 304, headers: { etag: '"x"' } }))).toEqual([]);
  const fault = {
    type: 'urn:keepsake:fault:busy',
    title: 'Busy',
    detail: 'Later.',
    code: 'busy',
    status: 503,
  };
  expect(await of(problem(503, fault))).toEqual([]);
  expect(await of(problem(500, fault))).toEqual(['500 for busy']);
  expect(await of(problem(503, { ...fault, trace: 'x' }))).not.toEqual([]);
});

test('the document names every route once, with the parameters of its path', async () => {
  const document = await made.client.document();
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
  );
  expect(operations.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(ROUTES.map(nameOf).sort());
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  for (const { path, parameters } of operations) {
    const inPath = parameters.filter((it) => it.in === 'path');
    expect(inPath.map(({ name }) => `{${name}}`)).toEqual(path.match(/\{\w+\}/g) ?? []);
  }
});

test('the reference is a page without scripts or external content', async () => {
  const page = await (await made.client.send('get', '/api/docs')).text();
  expect(page).toContain('/api/memory/projects/{projectId}');
  expect(page).not.toMatch(/<script|https?:\/\/|style="/);
});
