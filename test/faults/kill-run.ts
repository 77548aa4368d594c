import { spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openArchive } from '../../src/adapters/archive-fs/open-archive.ts';
import { checkAcks, type Verdict } from './check-acks.ts';
import { type Ack, PROJECT } from './writer.ts';

const WRITER = join(import.meta.dirname, 'writer.ts');
/** The longest time from a writer's first acknowledged write to its kill. */
const LONGEST_LIFE_MS = 60;
/** One writer in this many is killed while it starts. */
const KILLED_EARLY = 10;

export type KillReport = Verdict & { kills: number; acknowledged: number; checks: number };
export type KillRun = {
  folder: string;
  kills: number;
  lanes: number;
  checkEvery: number;
  onProgress?: (kills: number, acknowledged: number) => void;
};

/** Runs writers that share one archive and kills them with SIGKILL at random points, one after the other in each lane. */
export async function killRun({
  folder,
  kills,
  lanes,
  checkEvery,
  onProgress,
}: KillRun): Promise<KillReport> {
  const root = join(folder, 'archive');
  const sources = join(folder, 'sources');
  await mkdir(sources, { recursive: true });
  const report: KillReport = { kills: 0, acknowledged: 0, checks: 0, corrupt: [], lost: [], dangling: [] };
  const acks: Ack[] = [];
  let started = 0;

  async function check(): Promise<void> {
    const found = await checkAcks(root, sources, [...acks]);
    for (const kind of ['corrupt', 'lost', 'dangling'] as const) report[kind].push(...found[kind]);
    report.checks++;
  }

  async function lane(name: string): Promise<void> {
    while (started < kills) {
      const early = ++started % KILLED_EARLY === 0;
      await liveAndDie([root, sources, name], early, (ack) => acks.push(ack));
      report.kills++;
      report.acknowledged = acks.length;
      onProgress?.(report.kills, acks.length);
      if (report.kills % checkEvery === 0) await check();
    }
  }

  await Promise.all(Array.from({ length: lanes }, (_, n) => lane(`lane${n}`)));
  await check();
  const archive = openArchive(root, { now: () => '2026-01-01T00:00:00.000Z' });
  await archive.fold(PROJECT);
  await archive.close();
  await check();
  return report;
}

async function liveAndDie(args: string[], early: boolean, onAck: (ack: Ack) => void): Promise<void> {
  const child = spawn(process.execPath, [WRITER, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let errors = '';
  const ended = new Promise<NodeJS.Signals | null>((resolve) =>
    child.on('close', (_, signal) => resolve(signal)),
  );
  const first = new Promise<void>((resolve) => child.stdout.once('data', () => resolve()));
  child.stdout.on('data', (data) => {
    output += data;
  });
  child.stderr.on('data', (data) => {
    errors += data;
  });
  if (early) await pause(Math.random() * 150);
  else {
    await Promise.race([first, ended]);
    await pause(Math.random() * LONGEST_LIFE_MS);
  }
  child.kill('SIGKILL');
  const signal = await ended;
  if (signal !== 'SIGKILL') throw new Error(`A writer ended before it was killed: ${errors}`);
  // The last line may be incomplete: it was not acknowledged.
  for (const line of output.split('\n').slice(0, -1)) onAck(JSON.parse(line) as Ack);
}
