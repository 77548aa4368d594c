import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { builtCli, LAUNCHER } from '../e2e/built-cli.ts';

beforeAll(() => builtCli());

/** The long run of each: `npm run faults -- PART`. */
const SHORT = [
  ['kills', '10', '1'],
  ['calls', '120', '1'],
  ['power', '100', '1'],
  ['clock', '12', '1'],
  ['manifests', '1'],
  ['fuzz', '4000', '1'],
  ['crowd', '10', '1'],
];

test.each(SHORT)('%s: nothing is lost, nothing is corrupt, nothing purged comes back', async (...args) => {
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-short-'));
  const state = args[0] === 'kills' ? [join(folder, 'state.json')] : [];
  const { status, output } = await faults([...args, ...state], folder);
  expect(output).toMatch(/^lost +0\ncorrupt +0\npurged texts back +0$/m);
  expect(status, output).toBe(0);
  rmSync(folder, { recursive: true, force: true });
});

function faults(args: string[], folder: string): Promise<{ status: number | null; output: string }> {
  const program = join(dirname(LAUNCHER), '..');
  const child = spawn(process.execPath, [join(import.meta.dirname, 'run.ts'), ...args], {
    env: { ...process.env, TMPDIR: folder, FAULT_PROGRAM: program, FAULT_LANES: '1' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let output = '';
  child.stdout.on('data', (data) => {
    output += data;
  });
  return new Promise((resolve) => child.on('close', (status) => resolve({ status, output })));
}
