import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { systemClock } from '../src/adapters/clock/system-clock.ts';
import { openPostgresHub } from '../src/adapters/hub-database/open-postgres-hub.ts';
import { zstdPacking } from '../src/adapters/remotes/zstd-packing.ts';
import { openHub } from '../src/app/hub/hub.ts';
import type { HubAccess } from '../src/ports/hub-database.ts';
import { testHub, testMember } from '../test/made/hub-server.ts';
import { postgresServer } from '../test/made/postgres-server.ts';
import { cpuSeconds } from './cpu-seconds.ts';

/** Bytes per segment; the median of real segments is 97 KB. */
const SEGMENT_BYTES = 100_000;
const CLIENTS = [1, 8, 50];
/** Number of rounds per kind. */
const DEFAULT_MS = 9000;
const ROUNDS = 9;

export async function run([part, ...rest]: string[]): Promise<void> {
  if (part === 'search') {
    const sizes = rest.filter((it) => /^\d+$/.test(it)).map(Number);
    const folders = rest.filter((it) => !/^\d+$/.test(it));
    return (await import('./hub-search.ts')).searchBench(folders, sizes.length > 0 ? sizes : undefined);
  }
  if (part === 'crowd') {
    const [clients, minutes] = rest.slice(0, 2).map(Number);
    return (await import('./hub-crowd.ts')).crowdBench(clients, minutes, rest[2]);
  }
  if (part === 'person' && rest[0] !== undefined)
    return (await import('./hub-person.ts')).personBench(rest[0]);
  if (part === 'person')
    return console.log('Missing folder of sessions. Usage: npm run bench -- hub person DIR');
  return appends(part);
}

/** Appends per second next to plain INSERTs of the same bytes into the same database, alternating. */
async function appends(seconds: string | undefined): Promise<void> {
  const ms = seconds === undefined ? DEFAULT_MS : Number(seconds) * 1000;
  const server = await postgresServer();
  try {
    for (const clients of CLIENTS)
      await row({ address: await server.newDatabase(), pid: server.pid() }, clients, ms);
    await idle();
  } finally {
    await server.close();
  }
}

async function row(
  { address, pid }: { address: string; pid: number },
  clients: number,
  ms: number,
): Promise<void> {
  const database = openPostgresHub(address, clients);
  const hub = await openHub({
    database,
    clock: systemClock,
    random: (bytes) => randomBytes(bytes),
    packing: zstdPacking,
  });
  const plain = postgres(address, { max: clients, onnotice: () => undefined });
  const served = await testHub({ database: openPostgresHub(address) });
  try {
    await plain`create table plain (repo text, device text, lane text, seq integer, id text, body bytea, primary key (repo, device, lane, seq, id))`;
    await plain`alter table plain alter column body set storage external`;
    const member = await testMember(served, `writer ${clients}`, 'writer');
    const token = (await hub.database.tokens()).find(({ device }) => device === member.device)!;
    const access = (repo: string): HubAccess => ({
      ...{ repo, member: token.member, token: token.hash, now: systemClock.now() },
    });
    const body = randomBytes(SEGMENT_BYTES);
    const repoOf = (client: number) => client.toString(16).padStart(32, '0');
    for (let client = 0; client <= clients; client++)
      await hub.database.addRepo({ id: repoOf(client), name: '' }, systemClock.now());
    let next = 0;
    const place = () => ({ device: member.device, lane: 'log', seq: ++next, id: repoOf(next) });
    const kinds = {
      'plain INSERT': async () => {
        const { device, lane, seq, id } = place();
        await plain`insert into plain values (${repoOf(0)}, ${device}, ${lane}, ${seq}, ${id}, ${body})`;
      },
      'append, one repository': () => hub.database.append(access(repoOf(0)), place(), body, member),
      'append, a repository each': (client: number) =>
        hub.database.append(access(repoOf(client + 1)), place(), body, member),
      'push through the hub': async () => {
        const { name, bytes } = member.seal(repoOf(0), ++next, body);
        await member.store.put(name, bytes);
      },
    };
    const rates = new Map<string, number[]>();
    const cpu = new Map<string, { seconds: number; done: number }>();
    // Alternates, so that a busy moment affects all of them.
    for (let round = 0; round < ROUNDS; round++)
      for (const [kind, work] of Object.entries(kinds)) {
        const before = cpuSeconds(pid);
        const { perSecond, done } = await rate(clients, ms / ROUNDS, work);
        rates.set(kind, [...(rates.get(kind) ?? []), perSecond]);
        const sum = cpu.get(kind) ?? { seconds: 0, done: 0 };
        cpu.set(kind, { seconds: sum.seconds + cpuSeconds(pid) - before, done: sum.done + done });
      }
    const floor = rates.get('plain INSERT')!;
    for (const [kind, all] of rates) {
      // Compares only with INSERTs of the same round, since the load changes between rounds.
      const ratios = all.map((it, round) => it / floor[round]!).sort((a, b) => a - b);
      const spread = `${ratios[1]!.toFixed(2)} to ${ratios.at(-2)!.toFixed(2)}`;
      console.log(
        `${String(clients).padStart(3)} clients  ${kind.padEnd(26)} ${median(all).toFixed(0).padStart(6)} per second  ${median(ratios).toFixed(2)}x of INSERT (${spread})  ${cpuOf(cpu.get(kind)!)} ms CPU of PostgreSQL each`,
      );
    }
  } finally {
    await plain.end({ timeout: 2 });
    await hub.database.close();
    await served.close();
  }
}

/** Unlike a rate it is the same on a busy machine. */
function cpuOf({ seconds, done }: { seconds: number; done: number }): string {
  return ((seconds * 1000) / Math.max(1, done)).toFixed(2);
}

function median(list: readonly number[]): number {
  return list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)]!;
}

async function rate(
  clients: number,
  ms: number,
  work: (client: number) => Promise<unknown>,
): Promise<{ perSecond: number; done: number }> {
  const started = performance.now();
  let done = 0;
  const client = async (number: number) => {
    while (performance.now() - started < ms) {
      await work(number);
      done++;
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
  return { perSecond: (done * 1000) / (performance.now() - started), done };
}

/** Memory of the built program two seconds after it starts. */
async function idle(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-bench-hub-'));
  const child = spawn(process.execPath, ['bin/keepsake', 'hub', '--data', folder, '--port', '0', '--json'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, HOME: folder },
  });
  try {
    await new Promise((resolve, reject) => {
      child.stdout.once('data', resolve);
      child.once('exit', () => reject(new Error('The hub did not start: run `npm run build` first.')));
    });
    await new Promise((resolve) => setTimeout(resolve, 2000));
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? [];
    console.log(`idle hub on SQLite: ${(Number(kilobytes) / 1024).toFixed(0)} MiB`);
  } finally {
    child.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}
