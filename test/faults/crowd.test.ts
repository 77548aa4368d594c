import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openArchive } from '../../src/adapters/archive-fs/open-archive.ts';
import { checkAcks } from './check-acks.ts';
import { type Ack, PROJECT } from './writer.ts';

const PROCESSES = 20;
const ROUNDS = 5;

test('twenty processes registering at once in one project lose nothing', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'keepsake-crowd-'));
  const [root, sources] = [join(folder, 'archive'), join(folder, 'sources')];
  await mkdir(sources);
  const outputs = await Promise.all(
    Array.from({ length: PROCESSES }, (_, n) => register([root, sources, `p${n}`, String(ROUNDS), '16'])),
  );
  const acks = outputs.flatMap((output) => output.trim().split('\n')).map((line) => JSON.parse(line) as Ack);
  expect(acks.map(({ gen }) => gen).sort((a, b) => a - b)).toEqual(
    Array.from({ length: PROCESSES * ROUNDS }, (_, n) => n + 1),
  );
  expect(await checkAcks(root, sources, acks)).toEqual({ corrupt: [], lost: [], dangling: [] });
  const opened = await openArchive(root, { now: () => '' }).open(PROJECT);
  expect(Object.keys(opened?.manifest.sessions ?? {})).toHaveLength(PROCESSES * ROUNDS);
  await rm(folder, { recursive: true });
});

function register(args: string[]): Promise<string> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'writer.ts'), ...args]);
  let output = '';
  let errors = '';
  child.stdout.on('data', (data) => {
    output += data;
  });
  child.stderr.on('data', (data) => {
    errors += data;
  });
  return new Promise((resolve, reject) => {
    child.on('close', (status) => (status === 0 ? resolve(output) : reject(new Error(errors))));
  });
}
