import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { killRun } from './kill-run.ts';

test('writers killed 200 times at random points leave nothing corrupt, lost or dangling', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'keepsake-kill-'));
  const report = await killRun({ folder, kills: 200, lanes: 3, checkEvery: 50 });
  expect(report).toMatchObject({ kills: 200, corrupt: [], lost: [], dangling: [] });
  expect(report.acknowledged).toBeGreaterThan(200);
  await rm(folder, { recursive: true });
});
