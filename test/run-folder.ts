import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system in memory, on Linux. */
const MEMORY = '/dev/shm';
const ENOUGH_BYTES = 4 * 2 ** 30;
const PREFIX = 'keepsake-run-';

/**
 * Gives a run of tests one temporary folder for all its files, and deletes it at the end. In memory where there is room:
 * no test cuts the power of the machine, and waiting for a disk takes longer than the tests themselves.
 */
export function setup(): (() => void) | undefined {
  // Called once for each project of vitest.config.ts.
  if (process.env.KEEPSAKE_TEST_RUN !== undefined) return undefined;
  const folder = newFolder(MEMORY) ?? mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
  // As open as the folder that it replaces: some tests act as two users.
  chmodSync(folder, 0o1777);
  process.env.KEEPSAKE_TEST_RUN = folder;
  process.env.KEEPSAKE_TEST_DISK = tmpdir();
  process.env.TMPDIR = folder;
  // Programs that tests start from the sources, again and again.
  process.env.NODE_COMPILE_CACHE = join(folder, 'compiled-sources');
  return () => deleteFolder(folder);
}

/** Undefined if it is too small, or where no program may be started. */
function newFolder(place: string): string | undefined {
  if (process.platform !== 'linux' || !existsSync(place)) return undefined;
  deleteLeftOver(place);
  const { bavail, bsize } = statfsSync(place);
  if (Math.min(bavail * bsize, freemem()) < ENOUGH_BYTES) return undefined;
  const folder = mkdtempSync(join(place, `${PREFIX}${process.pid}-`));
  const program = join(folder, 'program');
  writeFileSync(program, '#!/bin/sh\nexit 0\n', { mode: 0o755 });
  if (spawnSync(program).status === 0) return folder;
  rmSync(folder, { recursive: true });
  return undefined;
}

/** A run that was killed leaves its folder behind, and memory is not deleted by itself. */
function deleteLeftOver(place: string): void {
  for (const name of readdirSync(place)) {
    const pid = name.startsWith(PREFIX) ? Number.parseInt(name.slice(PREFIX.length), 10) : Number.NaN;
    if (Number.isInteger(pid) && !existsSync(`/proc/${pid}`)) deleteFolder(join(place, name));
  }
}

/** A process that a test left may still write there: then the next run deletes it. */
function deleteFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  } catch (error) {
    console.warn(`${folder} could not be deleted: ${error}`);
  }
}
