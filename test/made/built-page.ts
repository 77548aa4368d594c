import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');
const UI = join(ROOT, 'ui');

/** The built page; when its sources are newer, one built aside, so that two test files at once do not meet. */
export function builtPage(): string {
  const first = join(UI, 'dist', 'index.html');
  const since = existsSync(first) ? statSync(first).mtimeMs : 0;
  const sources = readdirSync(join(UI, 'src'), { recursive: true, withFileTypes: true });
  const newer = sources.some(
    (file) => file.isFile() && statSync(join(file.parentPath, file.name)).mtimeMs > since,
  );
  return newer ? built() : join(UI, 'dist');
}

/** As users get it: the test runner's own NODE_ENV would make another one. */
function built(): string {
  const place = mkdtempSync(join(tmpdir(), 'keepsake-page-'));
  process.once('exit', () => rmSync(place, { recursive: true, force: true }));
  const vite = join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js');
  const args = [
    vite,
    'build',
    '--config',
    join(UI, 'vite.config.ts'),
    '--logLevel',
    'error',
    '--outDir',
    place,
  ];
  const env = { ...process.env, NODE_ENV: 'production' };
  const run = spawnSync(process.execPath, args, { cwd: ROOT, env, encoding: 'utf8' });
  if (run.status !== 0) throw new Error(`the page was not built: ${run.stderr}${run.stdout}`);
  return place;
}
