import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LARGEST_BODY } from '../../src/entrypoints/http/guard.ts';
import { type Serving, serve } from '../../src/entrypoints/http/serve.ts';
import { siteAt } from '../../src/entrypoints/http/site.ts';
import { makeScenario, type Scenario } from '../made/http-scenario.ts';
import { builtCli, LAUNCHER, programEnv } from './built-cli.ts';
import { CliHome } from './cli-home.ts';

describe('a server', () => {
  let made: Scenario;
  let serving: Serving;
  const failures: unknown[] = [];
  beforeAll(async () => {
    made = await makeScenario();
    serving = await serve({
      world: made.world,
      version: '0.0.0',
      site: siteAt(join(made.world.places.home, 'no-page')),
      port: 0,
      failed: (error) => failures.push(error),
    });
  });
  afterAll(async () => {
    await serving.close();
    await made.world.remove();
    expect(failures).toEqual([]);
  });

  const base = () => `http://127.0.0.1:${serving.record.port}`;
  const get = async (path: string) => {
    const headers = { authorization: `Bearer ${serving.record.token}` };
    const response = await fetch(`${base()}${path}`, { headers });
    expect(await made.client.misfits('get', path, response.clone())).toEqual([]);
    return response;
  };
  const open = () => connect(serving.record.port, '127.0.0.1');
  const head = (line: string, ...more: string[]) =>
    [
      line,
      `Host: 127.0.0.1:${serving.record.port}`,
      `Authorization: Bearer ${serving.record.token}`,
      ...more,
    ].join('\r\n');

  /** Sends bytes as they are; gives all that comes back. */
  async function raw(text: string): Promise<string> {
    const socket = open();
    socket.write(text);
    let answer = '';
    for await (const part of socket) answer += part;
    return answer;
  }

  test.each([
    'GET /api/memory/../../../etc/passwd HTTP/1.1',
    'GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1',
    'GET /..%2f..%2fetc%2fpasswd.json HTTP/1.1',
    'GET //etc/passwd HTTP/1.1',
    'GET /assets/..%5c..%5cpackage.json HTTP/1.1',
    'GET http://evil.example/api/memory/projects HTTP/1.1',
  ])('gives nothing but its own for %s', async (line) => {
    const answer = await raw(`${head(line, 'Connection: close')}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 (200|400|403|404)/);
    expect(answer).not.toMatch(/root:|"devDependencies"/);
  });

  test.each([
    '\u0000\u0001garbage\r\n\r\n',
    'GET / HTTP/1.1\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n',
  ])('turns %j away and goes on', async (text) => {
    expect(await raw(text)).toMatch(/^HTTP\/1\.1 4\d\d/);
    expect((await get('/api/memory/projects')).status).toBe(200);
  });

  test.each([
    'http://evil.example',
    'http://evil.example:80',
    'https://127.0.0.1',
    'http://127.0.0.1@evil.example',
  ])('a request line that names %s gets no answer but a refusal', async (address) => {
    const answer = await raw(
      `${head(`GET ${address}/api/memory/projects HTTP/1.1`, 'Connection: close')}\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 403/);
    expect(answer).not.toContain('projectId');
  });

  test('a stranger who keeps sending is cut off at the maximum size of a body', async () => {
    const socket = open();
    let answer = '';
    socket.on('data', (part) => {
      answer += part;
    });
    const closed = new Promise<void>((resolve) => {
      socket.on('error', () => undefined);
      socket.on('close', () => resolve());
    });
    const lines = [
      'POST /api/memory/verify HTTP/1.1',
      `Host: 127.0.0.1:${serving.record.port}`,
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
    ];
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    const piece = `10000\r\n${'a'.repeat(0x10000)}\r\n`;
    // The last piece would be the 400th: whoever reads on takes all of them.
    let sent = 0;
    for (; sent < 400 && !socket.destroyed; sent++)
      await Promise.race([new Promise((resolve) => socket.write(piece, resolve)), closed]);
    await closed;
    expect(answer).toMatch(/^HTTP\/1\.1 401/);
    // Its limit, and what the sockets of both sides hold.
    expect(sent * 0x10000).toBeLessThan(16 * LARGEST_BODY);
    expect((await get('/api/memory/projects')).status).toBe(200);
  });

  test('slow clients delay only themselves', async () => {
    const slow: Socket[] = Array.from({ length: 50 }, () => {
      const socket = open();
      socket.on('error', () => undefined);
      socket.write(
        `${head('POST /api/memory/verify HTTP/1.1', 'Content-Type: application/json', 'Content-Length: 9')}\r\n\r\n{`,
      );
      return socket;
    });
    const answers = await Promise.all(Array.from({ length: 50 }, () => get('/api/memory/projects')));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    for (const socket of slow) socket.destroy();
  });

  test('a client that leaves in the middle leaves nothing half-done', async () => {
    const body = JSON.stringify({ ratio: 6 });
    const socket = open();
    socket.on('error', () => undefined);
    const lines = head(
      'POST /api/memory/sessions/one/versions HTTP/1.1',
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    );
    // What is held here can't be stored meanwhile, so the client surely leaves in the middle.
    await made.world.archive.exclusive(async () => {
      await new Promise((resolve) => socket.write(`${lines}\r\n\r\n${body}`, resolve));
      await until(async () =>
        JSON.stringify(await (await get('/api/memory/jobs')).json()).includes('compress'),
      );
      socket.destroy();
    });
    await until(async () => {
      const { items } = (await (await get('/api/memory/jobs')).json()) as { items: { state: string }[] };
      return items.every(({ state }) => state === 'done');
    });
    const versions = JSON.stringify(await (await get('/api/memory/sessions/one/versions')).json());
    expect(versions).toContain('"compactionRatio":6');
  });

  test('it cannot be reached from outside', async () => {
    const outside = Object.values(networkInterfaces())
      .flat()
      .find((it) => it?.family === 'IPv4' && !it.internal)?.address;
    if (outside === undefined) return;
    const refused = await new Promise<boolean>((resolve) => {
      const socket = connect(serving.record.port, outside);
      socket.once('connect', () => resolve(false)).once('error', () => resolve(true));
      socket.setTimeout(2000, () => resolve(true));
    });
    expect(refused).toBe(true);
  });
});

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 25));
}

