import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { systemClock } from '../../src/adapters/clock/system-clock.ts';
import { openPostgresHub } from '../../src/adapters/hub-database/open-postgres-hub.ts';
import { openSqliteHub } from '../../src/adapters/hub-database/open-sqlite-hub.ts';
import { zstdPacking } from '../../src/adapters/remotes/zstd-packing.ts';
import { openHub } from '../../src/app/hub/hub.ts';
import type { HubDatabase } from '../../src/ports/hub-database.ts';
import { type TestMember, testMember } from '../made/hub-server.ts';
import { postgresServer } from '../made/postgres-server.ts';

const REPO = 'a'.repeat(32);
const WRITERS = 8;
const SEGMENT_BYTES = 20_000;
const BETWEEN_KILLS_MS = 1200;
const PATIENCE_MS = 100;
const BETWEEN_WRITES_MS = 20;
/** Nothing that is repeated takes so long, even on a busy machine: then something hangs, and the run ends with what it waits for. */
const HANGS_MS = 600_000;

type Instance = { process: ChildProcess; address: string };
type Written = { name: string; position: number };
type Seen = { position: number; name: string };

/** [KILLS] [sqlite]: kills the database and one of two hubs, in turn, under 8 writers and a follower; prints what was lost. */
export async function runHub([kills = '10', kind = 'postgres']: string[]): Promise<boolean> {
  const place = await (kind === 'sqlite' ? sqlitePlace() : postgresPlace());
  const { address: database } = place;
  const hub = await openHub({
    database: place.open(),
    clock: systemClock,
    random: (bytes) => randomBytes(bytes),
    packing: zstdPacking,
  });
  const instances = [await startInstance(database), await startInstance(database)];
  const state = { isOver: false };
  try {
    const at = { hub, address: instances[0]!.address };
    const members: TestMember[] = [];
    for (let number = 0; number < WRITERS; number++)
      members.push(await testMember(at, `writer ${number}`, 'writer'));
    const reader = await testMember(at, 'follower', 'reader');
    const written: Written[] = [];
    const writing = members.map((member) => write(member, instances, written, state));
    const writers = { isOver: false };
    const following = follow(reader, instances, writers);
    // Whatever fails ends the run, at once.
    const failure = Promise.all([...writing, following]).then(() => new Promise<never>(() => undefined));
    const unless = <T>(work: Promise<T>): Promise<T> => Promise.race([work, failure]);
    const started = performance.now();
    for (let kill = 0; kill < Number(kills); kill++) {
      await pause(BETWEEN_KILLS_MS);
      const isServer = kill % 2 === 0 && place.kill !== undefined;
      await unless(isServer ? place.kill!() : restartInstance(instances, kill % 4 < 2 ? 0 : 1, database));
      const seconds = ((performance.now() - started) / 1000).toFixed(0);
      console.error(
        `kill ${kill + 1} of ${kills} (${isServer ? 'the database' : 'a hub'}) after ${seconds} s: ${written.length} acknowledged`,
      );
    }
    await pause(BETWEEN_KILLS_MS);
    state.isOver = true;
    await Promise.all(writing);
    writers.isOver = true;
    const seen = await following;
    const stored = await follow(reader, instances, { isOver: true });
    return report(`${kind}: ${kills}`, written, { seen, stored });
  } finally {
    state.isOver = true;
    for (const instance of instances) instance.process.kill('SIGKILL');
    await hub.database.close();
    await place.close();
  }
}

/** `kill` ends the server alone. SQLite has no server: it dies with its hub. */
type Place = {
  address: string;
  open(): HubDatabase;
  kill?: () => Promise<void>;
  close(): Promise<void>;
};

async function postgresPlace(): Promise<Place> {
  const server = await postgresServer();
  const address = await server.newDatabase();
  const { killAndRestart: kill, close } = server;
  return { address, open: () => openPostgresHub(address), kill, close };
}

async function sqlitePlace(): Promise<Place> {
  const address = mkdtempSync(join(tmpdir(), 'keepsake-hub-'));
  const close = async () => rmSync(address, { recursive: true, force: true });
  return { address, open: () => openSqliteHub(address), close };
}

