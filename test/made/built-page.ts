import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';

const UI = join(import.meta.dirname, '..', '..', 'ui');

/** The built page; built here when its sources are newer. */
export async function builtPage(): Promise<string> {
  const first = join(UI, 'dist', 'index.html');
  const built = existsSync(first) ? statSync(first).mtimeMs : 0;
  const sources = readdirSync(join(UI, 'src'), { recursive: true, withFileTypes: true });
  const newer = sources.some(
    (file) => file.isFile() && statSync(join(file.parentPath, file.name)).mtimeMs > built,
  );
  if (newer) await build({ configFile: join(UI, 'vite.config.ts'), logLevel: 'error' });
  return join(UI, 'dist');
}
