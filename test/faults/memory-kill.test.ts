import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { archiveNames, readArchived } from '../../src/app/rolling/rolling-memory.ts';
import { updateMemory } from '../../src/app/rolling/update.ts';
import { readIndex } from '../../src/core/rolling/index-file.ts';
import { addedText } from '../../src/core/rolling/memory-file.ts';
import { memoryWorld, PROJECT } from './memory-writer.ts';

const KILLS = 8;
const LANES = 2;
const LONGEST_LIFE_MS = 250;

test('two processes that fill and rotate one memory, killed at random points, lose nothing and repeat nothing', async () => {
  const root = await mkdtemp(join(tmpdir(), 'keepsake-memory-kill-'));
  const counts = new Map<string, number>();
  const lane = async (name: string) => {
    for (let n = 0; n < KILLS / LANES; n++)
      counts.set(name, await liveAndDie(root, name, counts.get(name) ?? 0));
  };
  await Promise.all(Array.from({ length: LANES }, (_, n) => lane(`lane${n}`)));
  const world = memoryWorld(root);
  await updateMemory(world, PROJECT);
  const { files } = world.archive;
  const names = await archiveNames(world, PROJECT);
  const texts = await Promise.all(
    names.map(async (name) => String(await readArchived(world, PROJECT, name))),
  );
  texts.push(String(await files.read(PROJECT, 'memory/memory.md')));
  const whole = texts.map(addedText).join('');
  for (const [name, lines] of counts) {
    const entries = [...whole.matchAll(new RegExp(`session ${name}-session lines (\\d+)-(\\d+)$`, 'gm'))];
    // Each entry continues where the one before ended: nothing is missing or repeated.
    const end = entries.reduce(
      (next, [, first, last]) => (Number(first) === next ? Number(last) + 1 : Number.NaN),
      1,
    );
    expect(end, name).toBeGreaterThan(lines);
  }
  expect(names.length).toBeGreaterThan(2);
  const { index, broken } = readIndex(String(await files.read(PROJECT, 'memory/memory-index.json')));
  expect([broken, index.rotatedFiles.map(({ file }) => file)]).toEqual([false, names]);
  expect(index.rotatedFiles.every(({ summaryGenerated }) => summaryGenerated)).toBe(true);
  expect(await files.list(PROJECT, 'rolling')).toEqual(['state.json']);
  await world.archive.close();
  await rm(root, { recursive: true });
});

async function liveAndDie(root: string, lane: string, before: number): Promise<number> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'memory-writer.ts'), root, lane]);
  let [output, errors] = ['', ''];
  child.stdout.on('data', (data) => {
    output += data;
  });
  child.stderr.on('data', (data) => {
    errors += data;
  });
  const ended = new Promise<NodeJS.Signals | null>((resolve) =>
    child.on('close', (_, signal) => resolve(signal)),
  );
  const first = new Promise<void>((resolve) => child.stdout.once('data', () => resolve()));
  await Promise.race([first, ended]);
  await pause(Math.random() * LONGEST_LIFE_MS);
  child.kill('SIGKILL');
  if ((await ended) !== 'SIGKILL') throw new Error(`A writer ended before it was killed: ${errors}`);
  const lines = output.split('\n').slice(0, -1).map(Number);
  return lines.at(-1) ?? before;
}
