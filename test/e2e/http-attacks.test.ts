import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FAULTS } from '../../src/core/model/fault.ts';
import { cookieName, type Gate } from '../../src/entrypoints/http/gate.ts';
import { LARGEST_BODY } from '../../src/entrypoints/http/guard.ts';
import { KEY_HEADER } from '../../src/entrypoints/http/page-key.ts';
import { nameOf, ROUTES, type Sent } from '../made/http-client.ts';
import { makeScenario, type Sample, type Scenario, samplesOf } from '../made/http-scenario.ts';

let made: Scenario;
let samples: Map<string, Sample>;
let before: string;
beforeAll(async () => {
  made = await makeScenario();
  samples = new Map((await samplesOf(made)).map((sample) => [sample[0], sample]));
  before = await standing();
});
afterAll(async () => {
  // Nothing of all this changed anything, and nothing was unforeseen.
  expect(made.client.failures).toEqual([]);
  expect(await standing()).toBe(before);
  await made.world.remove();
});

async function standing(): Promise<string> {
  const { archive } = made.world;
  const heads = await Promise.all((await archive.projects()).map((id) => archive.head(id)));
  return JSON.stringify(heads.map((head) => [head?.projectId, head?.gen]));
}

const SECRET = /node_modules|\bat \S+ \(|\.ts:\d+|keepsake-world-/;

async function refused(response: Response, what: string, statuses: number[]): Promise<void> {
  const text = await response.text();
  expect(statuses, `${what}: ${response.status} ${text.slice(0, 200)}`).toContain(response.status);
  expect(response.headers.get('content-type'), what).toBe('application/problem+json');
  const { token, cookie, key } = made.client.gate;
  expect(
    [token, cookie, key].some((secret) => text.includes(secret)),
    what,
  ).toBe(false);
  expect(text, what).not.toMatch(SECRET);
  expect(text.length, what).toBeLessThan(4000);
  expect(response.headers.get('access-control-allow-origin'), what).toBeNull();
  expect(response.headers.get('content-security-policy'), what).toContain("default-src 'none'");
}

/** The path of a route with its sample's parameters, some of them replaced. */
function pathOf(
  name: string,
  replaced: Record<string, string> = {},
  query: Record<string, string> = {},
): string {
  const [, params = {}] = samples.get(name) ?? [];
  const rest = new URLSearchParams(query);
  let path = name.replace(/^\w+ /, '');
  for (const [key, value] of Object.entries(params)) {
    if (path.includes(`{${key}}`))
      path = path.replace(`{${key}}`, replaced[key] ?? encodeURIComponent(value));
    else if (!rest.has(key)) rest.set(key, value);
  }
  return rest.size > 0 ? `${path}?${rest}` : path;
}

type Headers = NonNullable<Sent['headers']>;
const STRANGERS: [what: string, headers: Headers | ((gate: Gate) => Headers), status: number][] = [
  ['no token', { authorization: null }, 401],
  ['a wrong token', { authorization: `Bearer ${'A'.repeat(43)}` }, 401],
  ['an empty token', { authorization: 'Bearer ' }, 401],
  ['another scheme', { authorization: 'Basic a2V5OmtleQ==' }, 401],
  ['a wrong cookie', { authorization: null, cookie: 'keepsake-4737=AAAA; keepsake-4738=B' }, 401],
  [
    'the cookie alone',
    (gate) => ({ authorization: null, cookie: `${cookieName(gate)}=${gate.cookie}` }),
    401,
  ],
  ['the key alone', (gate) => ({ authorization: null, [KEY_HEADER]: gate.key }), 401],
  ['a foreign host', { host: 'evil.example' }, 403],
  ['a rebound host', { host: 'evil.example:4737' }, 403],
  ['another port', { host: '127.0.0.1:4738' }, 403],
  ['no port', { host: '127.0.0.1' }, 403],
  ['a host that begins well', { host: '127.0.0.1:4737.evil.example' }, 403],
  ['no host', { host: null }, 403],
  ['a foreign origin', { origin: 'https://evil.example' }, 403],
  ['an origin of another port', { origin: 'http://127.0.0.1:8080' }, 403],
  ['an origin that begins well', { origin: 'http://127.0.0.1:4737.evil.example' }, 403],
  ['a secure origin', { origin: 'https://127.0.0.1:4737' }, 403],
  ['no origin at all', { origin: 'null' }, 403],
  ['cross-site', { 'sec-fetch-site': 'cross-site' }, 403],
  ['same-site', { 'sec-fetch-site': 'same-site' }, 403],
];

describe('every route', () => {
  test.each(STRANGERS)('refuses %s', async (what, headers, status) => {
    for (const { method, path } of ROUTES) {
      const name = nameOf({ method, path });
      const body = samples.get(name)?.[2];
      const response = await made.client.send(method, pathOf(name), {
        ...(body === undefined ? {} : { body }),
        headers: typeof headers === 'function' ? headers(made.client.gate) : headers,
      });
      await refused(response, `${what}: ${name}`, [status]);
    }
  });

  test('that accepts a body refuses one that is not JSON, too large, or of the wrong form', async () => {
    const large = JSON.stringify({ text: 'x'.repeat(LARGEST_BODY) });
    const stream = () =>
      new ReadableStream<Uint8Array>({
        pull(controller) {
          controller.enqueue(new Uint8Array(256 * 1024).fill(120));
        },
      });
    const bodies = (): [what: string, sent: Sent, statuses: number[]][] => [
      ['plain text', { raw: '{}', headers: { 'content-type': 'text/plain' } }, [415]],
      ['a form', { raw: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' } }, [415]],
      ['an upload', { raw: 'x', headers: { 'content-type': 'multipart/form-data; boundary=x' } }, [415]],
      ['no type', { raw: '{}', headers: { 'content-type': '' } }, [415]],
      ['JSON and more', { raw: '{}', headers: { 'content-type': 'application/json-seq' } }, [415]],
      ['a body over the limit', { raw: large, headers: { 'content-length': String(large.length) } }, [413]],
      ['a body that says it is short', { raw: large, headers: { 'content-length': '2' } }, [413]],
      ['a body without end', { raw: stream() }, [413]],
      ['bad JSON', { raw: '{"a":' }, [400]],
      ['bad UTF-8', { raw: new Uint8Array([0x22, 0xff, 0xfe, 0x22]) }, [400]],
      ['a list', { raw: '[]' }, [400]],
      ['nothing', { raw: 'null' }, [400]],
      ['a prototype', { raw: '{"__proto__": {"force": true}}' }, [400]],
      ['a field that nobody knows', { raw: '{"nobody": 1}' }, [400]],
      ['a deep nest', { raw: `${'['.repeat(5000)}${']'.repeat(5000)}` }, [400]],
    ];
    for (const route of ROUTES.filter(({ method }) => method !== 'get')) {
      const name = nameOf(route);
      for (const [what, sent, statuses] of bodies()) {
        await refused(await made.client.send(route.method, pathOf(name), sent), `${what}: ${name}`, statuses);
      }
    }
  });

  const TRICKS: [what: string, text: string][] = [
    ['climbs, encoded', '..%2f..%2fetc%2fpasswd'],
    ['climbs, encoded twice', '%252e%252e%252f'],
    ['climbs, backwards', '..%5c..%5cwindows'],
    ['a hidden climb', '%2e%2e%2f'],
    ['a NUL', 'one%00.jsonl'],
    ['a line break', 'one%0d%0aset-cookie:%20a=b'],
    ['a prototype', '__proto__'],
    ['a constructor', 'constructor'],
    ['very long', 'a'.repeat(10_000)],
    ['bad percent signs', '%ff%fe'],
    ['turned letters', '%E2%80%AEone'],
    ['markup', '%3Cscript%3Ealert(1)%3C%2Fscript%3E'],
  ];

  test('resists hostile values of a parameter', async () => {
    for (const route of ROUTES) {
      const name = nameOf(route);
      const body = samples.get(name)?.[2];
      const sent = body === undefined ? {} : { body };
      for (const [, param = ''] of route.path.matchAll(/\{(\w+)\}/g))
        for (const [what, trick] of TRICKS)
          await refused(
            await made.client.send(route.method, pathOf(name, { [param]: trick }), sent),
            `${what} as ${param}: ${name}`,
            [400, 404],
          );
    }
  });

  test('resists hostile values of a query', async () => {
    const queries: Record<string, string>[] = [
      { project: '__proto__' },
      { project: '../../etc' },
      { project: 'a\u0000b' },
      { project: 'a'.repeat(10_000) },
      { __proto__x: '1' },
      { nobody: '1' },
      { limit: '-1' },
      { limit: '1e9' },
      { after: '../../x' },
    ];
    for (const route of ROUTES) {
      const name = nameOf(route);
      const body = samples.get(name)?.[2];
      for (const query of queries)
        await refused(
          await made.client.send(route.method, pathOf(name, {}, query), body === undefined ? {} : { body }),
          `${JSON.stringify(query).slice(0, 40)}: ${name}`,
          [400, 404],
        );
    }
  });
});

describe('access', () => {
  const places = [
    '/',
    '/index.html',
    '/assets/app.js',
    '/api/docs',
    '/api/openapi.json',
    '/api/docs.css',
    '/nothing',
  ];

  test.each(places)('%s also needs the token', async (path) => {
    expect((await made.client.send('get', path, { headers: { authorization: null } })).status).toBe(401);
    for (const headers of [{ host: 'evil.example' }, { 'sec-fetch-site': 'cross-site' }])
      expect((await made.client.send('get', path, { headers })).status).toBe(403);
    expect((await made.client.send('get', path)).status).toBeLessThan(405);
  });

  test('exchanges the token in the address for a cookie that scripts cannot read and a key that other ports cannot', async () => {
    const { gate } = made.client;
    const headers = { authorization: null, 'sec-fetch-site': 'none' };
    const first = await made.client.send('get', `/sessions/one?token=${gate.token}&view=l1`, { headers });
    expect(first.status).toBe(303);
    expect(first.headers.get('location')).toBe(`/sessions/one?view=l1#key=${gate.key}`);
    const cookie = first.headers.get('set-cookie') ?? '';
    expect(cookie).toBe(`${cookieName(gate)}=${gate.cookie}; Path=/; HttpOnly; SameSite=Strict`);
    expect(cookie).not.toContain(gate.token);
    expect(cookie).not.toContain(gate.key);
    const pair = cookie.split(';')[0] ?? '';
    const page = { authorization: null, cookie: `theme=dark; ${pair}`, 'sec-fetch-site': 'same-origin' };
    const status = async (path: string, headers: Record<string, string | null>) =>
      (await made.client.send('get', path, { headers })).status;
    expect(await status('/api/memory/jobs', { ...page, [KEY_HEADER]: gate.key })).toBe(200);
    for (const key of [{}, { [KEY_HEADER]: gate.cookie }, { [KEY_HEADER]: '' }])
      expect(await status('/api/memory/jobs', { ...page, ...key })).toBe(401);
    expect(await status('/api/memory/jobs', { authorization: null, [KEY_HEADER]: gate.key })).toBe(401);
    for (const path of [
      '/%61pi/memory/jobs',
      '/ap%69/memory/jobs',
      '/api%2Fmemory/jobs',
      '//api/memory/jobs',
      '/api/./memory/jobs',
    ])
      expect(
        (await made.client.send('get', path, { headers: page })).headers.get('content-type'),
        path,
      ).not.toBe('application/json');
    const ticket = { body: {}, headers: page };
    for (const path of ['/%61pi/tickets', '/api/ticket%73'])
      expect((await made.client.send('post', path, ticket)).status, path).toBeGreaterThanOrEqual(400);
    for (const path of ['/', '/api/docs', '/api/docs.css', '/api/openapi.json'])
      expect(await status(path, page), path).toBe(200);
    const foreign = { ...page, [KEY_HEADER]: gate.key, origin: 'https://evil.example' };
    expect((await made.client.send('post', '/api/memory/sync', { body: {}, headers: foreign })).status).toBe(
      403,
    );
  });

  test('a wrong token, an API token in the address, and a token from another page give nothing', async () => {
    const { gate } = made.client;
    const headers = { authorization: null };
    for (const path of [`/?token=${'A'.repeat(43)}`, '/?token=', `/api/memory/jobs?token=${gate.token}`]) {
      const response = await made.client.send('get', path, { headers });
      expect(response.status, path).toBe(401);
      expect(response.headers.get('set-cookie')).toBeNull();
    }
    const away = await made.client.send('get', `//evil.example/?token=${gate.token}`, { headers });
    expect(away.headers.get('location')).toMatch(/^\/[^/\\]/);
  });

  test('a ticket opens the page once', async () => {
    const { gate } = made.client;
    const headers = { authorization: null };
    const response = await made.client.send('post', '/api/tickets', { body: {} });
    const { ticket } = (await response.json()) as { ticket: string };
    expect((await made.client.send('get', `/?token=${ticket}`, { headers })).status).toBe(303);
    expect((await made.client.send('get', `/?token=${ticket}`, { headers })).status).toBe(401);
    expect(
      (
        await made.client.send('get', '/api/memory/jobs', {
          headers: { authorization: `Bearer ${gate.ticket()}` },
        })
      ).status,
    ).toBe(401);
  });

  test.each(['OPTIONS', 'TRACE2', 'PROPFIND'])('%s is not supported on any path', async (method) => {
    expect((await made.client.send(method, '/api/memory/projects')).status).toBe(403);
  });

  test('every code of the table has its status, and an unexpected error reveals nothing', async () => {
    const { problemOf } = await import('../../src/entrypoints/http/problem.ts');
    const { Fault } = await import('../../src/core/model/fault.ts');
    for (const code of Object.keys(FAULTS) as (keyof typeof FAULTS)[])
      expect(problemOf(new Fault(code, 'x', { choices: [] })).status).toBe(FAULTS[code].http);
    expect(JSON.stringify(problemOf(new Fault('internal', 'at /home/ada/x.ts:3')))).not.toContain('ada');
  });
});
