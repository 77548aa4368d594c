// Clients that push once per second and search every two seconds, against the built program on PostgreSQL: counts errors, memory and CPU by process.

import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { systemClock } from '../src/adapters/clock/system-clock.ts';
import { openPostgresHub } from '../src/adapters/hub-database/open-postgres-hub.ts';
import { zstdPacking } from '../src/adapters/remotes/zstd-packing.ts';
import { openHub } from '../src/app/hub/hub.ts';
import { type HubProcess, hubProcess } from '../test/made/hub-process.ts';
import { type TestMember, testMember } from '../test/made/hub-server.ts';
import { postgresServer } from '../test/made/postgres-server.ts';
import { madeTalk, talkLines } from '../test/made/talk-lines.ts';
import { table } from './bench-table.ts';
import { cpuSeconds } from './cpu-seconds.ts';
import { copyOf } from './hub-repository.ts';

const REPOSITORIES = 10;
/** What is alive after a collection is measured so often in a run. */
const LOOKS = 6;
const CPU_OF = ['hub', 'PostgreSQL', 'clients'] as const;
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
  const resident: number[] = [];
  createInterface(served.process.stderr!).on('line', (line) => {
    if (!line.startsWith('{"alive"')) return;
    const look = JSON.parse(line) as { alive: number; resident: number };
    alive.push(look.alive);
    resident.push(look.resident);
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
    const repos = Array.from({ length: REPOSITORIES }, (_, at) => at.toString(16).repeat(32).slice(0, 32));
    const until = performance.now() + minutes * 60_000;
    const memory: number[] = [];
    const sampling = setInterval(() => memory.push(rssOf(served.process.pid!)), 5000);
    const looking = setInterval(() => served.process.kill('SIGUSR2'), (minutes * 60_000) / LOOKS - 200);
    const cpuOf = () => ({
      hub: cpuSeconds(served.process.pid!),
      PostgreSQL: cpuSeconds(server.pid()),
      clients: process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6,
    });
    const waited = () => waitedSeconds(served.process.pid!);
    const before = { ...cpuOf(), waited: waited() };
    await Promise.all(
      members.map(async (member, at) => {
        const repo = repos[at % REPOSITORIES]!;
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
    const after = { ...cpuOf(), waited: waited() };
    clearInterval(sampling);
    clearInterval(looking);
    // A push per second and a search every two of each client.
    const due = Math.round(clients * minutes * 60);
    const mib = (bytes: number) => (bytes / 1024 / 1024).toFixed(0);
    const third = Math.ceil(memory.length / 3);
    const mean = (list: number[]) => list.reduce((sum, it) => sum + it, 0) / Math.max(1, list.length);
    table(
      ['', ''],
      [
        ['clients, minutes', `${clients}, ${minutes}`],
        ['pushes', `${figures.pushed} of ${due}, ${quantiles(figures.pushMs)}`],
        [
          'searches',
          `${figures.searched} of ${due / 2}, ${quantiles(figures.searchMs)}, ${figures.found} with hits`,
        ],
        ['errors', String(figures.errors.length)],
        [
          'memory of the hub, first, second and last third',
          [0, 1, 2]
            .map((part) => `${mib(mean(memory.slice(part * third, (part + 1) * third)))} MiB`)
            .join(', '),
        ],
        ['most', `${mib(Math.max(...memory))} MiB`],
        ['alive after a collection, in turn', alive.map((bytes) => `${mib(bytes)} MiB`).join(', ')],
        ['resident at the same moments', resident.map((bytes) => `${mib(bytes)} MiB`).join(', ')],
        [
          'cores that hub, PostgreSQL, clients used',
          CPU_OF.map((who) => ((after[who] - before[who]) / (minutes * 60)).toFixed(2)).join(', '),
        ],
        [
          'share of the time that the hub waited for a core',
          ((after.waited - before.waited) / (minutes * 60)).toFixed(2),
        ],
        [
          'CPU for a push (with half a search): hub, PostgreSQL, clients',
          CPU_OF.map(
            (who) => `${(((after[who] - before[who]) * 1000) / Math.max(1, figures.pushed)).toFixed(1)} ms`,
          ).join(', '),
        ],
      ],
    );
    for (const error of new Set(figures.errors)) console.log(error);
    await served.end();
    const again = await hubProcess(launcher, ['--port', '0', ...limits], env);
    try {
      const bytes = await aliveOf(again, members, repos);
      console.log(
        `a hub that was started anew on the same data: ${mib(bytes)} MiB alive after a search in each repository`,
      );
    } finally {
      await again.end();
    }
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

/** What a hub keeps for the repositories that it answered for: more than that would be a leak. */
async function aliveOf(
  { process: hub, address }: HubProcess,
  members: readonly TestMember[],
  repos: readonly string[],
): Promise<number> {
  for (const [at, repo] of repos.entries()) {
    const headers = { authorization: `Bearer ${members[at]!.token}` };
    const url = `${address}/r/${repo}/api/memory/search?q=oven`;
    while ((await fetch(url, { headers })).status === 503)
      await new Promise((resolve) => setTimeout(resolve, 500));
  }
  return new Promise((resolve) => {
    createInterface(hub.stderr!).on('line', (line) => {
      if (line.startsWith('{"alive"')) resolve((JSON.parse(line) as { alive: number }).alive);
    });
    hub.kill('SIGUSR2');
  });
}

/** How long the main thread of a process was ready and got no core: others used them. */
function waitedSeconds(pid: number): number {
  const [, waiting] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
  return Number(waiting) / 1e9;
}

function rssOf(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}

function quantiles(list: readonly number[]): string {
  const sorted = list.toSorted((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(0);
  return `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms`;
}
