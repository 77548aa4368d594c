import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { FoundFile, FoundTranscript } from '../../ports/transcripts.ts';

/** Folders beside a session's file that belong to it and are no sessions. */
const SIDE_FOLDERS = new Set(['subagents', 'tool-results']);

/** Every transcript below a folder, sorted by path. Links are not followed. */
export async function findTranscripts(folder: string, unreadable: string[]): Promise<FoundTranscript[]> {
  const found: FoundTranscript[] = [];
  await walk(folder, found, unreadable);
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

async function walk(folder: string, found: FoundTranscript[], unreadable: string[]): Promise<void> {
  let names: Dirent[];
  try {
    names = await readdir(folder, { withFileTypes: true });
  } catch {
    unreadable.push(folder);
    return;
  }
  for (const name of names) {
    const path = join(folder, name.name);
    if (name.isDirectory()) {
      if (!SIDE_FOLDERS.has(name.name) && !name.name.startsWith('.')) await walk(path, found, unreadable);
    } else if (name.isFile() && name.name.endsWith('.jsonl')) {
      const file = await withSideFiles(path);
      if (file) found.push(file);
    }
  }
}

export async function withSideFiles(path: string): Promise<FoundTranscript | undefined> {
  const file = await statFile(path);
  return file && { ...file, ...(await sideFiles(path)) };
}

async function statFile(path: string): Promise<FoundFile | undefined> {
  try {
    const { size, mtimeMs, dev, ino } = await stat(path);
    return { path, size, mtimeMs, dev, ino };
  } catch {
    return undefined;
  }
}

/** `<session>/subagents/*` and `<session>/tool-results/*` beside `<session>.jsonl`. */
async function sideFiles(path: string): Promise<{ beside: FoundFile[] }> {
  const own = join(dirname(path), basename(path, '.jsonl'));
  const beside: FoundFile[] = [];
  for (const folder of SIDE_FOLDERS) {
    const names = await readdir(join(own, folder), { withFileTypes: true }).catch(() => []);
    for (const name of names) {
      const file = name.isFile() ? await statFile(join(own, folder, name.name)) : undefined;
      if (file) beside.push(file);
    }
  }
  return { beside };
}
