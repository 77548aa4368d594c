import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const HISTORIES = 200;
const LANES = 2;
const STEPS = 8;
/** This many histories of each lane also have light machines and purges of whole sessions. */
const WIDE = 10;

/** Runs `npm run faults -- remotes`; returns its last line and its exit status. */
function played(
  count: number,
  seed: number,
  ...options: string[]
): Promise<{ status: number | null; printed: string }> {
  const args = [
    join(import.meta.dirname, 'run.ts'),
    'remotes',
    String(count),
    String(seed),
    `--steps=${STEPS}`,
    ...options,
  ];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  child.stdout.on('data', (data) => {
    printed += data;
  });
  return new Promise((resolve) => child.on('close', (status) => resolve({ status, printed })));
}

// Every failure is printed with its seed: `npm run faults -- remotes 1 SEED --steps=8 --trace` repeats it (with `--narrow` for a narrow one).
test(`${HISTORIES} random lives of machines around a failing store end alike, with nothing lost and nothing purged left`, async () => {
  const each = HISTORIES / LANES;
  const lanes = Array.from({ length: LANES }, async (_, lane) => {
    const { status, printed } = await played(each, 1 + lane * each, `--wide=${WIDE}`);
    expect(printed).toContain(`${each} of ${each} histories end in the same state`);
    expect(status, printed).toBe(0);
  });
  await Promise.all(lanes);
});
