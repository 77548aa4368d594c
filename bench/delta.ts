// Makes a delta of ten messages for a short session and for one a hundred times as long, alternating in one run.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compressSession } from '../src/app/compress/compress.ts';
import { deltaStatus } from '../src/app/compress/delta.ts';
import { ingestFiles } from '../src/app/intake/ingest-files.ts';
import { newReport } from '../src/app/sync-report.ts';
import { toProjectId, toSessionId } from '../src/core/model/ids.ts';
import { transcript } from '../test/made/conversation.ts';
import { makeWorld, type TestWorld } from '../test/made/world.ts';
import { isMain, median, table } from './bench-table.ts';

/** Exchanges of two messages each. */
const SIZES = [50, 5_000];
const DELTA = 5;
const TURNS = 15;
const PROJECT = toProjectId('-srv-bench');

/** Milliseconds of the clock and of the processor: other programs delay only the first. */
type Spent = { ms: number; cpu: number };

export async function run(args: string[]): Promise<void> {
  const turns = Number(args[0] ?? TURNS);
  // Separate worlds, so that one session's sync does not include the other.
  const worlds = SIZES.map((size) => ({
    world: makeWorld(),
    size,
    status: [] as Spent[],
    made: [] as Spent[],
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
    const middle = (spent: Spent[], of: keyof Spent) => median(spent.map((one) => one[of]));
    table(
      ['session of', 'status ms', 'delta ms', 'status CPU ms', 'delta CPU ms'],
      worlds.map(({ size, status, made }) => [
        `${2 * size} messages`,
        ...(['ms', 'cpu'] as const).flatMap((of) => [
          middle(status, of).toFixed(2),
          middle(made, of).toFixed(2),
        ]),
      ]),
    );
    const [short, long] = worlds;
    const ratio = (kind: 'status' | 'made', of: keyof Spent) =>
      `${(middle(long![kind], of) / middle(short![kind], of)).toFixed(2)}x`;
    console.log(
      `\n100 times as long: status ${ratio('status', 'ms')}, delta ${ratio('made', 'ms')}; CPU: status ${ratio('status', 'cpu')}, delta ${ratio('made', 'cpu')} (goal: within 1.2x)`,
    );
  } finally {
    for (const { world } of worlds) await world.remove();
  }
}

async function begin(world: TestWorld, size: number): Promise<void> {
  const folder = join(world.projects, PROJECT);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'long.jsonl'), exchanges(0, size));
  await archive(world);
  await compressSession(world, { project: PROJECT, session: toSessionId('long') });
}

async function grow(world: TestWorld, size: number, turn: number): Promise<void> {
  const text = exchanges(size + turn * DELTA, DELTA);
  appendFileSync(join(world.projects, PROJECT, 'long.jsonl'), text);
  await archive(world);
}

/** Without layers: versions do not use them, and those of a long session take most of the time of this run. */
async function archive(world: TestWorld): Promise<void> {
  const files = await world.transcripts.find(join(world.projects, PROJECT), []);
  await ingestFiles(world, files, newReport(), {});
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

async function timed(work: () => Promise<unknown>): Promise<Spent> {
  const [from, before] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(before);
  return { ms: performance.now() - from, cpu: (user + system) / 1000 };
}

if (isMain(import.meta.url)) await run(process.argv.slice(2));
