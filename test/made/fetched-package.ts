import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const INSTALL_MS = 1_000_000;

/** A package that only tests need, brought from npm once into a cache outside the repository; the path of its folder. */
export function fetchedPackage(name: string, version: string): string {
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'keepsake-test');
  const folder = join(cache, `${name.replace('/', '-')}-${version}`);
  const path = join(folder, 'node_modules', name);
  if (existsSync(path)) return path;
  const temp = join(cache, `.bringing-${name.replace('/', '-')}-${process.pid}`);
  rmSync(temp, { recursive: true, force: true });
  mkdirSync(temp, { recursive: true });
  const options = ['--prefix', temp, '--ignore-scripts', '--no-audit', '--no-fund', '--no-save'];
  const npm = spawnSync('npm', ['install', ...options, `${name}@${version}`], {
    encoding: 'utf8',
    timeout: INSTALL_MS,
    cwd: temp,
  });
  if (npm.status !== 0) {
    rmSync(temp, { recursive: true, force: true });
    throw new Error(`npm could not bring ${name}@${version}: ${npm.stderr ?? npm.error?.message}`);
  }
  // Another test may have brought it meanwhile.
  if (existsSync(path)) rmSync(temp, { recursive: true, force: true });
  else {
    rmSync(folder, { recursive: true, force: true });
    renameSync(temp, folder);
  }
  return path;
}
