import { afterAll, beforeAll, expect, test } from 'vitest';
import { nameOf, ROUTES } from '../made/http-client.ts';
import { makeScenario, type Sample, type Scenario, samplesOf } from '../made/http-scenario.ts';
import { danglingRefs } from '../made/json-schema.ts';

let made: Scenario;
let samples: Sample[];
beforeAll(async () => {
  made = await makeScenario();
  samples = await samplesOf(made);
});
afterAll(() => made.world.remove());

test('every route is answered well once, as the document says', async () => {
  for (const [name, params, body] of samples) {
    const { status, text } = await made.client.call(name, params, body === undefined ? {} : { body });
    expect(status, `${name} ${text.slice(0, 300)}`).toBeLessThan(300);
  }
  expect(made.client.failures).toEqual([]);
  expect(ROUTES.map(nameOf).filter((name) => !made.client.answered.has(name))).toEqual([]);
});

test('the document names every route once, with parameters that stand in its path, and points at nothing that is missing', async () => {
  const document = await made.client.document();
  expect(document.openapi).toBe('3.1.0');
  expect(danglingRefs(document, document as never)).toEqual([]);
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

test('the reference is a page without scripts or anything from elsewhere', async () => {
  const page = await (await made.client.send('get', '/api/docs')).text();
  expect(page).toContain('/api/memory/projects/{projectId}');
  expect(page).not.toMatch(/<script|https?:\/\/|style="/);
});
