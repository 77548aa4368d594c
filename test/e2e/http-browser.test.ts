import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { KEY_HEADER } from '../../src/entrypoints/http/page-key.ts';
import { type Serving, serve } from '../../src/entrypoints/http/serve.ts';
import { addressOf } from '../../src/entrypoints/http/server-record.ts';
import { siteAt } from '../../src/entrypoints/http/site.ts';
import { browserPath, openBrowser, PAGE_PATIENCE_MS } from '../made/browser.ts';
import { makeScenario, type Scenario } from '../made/http-scenario.ts';

const path = browserPath();

/** What a hostile page tries, and tells of; `TARGET` is the server's address. */
const ATTACK = `<!doctype html><meta charset="utf-8"><title>evil</title><script>
const target = 'TARGET';
const told = [];
const tell = (what) => (result) => told.push(what + ': ' + result);
async function read(what, options, path = '/api/memory/projects') {
  await fetch(target + path, options).then(async (response) => {
    const text = await response.text();
    tell(what)(response.type === 'opaque' ? 'opaque' : response.status + ' ' + text.slice(0, 50));
  }, () => tell(what)('refused'));
}
function form(enctype, name, value) {
  const frame = document.createElement('iframe');
  frame.name = 'f' + Math.random();
  document.body.append(frame);
  const form = document.createElement('form');
  Object.assign(form, { method: 'post', enctype, action: target + '/api/memory/sync', target: frame.name });
  const input = document.createElement('input');
  Object.assign(input, { name, value });
  form.append(input);
  document.body.append(form);
  return new Promise((resolve) => { frame.onload = () => resolve(); form.submit(); setTimeout(resolve, 1500); });
}
function load(tag, property, path) {
  return new Promise((resolve) => {
    const element = document.createElement(tag);
    element.onload = () => { tell(tag)('loaded'); resolve(); };
    element.onerror = () => { tell(tag)('refused'); resolve(); };
    element[property] = target + path;
    document.body.append(element);
    setTimeout(resolve, 1500);
  });
}
window.done = (async () => {
  await new Promise((resolve) => (document.readyState === 'loading' ? addEventListener('DOMContentLoaded', resolve) : resolve()));
  await read('get', { credentials: 'include' });
  await read('get blind', { credentials: 'include', mode: 'no-cors' });
  const json = { 'content-type': 'application/json' };
  await read('post', { method: 'POST', credentials: 'include', headers: json, body: '{}' }, '/api/memory/sync');
  await read('post blind', { method: 'POST', credentials: 'include', mode: 'no-cors', body: '{}' }, '/api/memory/sync');
  await read('delete', { method: 'DELETE', credentials: 'include' }, '/api/memory/sessions/one');
  await form('text/plain', '{"from":["/tmp"],"x":"', '"}');
  await form('application/x-www-form-urlencoded', 'a', 'b');
  await load('script', 'src', '/api/memory/projects');
  await load('img', 'src', '/favicon.ico');
  return told;
})();
</script>`;

