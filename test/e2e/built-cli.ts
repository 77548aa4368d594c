import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');
const ENTRY = join(ROOT, 'dist', 'cli.cjs');
const LOCK = join(ROOT, 'node_modules', '.keepsake-building');

export const LAUNCHER = join(ROOT, 'bin', 'keepsake');

/** Builds when the sources are newer than the build. Test files run side by side: one builds, the others wait. */
export function ensureBuilt(): void {
  while (isStale()) {
    if (!takeLock()) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
      continue;
    }
    try {
      const rolldown = join(ROOT, 'node_modules', 'rolldown', 'bin', 'cli.mjs');
      const built = spawnSync(process.execPath, [rolldown, '-c'], { cwd: ROOT, encoding: 'utf8' });
      if (built.status !== 0) throw new Error(`the build failed: ${built.stderr}${built.stdout}`);
    } finally {
      rmdirSync(LOCK);
    }
  }
}

function takeLock(): boolean {
  try {
    mkdirSync(LOCK);
    return true;
  } catch {
    // A killed run leaves its lock behind.
    const since = statSync(LOCK, { throwIfNoEntry: false })?.mtimeMs;
    if (since !== undefined && Date.now() - since > 60_000) rmdirSync(LOCK);
    return false;
  }
}

function isStale(): boolean {
  if (!existsSync(ENTRY)) return true;
  const built = statSync(ENTRY).mtimeMs;
  const sources = readdirSync(join(ROOT, 'src'), { recursive: true, withFileTypes: true });
  return sources
    .filter((file) => file.isFile() && file.name.endsWith('.ts') && !file.name.endsWith('.test.ts'))
    .some((file) => statSync(join(file.parentPath, file.name)).mtimeMs > built);
}
