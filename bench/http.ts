// Requests per second of the most used routes with 1,000 sessions, next to a bare hono route in the same run; and memory after an
// hour's worth of requests.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transcript } from '../test/made/conversation.ts';
import { isMain, mebibytes, percentile, table } from './bench-table.ts';

const SESSIONS = 1000;
const PROJECTS = 5;
const CLIENTS = 10;
/** An open page sends about one request per second. */
const AN_HOUR = 3600;

type Server = { child: ChildProcess; port: number; token: string };
type Measured = { perSecond: number; p50: number; p99: number };

export async function run(args: string[]): Promise<void> {
  const seconds = Number(args[0] ?? 3);
  const sessions = Number(args[1] ?? SESSIONS);
  const home = mkdtempSync(join(tmpdir(), 'keepsake-bench-'));
  const env = { ...process.env, HOME: home, CLAUDE_MEMORY_DIR: join(home, 'archive') };
  const main = join(import.meta.dirname, '..', 'src', 'main.ts');
  const servers: Server[] = [];
  try {
    makeSessions(join(home, '.claude', 'projects'), sessions);
    await ended(spawn(process.execPath, [main, 'sync'], { env, stdio: 'ignore' }));
    const bare = await start([join(import.meta.dirname, 'http-bare.ts')], env);
    servers.push(bare);
    const heap = ['--expose-gc', '--import', join(import.meta.dirname, 'http-heap.ts')];
    const real = await start([...heap, main, 'serve', '--json', '--port', '0'], env);
    servers.push(real);
    const routes: [name: string, server: Server, path: string][] = [
      ['bare hono', bare, '/'],
      ['jobs (guard alone)', real, '/api/memory/jobs'],
      ['projects', real, '/api/memory/projects'],
      ['sessions, a page of 50', real, '/api/memory/sessions?limit=50'],
      ['one session', real, '/api/memory/sessions/session-7'],
      ['its messages', real, '/api/memory/sessions/session-7/messages'],
      ['search', real, `/api/memory/search?q=${word(7, 1)}+${word(7, 2)}`],
    ];
    const measured = new Map<string, Measured>();
    for (const [name, server, path] of routes) {
      // The first search builds the index.
      await ask(server, path, agent);
      await measure(server, path, 0.5);
      measured.set(name, await measure(server, path, seconds));
    }
    const floor = measured.get('bare hono')?.perSecond ?? 1;
    table(
      ['route', 'requests/s', 'p50 ms', 'p99 ms', 'of bare'],
      [...measured].map(([name, { perSecond, p50, p99 }]) => [
        name,
        perSecond.toFixed(0),
        p50.toFixed(1),
        p99.toFixed(1),
        `${((100 * perSecond) / floor).toFixed(1)}%`,
      ]),
    );
    console.log(`\n${sessions} sessions in ${PROJECTS} projects, ${CLIENTS} clients, ${seconds} s each`);
    await memory(
      real,
      routes.slice(2).map(([, , path]) => path),
    );
  } finally {
    for (const { child } of servers) child.kill('SIGINT');
    await Promise.all(servers.map(({ child }) => ended(child)));
    rmSync(home, { recursive: true, force: true });
  }
}

async function memory(server: Server, paths: string[]): Promise<void> {
  const rows: string[][] = [];
  for (let done = 0; done <= 2 * AN_HOUR; done += AN_HOUR / 3) {
    const { alive, resident } = await memoryOf(server);
    rows.push([String(done), mebibytes(alive), mebibytes(resident)]);
    for (let asked = 0; asked < AN_HOUR / 3; asked += paths.length)
      await Promise.all(paths.map((path) => ask(server, path, agent)));
  }
  console.log('');
  table(['requests', 'live MiB', 'resident MiB'], rows);
}

const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });

/** Live heap after a garbage collection, and resident memory. */
async function memoryOf({ child }: Server): Promise<{ alive: number; resident: number }> {
  child.kill('SIGUSR2');
  for await (const text of child.stderr?.iterator({ destroyOnReturn: false }) ?? []) {
    const [json] = /\{.*\}/.exec(String(text)) ?? [];
    if (json !== undefined) return JSON.parse(json);
  }
  return { alive: 0, resident: 0 };
}

async function measure(server: Server, path: string, seconds: number): Promise<Measured> {
  const times: number[] = [];
  const from = performance.now();
  const until = from + 1000 * seconds;
  const client = async () => {
    while (performance.now() < until) {
      const begun = performance.now();
      await ask(server, path, agent);
      times.push(performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  const perSecond = (1000 * times.length) / (performance.now() - from);
  return { perSecond, p50: percentile(times, 50), p99: percentile(times, 99) };
}

function ask({ port, token }: Server, path: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` };
    get({ host: '127.0.0.1', port, path, agent, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${path}: ${response.statusCode}`));
      response.resume().once('end', resolve);
    }).once('error', reject);
  });
}

async function start(args: string[], env: NodeJS.ProcessEnv): Promise<Server> {
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  for await (const text of child.stdout.iterator({ destroyOnReturn: false })) {
    out += text;
    if (out.includes('\n')) break;
  }
  child.stdout.resume();
  return { child, ...JSON.parse(out) };
}

function ended(child: ChildProcess): Promise<void> {
  return child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise((resolve) => child.once('exit', () => resolve()));
}

function makeSessions(projects: string, count: number): void {
  for (let n = 0; n < count; n++) {
    const cwd = `/srv/shop-${n % PROJECTS}`;
    const folder = join(projects, `-srv-shop-${n % PROJECTS}`);
    mkdirSync(folder, { recursive: true });
    const turns = Array.from({ length: 10 }, (_, turn) => ({
      you: `How does basket ${n} round the ${word(n, turn)} in step ${turn}?`,
      agent: `The ${word(n, turn + 1)} keeps cents, since the ${word(n, turn + 2)} is rounded once, in src/${word(n, turn + 3)}.ts.`,
    }));
    writeFileSync(join(folder, `session-${n}.jsonl`), transcript(cwd, `session-${n}`, turns));
  }
}

/** One of a thousand words, evenly distributed. */
function word(session: number, turn: number): string {
  const number = (session * 7919 + turn * 104_729) % 1000;
  return `w${number.toString(36)}el`;
}

if (isMain(import.meta.url)) await run(process.argv.slice(2));
