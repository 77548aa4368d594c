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

/** What unfinished writes left in a project's own memory folder: paths. */
export async function placedLeftovers(folder: string): Promise<string[]> {
  const names: string[] = [];
  await walk(folder, '.', names);
  return names.map((name) => join(folder, name)).sort();
}

/** Removes those that were last touched before `beforeMs`: younger ones may be a writer's at work. */
export async function sweepLeftovers(root: string, beforeMs: number): Promise<string[]> {
  const swept: string[] = [];
  for (const name of await leftovers(root)) {
    if (await sweepOne(join(root, name), beforeMs)) swept.push(name);
  }
  return swept;
}

/** Removes these, relative to the root, whose writers are known to be dead. */
export async function sweepNamed(root: string, only: ReadonlySet<string>): Promise<string[]> {
  const named = (await leftovers(root)).filter((name) => only.has(name));
  for (const name of named) await rm(join(root, name), { recursive: true, force: true });
  return named;
}

export async function sweepPlaced(folder: string, beforeMs: number): Promise<string[]> {
  const swept: string[] = [];
  for (const path of await placedLeftovers(folder)) if (await sweepOne(path, beforeMs)) swept.push(path);
  return swept;
}

async function sweepOne(path: string, beforeMs: number): Promise<boolean> {
  const found = await ifThere(lstat(path));
  // A hard link has its file's mtime; its ctime is when the link was made.
  if (!found || Math.max(found.mtimeMs, found.ctimeMs) > beforeMs) return false;
  await rm(path, { recursive: true, force: true });
  return true;
}