describe.skipIf(path === undefined)('a browser (skipped where there is no Chromium)', () => {
  let made: Scenario;
  let serving: Serving;
  let browser: Browser;
  let context: BrowserContext;
  let evil: Server;
  const cookies: (string | undefined)[] = [];
  beforeAll(async () => {
    made = await makeScenario();
    serving = await serve({
      world: made.world,
      version: '0.0.0',
      site: siteAt(join(made.world.places.home, 'no-page')),
      port: 0,
      failed: () => undefined,
    });
    evil = createServer((request, response) => {
      cookies.push(request.headers.cookie);
      response.setHeader('content-type', 'text/html').end(ATTACK.replace('TARGET', base()));
    });
    await new Promise<void>((resolve) => evil.listen(0, '127.0.0.1', resolve));
    browser = await openBrowser(path ?? '', ['evil.example', 'rebound.example']);
    context = await browser.newContext();
    context.setDefaultTimeout(PAGE_PATIENCE_MS);
  });
  afterAll(async () => {
    await browser?.close();
    evil?.close();
    await serving.close();
    await made.world.remove();
  });
  const base = () => `http://127.0.0.1:${serving.record.port}`;

  test('exchanges the token for a cookie and removes it from the address bar and the history', async () => {
    const page = await context.newPage();
    await page.goto(addressOf(serving.record));
    expect(page.url()).toBe(`${base()}/#key=${serving.gate.key}`);
    expect(await page.textContent('h1')).toBe('Keepsake');
    const [cookie] = await context.cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
    expect(await page.evaluate('document.cookie')).toBe('');
    await page.click('text=API reference');
    expect(await page.textContent('h1')).toContain('HTTP API');
    const inside = (headers: object) =>
      page.evaluate(
        `fetch('/api/memory/projects', { headers: ${JSON.stringify(headers)} }).then((it) => it.status)`,
      );
    expect(await inside({})).toBe(401);
    expect(await inside({ [KEY_HEADER]: serving.gate.key })).toBe(200);
    await page.close();
  });

  test('the cookie, which the browser gives to every port of the machine, does not open the API', async () => {
    const page = await context.newPage();
    await page.goto(`http://127.0.0.1:${(evil.address() as AddressInfo).port}/`);
    const cookie = cookies.at(-1) ?? '';
    expect(cookie).toContain(serving.gate.cookie);
    for (const path of ['/api/memory/projects', '/api/memory/jobs', '/api/memory/export?all=true'])
      expect((await fetch(base() + path, { headers: { cookie } })).status).toBe(401);
    await page.close();
  });

  test.each(['evil.example', '127.0.0.1'])(
    'a hostile page at %s gets nothing and changes nothing',
    async (host) => {
      const before = await standing();
      const page = await context.newPage();
      await page.goto(`http://${host}:${(evil.address() as AddressInfo).port}/`);
      const results = (await page.evaluate('window.done')) as string[];
      const well = results.filter((line) => !/: (refused|opaque)$/.test(line));
      expect(well, results.join('\n')).toEqual([]);
      expect(await standing()).toBe(before);
      expect(serving.jobs.list()).toEqual([]);
      await page.close();
    },
  );

  test('a host name that was rebound to this machine gets nothing, with or without the token', async () => {
    const page = await context.newPage();
    const { port, token } = serving.record;
    for (const address of [
      `http://rebound.example:${port}/`,
      `http://rebound.example:${port}/?token=${token}`,
    ]) {
      const response = await page.goto(address);
      expect(response?.status()).toBe(403);
    }
    const inside = await page.evaluate(`fetch('/api/memory/projects').then((it) => it.status)`);
    expect(inside).toBe(403);
    expect((await context.cookies(`http://rebound.example:${port}`)).length).toBe(0);
    await page.close();
  });

  test('the page cannot be framed, not even by this machine, and a link from elsewhere does not open it', async () => {
    const page = await context.newPage();
    await page.goto(`${base()}/api/docs`);
    const alone = await fetch(`${base()}/`, { headers: { authorization: `Bearer ${serving.record.token}` } });
    expect(alone.headers.get('x-frame-options')).toBe('DENY');
    expect(alone.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    await page.goto(`http://127.0.0.1:${(evil.address() as AddressInfo).port}/`);
    const framed = await page.evaluate(`new Promise((resolve) => {
      const frame = document.createElement('iframe');
      frame.onload = () => setTimeout(() => resolve(frame.contentWindow.length), 50);
      frame.src = ${JSON.stringify(base())};
      document.body.append(frame);
    })`);
    expect(framed).toBe(0);
    expect(page.frames().some((frame) => frame.url().startsWith(base()))).toBe(false);
    await page.goto(`http://evil.example:${(evil.address() as AddressInfo).port}/`);
    await page.evaluate(`location.href = ${JSON.stringify(base())} + '/api/memory/projects'`);
    await page.waitForURL(/projects/);
    expect(await page.textContent('body')).toContain('urn:keepsake:fault:forbidden');
    await page.close();
  });

  async function standing(): Promise<string> {
    const { archive } = made.world;
    const heads = await Promise.all((await archive.projects()).map((id) => archive.head(id)));
    return JSON.stringify(heads.map((head) => head?.gen));
  }
});
