import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');
const UI = join(ROOT, 'ui');

/** The built page; built here when its sources are newer. */
export function builtPage(): string {
  const first = join(UI, 'dist', 'index.html');
  const built = existsSync(first) ? statSync(first).mtimeMs : 0;
  const sources = readdirSync(join(UI, 'src'), { recursive: true, withFileTypes: true });
  const newer = sources.some(
    (file) => file.isFile() && statSync(join(file.parentPath, file.name)).mtimeMs > built,
  );
  if (newer) build();
  return join(UI, 'dist');
}

/** As users get it: the test runner's own NODE_ENV would make another one. */
function build(): void {
  const vite = join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js');
  const args = [vite, 'build', '--config', join(UI, 'vite.config.ts'), '--logLevel', 'error'];
  const env = { ...process.env, NODE_ENV: 'production' };
  const run = spawnSync(process.execPath, args, { cwd: ROOT, env, encoding: 'utf8' });
  if (run.status !== 0) throw new Error(`the page was not built: ${run.stderr}${run.stdout}`);
}
