import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isSessionId, type ProjectId, sanitizePath, secondProjectId } from '../../core/model/ids.ts';
import { ifThere } from './disk-fault.ts';
import { readFully } from './write-file.ts';

const LOOKED_AT = 50;
const FIRST_LINES = 64 * 1024;

/** The sessions whose own copies are in a project's folder. */
export async function originalIds(folder: string): Promise<string[]> {
  const names = (await ifThere(readdir(join(folder, 'originals')))) ?? [];
  return names
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => name.slice(0, -'.jsonl'.length))
    .filter(isSessionId)
    .sort();
}

/** The working directory that the project is named after, if one of the first originals names it. */
export async function firstCwd(
  folder: string,
  ids: string[],
  project: ProjectId,
): Promise<string | undefined> {
  for (const id of ids.slice(0, LOOKED_AT)) {
    for (const line of await firstLines(join(folder, 'originals', `${id}.jsonl`))) {
      const cwd = cwdOf(line);
      if (cwd !== undefined && [sanitizePath(cwd), secondProjectId(cwd)].includes(project)) return cwd;
    }
  }
  return undefined;
}

async function firstLines(path: string): Promise<string[]> {
  const file = await ifThere(open(path, 'r'));
  if (!file) return [];
  try {
    return (await readFully(file, Buffer.alloc(FIRST_LINES), 0)).toString('utf8').split('\n');
  } finally {
    await file.close();
  }
}

function cwdOf(line: string): string | undefined {
  try {
    const cwd = (JSON.parse(line) as { cwd?: unknown } | null)?.cwd;
    return typeof cwd === 'string' ? cwd : undefined;
  } catch {
    return undefined;
  }
}
