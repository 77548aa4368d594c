// Makes a delta of ten messages for a short session and for one a hundred times as long, alternating in one run.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compressSession } from '../src/app/compress/compress.ts';
import { deltaStatus } from '../src/app/compress/delta.ts';
import { sync } from '../src/app/sync/sync.ts';
import { toProjectId, toSessionId } from '../src/core/model/ids.ts';
import { transcript } from '../test/made/conversation.ts';
import { makeWorld, type TestWorld } from '../test/made/world.ts';
import { isMain, median, table } from './bench-table.ts';

/** Exchanges of two messages each. */
const SIZES = [50, 5_000];
const DELTA = 5;
const TURNS = 15;
const PROJECT = toProjectId('-srv-bench');

export async function run(args: string[]): Promise<void> {
  const turns = Number(args[0] ?? TURNS);
  // Separate worlds, so that one session's sync does not include the other.
  const worlds = SIZES.map((size) => ({
    world: makeWorld(),
    size,
    status: [] as number[],
    made: [] as number[],
  }));
  try {
    for (const { world, size } of worlds) await begin(world, size);
    for (let turn = -2; turn < turns; turn++) {
      for (const { world, size, status, made } of worlds) {
        await grow(world, size, turn + 2);
        const ref = { project: PROJECT, session: toSessionId('long') };
        const [first, second] = [
          await timed(() => deltaStatus(world, ref)),
          await timed(() => compressSession(world, ref, { delta: true })),
        ];
        // The first two rounds only warm up.
        if (turn >= 0) status.push(first);
        if (turn >= 0) made.push(second);
      }
    }
    table(
      ['session of', 'status ms', 'delta ms'],
      worlds.map(({ size, status, made }) => [
        `${2 * size} messages`,
        median(status).toFixed(2),
        median(made).toFixed(2),
      ]),
    );
    const [short, long] = worlds;
    const ratio = (kind: 'status' | 'made') => (median(long![kind]) / median(short![kind])).toFixed(2);
    console.log(
      `\n100 times as long: status ${ratio('status')}x, delta ${ratio('made')}x (goal: within 1.2x)`,
    );
  } finally {
    for (const { world } of worlds) await world.remove();
  }
}

async function begin(world: TestWorld, size: number): Promise<void> {
  const folder = join(world.projects, PROJECT);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'long.jsonl'), exchanges(0, size));
  await sync(world);
  await compressSession(world, { project: PROJECT, session: toSessionId('long') });
}

async function grow(world: TestWorld, size: number, turn: number): Promise<void> {
  const text = exchanges(size + turn * DELTA, DELTA);
  appendFileSync(join(world.projects, PROJECT, 'long.jsonl'), text);
  await sync(world);
}

function exchanges(from: number, count: number): string {
  const turns = Array.from({ length: count }, (_, n) => ({
    you: `Question ${from + n}: why does the basket ${from + n} lose its items after a login?`,
    agent: `Because of reason ${from + n}. `.repeat(20),
  }));
  // Every message needs a unique id.
  return transcript('/srv/bench', 'long', turns)
    .replaceAll(/"uuid":"long-/g, `"uuid":"${from}-`)
    .replaceAll('"msg_', `"msg_${from}_`);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

if (isMain(import.meta.url)) await run(process.argv.slice(2));