function report(
  kills: string,
  written: Written[],
  { seen, stored }: Record<'seen' | 'stored', Seen[]>,
): boolean {
  const byPosition = new Map(stored.map((it) => [it.position, it.name]));
  const names = new Set(stored.map(({ name }) => name));
  const lost = written.filter(({ name }) => !names.has(name)).length;
  const renumbered = written.filter(({ name, position }) => byPosition.get(position) !== name).length;
  const gaps = stored.filter(({ position }, index) => position !== index + 1).length;
  const twice = stored.length - names.size;
  const missed = stored.filter(
    ({ position, name }, index) => seen[index]?.position !== position || seen[index]?.name !== name,
  ).length;
  console.log(
    `${kills} kills, ${WRITERS} writers: ${written.length} acknowledged, ${stored.length} stored; lost ${lost}, renumbered ${renumbered}, gaps ${gaps}, twice ${twice}; the follower read ${seen.length}, out of order or missed ${missed}`,
  );
  return written.length > 0 && lost + renumbered + gaps + twice + missed === 0;
}

async function write(
  { token, seal }: TestMember,
  instances: readonly Instance[],
  written: Written[],
  state: { isOver: boolean },
): Promise<void> {
  for (let seq = 1; !state.isOver; seq++) {
    const { name, bytes } = seal(REPO, seq, randomBytes(SEGMENT_BYTES));
    const until = performance.now() + HANGS_MS;
    // Sends the same one until either hub acknowledges it.
    for (let tries = seq; ; tries++) {
      if (performance.now() > until) throw new Error('no hub acknowledges an append');
      const answer = await ask(`${instances[tries % 2]!.address}/v1/${name}`, token, new Uint8Array(bytes));
      if (answer !== undefined) {
        written.push({ name, position: Number(answer.position) });
        await pause(BETWEEN_WRITES_MS);
        break;
      }
      await pause(PATIENCE_MS);
    }
  }
}

async function follow(
  { token }: TestMember,
  instances: readonly Instance[],
  state: { isOver: boolean },
): Promise<Seen[]> {
  const seen: Seen[] = [];
  let until = performance.now() + HANGS_MS;
  for (let turn = 0; ; turn++) {
    const after = seen.at(-1)?.position ?? 0;
    // Read before the request: what a writer stores later is not in the answer.
    const isLast = state.isOver;
    const answer = await ask(`${instances[turn % 2]!.address}/v1/r/${REPO}/log?after=${after}`, token);
    const items = answer?.items as Seen[] | undefined;
    if (items) until = performance.now() + HANGS_MS;
    if (performance.now() > until) throw new Error('no hub answers the follower');
    seen.push(...(items ?? []));
    if (items?.length === 0 && isLast) return seen;
    if (items === undefined || items.length === 0) await pause(PATIENCE_MS);
  }
}

async function ask(
  url: string,
  token: string,
  body?: Uint8Array,
): Promise<Record<string, unknown> | undefined> {
  try {
    const answer = await fetch(url, {
      method: body === undefined ? 'GET' : 'PUT',
      headers: { authorization: `Bearer ${token}` },
      ...(body === undefined ? {} : { body: body as NonNullable<RequestInit['body']> }),
      signal: AbortSignal.timeout(20_000),
    });
    return answer.ok ? ((await answer.json()) as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

async function startInstance(database: string, port = '0'): Promise<Instance> {
  const script = join(import.meta.dirname, 'hub-instance.ts');
  const child = spawn(process.execPath, [script, database, port], { stdio: ['ignore', 'pipe', 'inherit'] });
  const address = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).once('line', resolve);
    child.once('exit', (status) => reject(new Error(`a hub ended with ${status}`)));
  });
  return { process: child, address };
}

async function restartInstance(instances: Instance[], at: number, database: string): Promise<void> {
  const { process: child, address } = instances[at]!;
  if (child.exitCode !== null || child.signalCode !== null)
    throw new Error(`a hub had ended by itself with ${child.exitCode ?? child.signalCode}`);
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
  await pause(PATIENCE_MS);
  instances[at] = await startInstance(database, new URL(address).port);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
