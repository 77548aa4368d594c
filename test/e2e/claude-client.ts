import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The version that everything here was tried with. */
const VERSION = '2.1.325';

/**
 * The real client, brought from npm once into a cache outside the repository: it is 350 MB, so no dependency. A sentence
 * instead of a path where it can't be had.
 */
export function claudeClient(): { path: string } | { missing: string } {
  const name = `claude-code-${process.platform}-${process.arch}`;
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'keepsake-test');
  const folder = join(cache, `claude-code-${VERSION}`);
  const file = process.platform === 'win32' ? 'claude.exe' : 'claude';
  const path = join(folder, 'node_modules', '@anthropic-ai', name, file);
  if (existsSync(path)) return { path };
  const temp = join(cache, `.bringing-${process.pid}`);
  rmSync(temp, { recursive: true, force: true });
  mkdirSync(temp, { recursive: true });
  const wanted = `@anthropic-ai/${name}@${VERSION}`;
  const npm = spawnSync(
    'npm',
    [
      'install',
      '--prefix',
      temp,
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--no-save',
      '--force',
      wanted,
    ],
    { encoding: 'utf8', timeout: 1_000_000, cwd: temp },
  );
  if (npm.status === 0 && existsSync(join(temp, 'node_modules', '@anthropic-ai', name, file))) {
    rmSync(folder, { recursive: true, force: true });
    renameSync(temp, folder);
    return { path };
  }
  rmSync(temp, { recursive: true, force: true });
  const said = `${npm.stderr ?? ''}${npm.error?.message ?? ''}`;
  if (
    /E404|ENOTFOUND|ECONNREFUSED|ETIMEDOUT|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|network|ETARGET|ENOENT/i.test(
      said,
    )
  )
    return { missing: `${wanted} can't be had from npm here: ${said.trim().split('\n')[0] ?? ''}` };
  throw new Error(`npm could not bring ${wanted}: ${said}`);
}
