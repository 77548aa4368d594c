// Syncs one generated session at growing lengths: CPU time per message, which depends little on the machine's load.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sync } from '../src/app/sync/sync.ts';
import { transcript } from '../test/made/conversation.ts';
import { makeWorld } from '../test/made/world.ts';
import { isMain, mebibytes, table } from './bench-table.ts';

const SESSION = '11111111-aaaa-4aaa-8aaa-000000000001';

/** All turns share these words: one topic, one name, the same sentences again and again. */
const alike = (turn: number) => ({
  you: `Please fix the parser, number ${turn}.`,
  agent: `Fixed the parser in src/parser.ts, number ${turn}.`,
});

export async function run(args: string[]): Promise<void> {
  const sizes = args.length > 0 ? args.map(Number) : [5000, 10_000, 20_000];
  // Warms up what runs only once.
  await synced(100);
  const rows: string[][] = [];
  let first = 0;
  for (const messages of sizes) {
    const { seconds, bytes } = await synced(messages);
    const each = (seconds / messages) * 1e6;
    first ||= each;
    const figures = [seconds.toFixed(1), each.toFixed(0), `${(each / first).toFixed(2)}x`];
    rows.push([messages.toLocaleString('en'), mebibytes(bytes), ...figures]);
  }
  table(['messages', 'MiB', 'processor s', 'µs a message', 'of the first'], rows);
}

async function synced(messages: number): Promise<{ seconds: number; bytes: number }> {
  const world = makeWorld();
  try {
    const folder = join(world.projects, '-srv-shop');
    mkdirSync(folder);
    const turns = Array.from({ length: messages / 2 }, (_, turn) => alike(turn));
    writeFileSync(join(folder, `${SESSION}.jsonl`), transcript('/srv/shop', SESSION, turns));
    const before = process.cpuUsage();
    const { bytes } = await sync(world);
    const { user, system } = process.cpuUsage(before);
    return { seconds: (user + system) / 1e6, bytes };
  } finally {
    await world.remove();
  }
}

if (isMain(import.meta.url)) await run(process.argv.slice(2));
