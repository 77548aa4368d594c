import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ifThere } from './disk-fault.ts';
import { TEMP_PREFIX } from './write-file.ts';

/** Names, relative to the root, of what unfinished writes left. */
export async function leftovers(root: string): Promise<string[]> {
  const names: string[] = [];
  for (const top of ['projects', 'cache']) await walk(root, top, names);
  // Beside config.json.
  const beside = (await ifThere(readdir(root))) ?? [];
  names.push(...beside.filter((name) => name.startsWith(TEMP_PREFIX)));
  return names.sort();
}

async function walk(root: string, below: string, names: string[]): Promise<void> {
  const entries = await ifThere(readdir(join(root, below), { withFileTypes: true }));
  for (const entry of entries ?? []) {
    const name = `${below}/${entry.name}`;
    if (entry.name.startsWith(TEMP_PREFIX)) names.push(name);
    else if (entry.isDirectory()) await walk(root, name, names);
  }
}

/** Removes those that were last touched before `beforeMs`: younger ones may be a writer's at work. */
export async function sweepLeftovers(root: string, beforeMs: number): Promise<string[]> {
  const swept: string[] = [];
  for (const name of await leftovers(root)) {
    const found = await ifThere(lstat(join(root, name)));
    // A hard link has its file's mtime; ctime tells when the link was made.
    if (!found || Math.max(found.mtimeMs, found.ctimeMs) > beforeMs) continue;
    await rm(join(root, name), { recursive: true, force: true });
    swept.push(name);
  }
  return swept;
}
