// Peak memory of a process that indexes one long session, next to a process with nothing to index.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { openArchive } from '../src/adapters/archive-fs/open-archive.ts';
import { openSearchIndex } from '../src/adapters/index-sqlite/open-search-index.ts';
import { indexArchive } from '../src/app/search/index-archive.ts';
import { newProjectChange } from '../src/core/model/change.ts';
import { toProjectId } from '../src/core/model/ids.ts';
import { makeWorld, type TestWorld } from '../test/made/world.ts';
import { isMain, mebibytes, table } from './bench-table.ts';

const HERE = import.meta.filename;
const MIB = 1048576;
const PROJECT = toProjectId('long');
const FILE = 'memory/sessions/long.l1.jsonl';

export async function run([size = '149']: string[]): Promise<void> {
  const world = makeWorld();
  try {
    await world.archive.change(PROJECT, [
      newProjectChange({
        projectId: PROJECT,
        originalPath: '/long',
        displayName: 'long',
        createdAt: '2026-01-01T00:00:00.000Z',
      }),
    ]);
    const nothing = peakOf(world);
    const turns = await writeSession(world, Number(size) * MIB);
    const all = peakOf(world);
    console.log(`one session of ${size} MiB of L1, ${turns.toLocaleString('en')} turns\n`);
    table(
      ['process', 'peak MiB', 'seconds', 'turns per second'],
      [
        ['nothing to index', mebibytes(nothing.peak), '', ''],
        [
          'its first index',
          mebibytes(all.peak),
          all.seconds.toFixed(0),
          Math.round(turns / all.seconds).toLocaleString('en'),
        ],
      ],
    );
  } finally {
    await world.remove();
  }
}

function peakOf(world: TestWorld): { peak: number; seconds: number } {
  const child = spawnSync(process.execPath, [HERE, '--child', world.places.archive], { encoding: 'utf8' });
  if (child.status !== 0) throw new Error(child.stderr);
  return JSON.parse(child.stdout);
}

/** Messages of 40 made-up words, most of them rare. */
async function writeSession(world: TestWorld, size: number): Promise<number> {
  let seed = 5;
  const random = () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 32;
  };
  let bytes = 0;
  let line = 0;
  while (bytes < size) {
    const lines: string[] = [];
    for (const end = line + 20_000; line < end; line++) {
      const words = Array.from({ length: 40 }, () => `w${Math.floor(30_000 ** random()).toString(36)}`);
      const ts = new Date(Date.UTC(2026, 0, 1) + 1000 * line).toISOString();
      const role = line % 2 === 0 ? 'user' : 'assistant';
      lines.push(`${JSON.stringify({ ts, role, text: words.join(' '), src: line })}\n`);
    }
    const piece = Buffer.from(lines.join(''));
    await world.archive.files.writeAt(PROJECT, FILE, bytes, piece);
    bytes += piece.length;
  }
  const record = {
    sessionId: 'long',
    registered: true,
    engine: 1,
    l1: { file: FILE, bytes },
    firstTimestamp: '2026-01-01T00:00:00.000Z',
    lastTimestamp: '2026-01-02T00:00:00.000Z',
    metadata: { agent: 'generic', gitBranches: [], filesTouched: [] },
  };
  await world.archive.change(PROJECT, [{ at: ['sessions', 'long'], put: record }]);
  return line;
}

async function child(root: string): Promise<void> {
  const world = makeWorld();
  const archive = openArchive(root, { now: world.clock.now });
  const index = openSearchIndex(join(root, 'index.sqlite'));
  const start = performance.now();
  await indexArchive({ ...world, archive }, index);
  const seconds = (performance.now() - start) / 1000;
  await index.close();
  await archive.close();
  await world.remove();
  rmSync(join(root, 'index.sqlite'), { force: true });
  console.log(JSON.stringify({ peak: process.resourceUsage().maxRSS * 1024, seconds }));
}

if (process.argv[2] === '--child') await child(process.argv[3]!);
else if (isMain(import.meta.url)) await run(process.argv.slice(2));
