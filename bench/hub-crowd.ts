// Clients that push once per second and search every two seconds, against the built program on PostgreSQL: counts errors, memory and CPU by process.

import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { systemClock } from '../src/adapters/clock/system-clock.ts';
import { openPostgresHub } from '../src/adapters/hub-database/open-postgres-hub.ts';
import { zstdPacking } from '../src/adapters/remotes/zstd-packing.ts';
import { openHub } from '../src/app/hub/hub.ts';
import { hubProcess } from '../test/made/hub-process.ts';
import { type TestMember, testMember } from '../test/made/hub-server.ts';
import { postgresServer } from '../test/made/postgres-server.ts';
import { madeTalk, talkLines } from '../test/made/talk-lines.ts';
import { table } from './bench-table.ts';
import { copyOf } from './hub-repository.ts';

const REPOSITORIES = 10;
/** What is alive after a collection is measured so often in a run. */
const LOOKS = 6;
const WORDS = ['rounding', 'invoice', 'oven', 'linter', 'tax', 'basket'];

/** `profile`: a folder for a CPU profile of the hub. */
export async function crowdBench(clients = 50, minutes = 5, profile = ''): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-bench-crowd-'));
  const server = await postgresServer();
  const address = await server.newDatabase();
  const database = openPostgresHub(address, 4);
  const hub = await openHub({
    database,
    clock: systemClock,
    random: (bytes) => randomBytes(bytes),
    packing: zstdPacking,
  });
  const heap = pathToFileURL(join(import.meta.dirname, 'http-heap.ts')).href;
  const env = {
    ...{ HOME: folder, KEEPSAKE_HUB_DATABASE: address },
    NODE_OPTIONS: `--expose-gc --import=${heap}${profile ? ` --cpu-prof --cpu-prof-dir=${profile}` : ''}`,
  };
  const launcher = join(import.meta.dirname, '..', 'bin', 'keepsake');
  const limits = ['--requests-per-minute', '100000', '--megabytes-per-minute', '100000'];
  const served = await hubProcess(launcher, ['--port', '0', ...limits], env);
  // Its log output is discarded: a full pipe would block it.
  const alive: number[] = [];
  createInterface(served.process.stderr!).on('line', (line) => {
    if (line.startsWith('{"alive"')) alive.push((JSON.parse(line) as { alive: number }).alive);
  });
  try {
    const talks = await madeTalk(
      Object.fromEntries(
        WORDS.map((word) => [
          word,
          [{ you: `How about the ${word}?`, agent: `The ${word} is done, see src/${word}.ts.` }],
        ]),
      ),
    );
    const members: TestMember[] = [];
    for (let at = 0; at < clients; at++)
      members.push(await testMember({ hub, address: served.address }, `client ${at}`, 'writer'));
    const figures = {
      pushed: 0,
      searched: 0,
      found: 0,
      errors: [] as string[],
      pushMs: [] as number[],
      searchMs: [] as number[],
    };
    const until = performance.now() + minutes * 60_000;
    const memory: number[] = [];
    const sampling = setInterval(() => memory.push(rssOf(served.process.pid!)), 5000);
    const looking = setInterval(() => served.process.kill('SIGUSR2'), (minutes * 60_000) / LOOKS - 200);
    const cpuOf = () => ({
      hub: cpuSeconds(served.process.pid!),
      PostgreSQL: cpuSeconds(server.pid()),
      clients: process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6,
    });
    const before = cpuOf();
    await Promise.all(
      members.map(async (member, at) => {
        const repo = (at % REPOSITORIES).toString(16).repeat(32).slice(0, 32);
        await new Promise((resolve) => setTimeout(resolve, (at * 1000) / clients));
        for (let turn = 1; performance.now() < until; turn++) {
          const started = performance.now();
          const talk = copyOf(talks[WORDS[turn % WORDS.length]!]!, at * 100_000 + turn);
          const sealed = member.sealLines(repo, turn, talkLines(talk, '-srv-shop'), { lane: 'talk' });
          await request(`${served.address}/v1/${sealed.name}`, member, figures, {
            kind: 'push',
            body: sealed.bytes,
          });
          if (turn % 2 === 0) {
            const query = `${served.address}/r/${repo}/api/memory/search?q=${WORDS[turn % WORDS.length]}`;
            await request(query, member, figures, { kind: 'search' });
          }
          await new Promise((resolve) =>
            setTimeout(resolve, Math.max(0, 1000 - (performance.now() - started))),
          );
        }
      }),
    );
    const after = cpuOf();
    clearInterval(sampling);
    clearInterval(looking);
    const mib = (bytes: number) => (bytes / 1024 / 1024).toFixed(0);
    const third = Math.ceil(memory.length / 3);
    const mean = (list: number[]) => list.reduce((sum, it) => sum + it, 0) / Math.max(1, list.length);
    table(
      ['', ''],
      [
        ['clients, minutes', `${clients}, ${minutes}`],
        ['pushes', `${figures.pushed}, p95 ${quantile(figures.pushMs)} ms`],
        ['searches', `${figures.searched}, p95 ${quantile(figures.searchMs)} ms, ${figures.found} with hits`],
        ['errors', String(figures.errors.length)],
        [
          'memory of the hub, first, second and last third',
          [0, 1, 2]
            .map((part) => `${mib(mean(memory.slice(part * third, (part + 1) * third)))} MiB`)
            .join(', '),
        ],
        ['most', `${mib(Math.max(...memory))} MiB`],
        ['alive after a collection, in turn', alive.map((bytes) => `${mib(bytes)} MiB`).join(', ')],
        [
          'CPU for a push (with half a search): hub, PostgreSQL, clients',
          (['hub', 'PostgreSQL', 'clients'] as const)
            .map(
              (who) => `${(((after[who] - before[who]) * 1000) / Math.max(1, figures.pushed)).toFixed(1)} ms`,
            )
            .join(', '),
        ],
      ],
    );
    for (const error of new Set(figures.errors)) console.log(error);
  } finally {
    await served.end();
    await database.close();
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

type Figures = {
  pushed: number;
  searched: number;
  found: number;
  errors: string[];
  pushMs: number[];
  searchMs: number[];
};

async function request(
  url: string,
  { token }: TestMember,
  figures: Figures,
  { kind, body }: { kind: 'push' | 'search'; body?: Buffer },
): Promise<void> {
  const started = performance.now();
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(
    url,
    body ? { method: 'PUT', headers, body: new Uint8Array(body) } : { headers },
  ).catch((error: Error) => error);
  const text = answer instanceof Error ? '' : await answer.text();
  const took = performance.now() - started;
  if (answer instanceof Error || !answer.ok) {
    figures.errors.push(
      `${kind}: ${answer instanceof Error ? answer.message : `${answer.status} ${text.slice(0, 200)}`}`,
    );
    return;
  }
  if (kind === 'push') {
    figures.pushed++;
    figures.pushMs.push(took);
  } else {
    figures.searched++;
    figures.searchMs.push(took);
    if ((JSON.parse(text) as { items: unknown[] }).items.length > 0) figures.found++;
  }
}

function rssOf(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}

const TICKS = 100;

/** Of a process and its children, those that ended too. */
function cpuSeconds(pid: number): number {
  const rest = (of: string) => readFileSync(`/proc/${of}/stat`, 'utf8').split(') ')[1]!.split(' ');
  let ticks = 0;
  for (const of of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
    try {
      const fields = rest(of);
      if (Number(of) === pid) ticks += fields.slice(11, 15).reduce((sum, it) => sum + Number(it), 0);
      else if (Number(fields[1]) === pid) ticks += Number(fields[11]) + Number(fields[12]);
    } catch {
      // It ended meanwhile.
    }
  return ticks / TICKS;
}

function quantile(list: readonly number[]): string {
  const sorted = list.toSorted((a, b) => a - b);
  return (sorted[Math.floor(sorted.length * 0.95)] ?? 0).toFixed(0);
}
