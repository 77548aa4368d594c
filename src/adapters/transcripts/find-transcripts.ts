import type { BigIntStats, Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import type { FindOptions, FoundFile, FoundTranscript } from '../../ports/transcripts.ts';

/** Folders beside a session's file that belong to it and are no sessions. */
const SIDE_FOLDERS = new Set(['subagents', 'tool-results']);
/** Large, and never a place for sessions. */
const PASSED_BY = new Set(['node_modules', '.git']);
const ENDING = '.jsonl';
/** What Keepsake itself refined. */
const REFINED = '.l1.jsonl';

type Walk = {
  found: FoundTranscript[];
  unreadable: string[];
  hidden: boolean;
  /** Device and inode of every folder and file that was come by: a loop of links ends here. */
  seen: Set<string>;
  /** Links are followed last, so that a file is known by its own path where it has one. */
  links: string[];
};

/** Every transcript below a folder, sorted by path; none of the archive's own, wherever it is. */
export async function findTranscripts(
  folder: string,
  unreadable: string[],
  { hidden = false, archive }: FindOptions & { archive?: string | undefined } = {},
): Promise<FoundTranscript[]> {
  const walk: Walk = { found: [], unreadable, hidden, seen: new Set(), links: [] };
  if (archive !== undefined) {
    if (await liesIn(folder, archive)) return [];
    const own = await statOf(archive);
    if (typeof own !== 'string') walk.seen.add(keyOf(own));
  }
  await visit(folder, walk, 'folder');
  if (walk.links.length > 0) for (const { path } of walk.found) await meet(path, walk);
  for (let link = walk.links.shift(); link !== undefined; link = walk.links.shift()) await follow(link, walk);
  return walk.found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

async function visit(folder: string, walk: Walk, from: 'folder' | 'link'): Promise<void> {
  if (!(await meet(folder, walk))) return;
  let names: Dirent[];
  try {
    names = await readdir(folder, { withFileTypes: true });
  } catch {
    walk.unreadable.push(folder);
    return;
  }
  // Joins paths without resolving `..` and `//` for each of them.
  const base = join(folder, sep);
  const others = new Set(names.filter((name) => !name.isFile()).map(({ name }) => name));
  for (const name of names) {
    const path = base + name.name;
    if (name.isDirectory()) {
      if (mayHold(name.name, walk)) await visit(path, walk, from);
    } else if (name.isSymbolicLink()) {
      if (isTranscript(name.name) || mayHold(name.name, walk)) walk.links.push(path);
    } else if (name.isFile() && isTranscript(name.name)) {
      // Two real names of one file are two files; a link is only another way to one.
      if (from === 'link' && !(await meet(path, walk))) continue;
      // Most sessions have nothing beside them, and to look for it in vain costs more than all else.
      const isAlone = !others.has(name.name.slice(0, -ENDING.length));
      const file = await (isAlone ? withNothing(path) : withSideFiles(path));
      if (file) walk.found.push(file);
    }
  }
}

async function follow(link: string, walk: Walk): Promise<void> {
  const target = await statOf(link);
  if (typeof target === 'string') {
    // A link to nowhere matters only where a transcript should be.
    if (isTranscript(link) || target === 'EACCES') walk.unreadable.push(link);
  } else if (target.isDirectory()) {
    if (mayHold(basename(link), walk)) await visit(link, walk, 'link');
  } else if (target.isFile() && isTranscript(link) && (await meet(link, walk))) {
    const file = await withSideFiles(link);
    if (file) walk.found.push(file);
  }
}

function mayHold(name: string, { hidden }: Walk): boolean {
  return !SIDE_FOLDERS.has(name) && !PASSED_BY.has(name) && (hidden || !name.startsWith('.'));
}

function isTranscript(name: string): boolean {
  return name.endsWith(ENDING) && !name.endsWith(REFINED);
}

/** False if it was come by before, on whatever way. */
async function meet(path: string, { seen }: Walk): Promise<boolean> {
  const found = await statOf(path);
  if (typeof found === 'string') return true;
  const isNew = !seen.has(keyOf(found));
  seen.add(keyOf(found));
  return isNew;
}

function keyOf({ dev, ino }: BigIntStats): string {
  return `${dev}:${ino}`;
}

/** What a path leads to, or the code of the error. */
function statOf(path: string): Promise<BigIntStats | string> {
  return stat(path, { bigint: true }).catch((error: NodeJS.ErrnoException) => error.code ?? 'unknown');
}

/** Whether a path is a folder's own or below it, through whatever links. */
async function liesIn(path: string, folder: string): Promise<boolean> {
  const [inner, outer] = await Promise.all([path, folder].map((it) => realpath(it).catch(() => it)));
  return inner === outer || inner!.startsWith(outer! + sep);
}

export async function withSideFiles(path: string): Promise<FoundTranscript | undefined> {
  const file = await statFile(path);
  return file && { ...file, ...(await sideFiles(path)) };
}

async function withNothing(path: string): Promise<FoundTranscript | undefined> {
  const file = await statFile(path);
  return file && { ...file, beside: [] };
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
  const beside: FoundFile[] = [];
  if (!path.endsWith(ENDING)) return { beside };
  const own = join(dirname(path), basename(path, ENDING));
  for (const folder of SIDE_FOLDERS) {
    const names = await readdir(join(own, folder), { withFileTypes: true }).catch(() => []);
    for (const name of names) {
      const file = name.isFile() ? await statFile(join(own, folder, name.name)) : undefined;
      if (file) beside.push(file);
    }
  }
  return { beside };
}