type ServerInfo = { url: string; port: number; token: string; pid: number; running: boolean };

async function firstLine({ stdout }: ChildProcess): Promise<ServerInfo> {
  let out = '';
  for await (const text of stdout ?? []) {
    out += text;
    if (out.includes('\n')) break;
  }
  return JSON.parse(out);
}

/** Runs a command at a terminal of its own. */
const SCRIPT = '/usr/bin/script';

describe('keepsake serve', () => {
  let home: CliHome;
  let child: ChildProcess;
  let info: ServerInfo;
  let errors = '';
  const taken = createServer();
  const start = (port: string) =>
    spawn(process.execPath, [LAUNCHER, 'serve', '--json', '--port', port], {
      env: programEnv(home.path),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  beforeAll(async () => {
    const remove = builtCli();
    home = new CliHome();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const port = String((taken.address() as AddressInfo).port);
    child = start(port);
    child.stderr?.on('data', (text) => {
      errors += text;
    });
    info = await firstLine(child);
    return () => {
      child.kill('SIGKILL');
      taken.close();
      home.remove();
      remove();
    };
  });

  test('uses a free port if the requested one is in use, and only its owner can read its token', async () => {
    expect(info.port).not.toBe((taken.address() as AddressInfo).port);
    const file = join(home.archive, 'cache', 'server.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(info.token).toMatch(/^[\w-]{43}$/);
    const page = await fetch(info.url, { redirect: 'manual' });
    expect([page.status, page.headers.get('location')]).toEqual([
      303,
      expect.stringMatching(/^\/#key=[\w-]{43}$/),
    ]);
  });

  test('a second start finds the first server; Ctrl-C ends it, and nothing is left behind', async () => {
    const again = home.json('serve');
    expect(again).toMatchObject({ url: info.url, running: true });
    expect(home.ok('ui', '--no-open')).toContain(info.url);
    const ended = new Promise((resolve) => child.once('exit', (code) => resolve(code)));
    child.kill('SIGINT');
    expect(await ended).toBe(0);
    expect(existsSync(join(home.archive, 'cache', 'server.json'))).toBe(false);
    expect(errors).toContain('Stopped.');
    await expect(fetch(info.url)).rejects.toThrow();
  });

  test('of several starts at once, one serves and the others find it', async () => {
    const children = [1, 2, 3].map(() => start('0'));
    try {
      const answers = await Promise.all(children.map(firstLine));
      expect(answers.filter(({ running }) => !running)).toHaveLength(1);
      expect(new Set(answers.map(({ url }) => url)).size).toBe(1);
    } finally {
      for (const one of children) one.kill('SIGKILL');
    }
    // What was killed left its record: nobody answers there, and a new one serves.
    const next = start('0');
    expect(await firstLine(next)).toMatchObject({ running: false });
    next.kill('SIGKILL');
  });

  test.skipIf(!existsSync(SCRIPT))('a person at a terminal gets the page with the bare command', async () => {
    const own = new CliHome();
    const command = `"${process.execPath}" "${LAUNCHER}" --sample --no-open`;
    const terminal = spawn(SCRIPT, ['-qec', command, '/dev/null'], {
      env: { PATH: process.env.PATH, HOME: own.path, TZ: 'UTC', SHELL: '/bin/sh' },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    let shown = '';
    for await (const text of terminal.stdout) {
      const before = shown;
      shown += text;
      // Ctrl-C, once.
      if (shown.includes('all commands') && !before.includes('all commands')) terminal.stdin.write('\u0003');
    }
    expect(shown).toMatch(
      /Keepsake is at http:\/\/127\.0\.0\.1:\d+\/\?token=[\s\S]*What next[\s\S]*Stopped\./,
    );
    const listed = spawnSync(SCRIPT, ['-qec', `"${process.execPath}" "${LAUNCHER}" --list`, '/dev/null'], {
      env: { PATH: process.env.PATH, HOME: own.path, TZ: 'UTC', SHELL: '/bin/sh' },
      encoding: 'utf8',
    });
    expect(listed.stdout).toContain('What next');
    expect(listed.stdout).not.toContain('http://');
    // Whoever reads a pipe gets the list, and an end.
    expect(own.ok('--sample', '--no-open')).not.toContain('http://');
    own.remove();
  });
});
