import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');
const ENTRY = join(ROOT, 'dist', 'cli.cjs');
const LOCK = join(ROOT, 'node_modules', '.keepsake-building');
const BUILDER = join(LOCK, 'pid');

/** One copy for all files of a run (test/run-folder.ts): what Node compiled of it is used by all of them. */
const run = process.env.KEEPSAKE_TEST_RUN;
const checkout = run === undefined ? mkdtempSync(join(tmpdir(), 'keepsake-built-')) : join(run, 'built');
/** Of a copy: a build beside the tests does not pull the program away from under them. */
export const LAUNCHER = join(checkout, 'bin', 'keepsake');

/** What Node compiled is kept beside it: a home of its own for each test would have it compiled for each. */
export const COMPILED = join(checkout, 'compiled');

/** What a program finds in its environment, in this home. */
export function programEnv(home: string): Record<string, string | undefined> {
  const { PATH } = process.env;
  return { PATH, HOME: home, TMPDIR: tmpdir(), TZ: 'UTC', NODE_COMPILE_CACHE: COMPILED };
}

/** For `beforeAll`; what it gives back is for `afterAll`, as vitest has it. */
export function builtCli(): () => void {
  if (run !== undefined && existsSync(checkout)) return () => undefined;
  ensureBuilt();
  const copy = mkdtempSync(`${checkout}-`);
  for (const part of ['bin', 'dist', 'plugin', 'sample'])
    cpSync(join(ROOT, part), join(copy, part), { recursive: true });
  // Other users run it too.
  chmodSync(copy, 0o755);
  if (run === undefined) rmSync(checkout, { recursive: true });
  try {
    renameSync(copy, checkout);
  } catch (error) {
    // Another file of the run made its copy meanwhile.
    if (!existsSync(LAUNCHER)) throw error;
    rmSync(copy, { recursive: true });
  }
  return () => {
    if (run === undefined) rmSync(checkout, { recursive: true, force: true });
  };
}

/** Builds when the sources are newer than the build. Test files run side by side: one builds, the others wait. */
function ensureBuilt(): void {
  while (isStale()) {
    if (!takeLock()) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
      continue;
    }
    try {
      const script = join(ROOT, 'scripts', 'build.ts');
      const built = spawnSync(process.execPath, [script], { cwd: ROOT, encoding: 'utf8' });
      if (built.status !== 0) throw new Error(`the build failed: ${built.stderr}${built.stdout}`);
    } finally {
      rmSync(LOCK, { recursive: true, force: true });
    }
  }
}

function takeLock(): boolean {
  try {
    mkdirSync(LOCK);
    writeFileSync(BUILDER, String(process.pid));
    return true;
  } catch {
    if (isLeftBehind()) rmSync(LOCK, { recursive: true, force: true });
    return false;
  }
}

/** By a killed run. On a busy machine a build takes minutes: the age of a lock only counts before its builder is noted. */
function isLeftBehind(): boolean {
  try {
    const pid = readFileSync(BUILDER, 'utf8');
    return pid !== '' && !isRunning(Number(pid));
  } catch {
    const since = statSync(LOCK, { throwIfNoEntry: false })?.mtimeMs;
    return since !== undefined && Date.now() - since > 60_000;
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
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
