import { randomUUID } from 'node:crypto';
import { constants, copyFileSync, existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

const TRIES = 5;
/** Copies that this run made, by the database. */
const copies = new Map<string, { mark: string; path: string }>();

/** Beside a database while someone writes to it: its log, or what undoes an unfinished change. */
const BESIDE = ['-wal', '-journal'];

/**
 * Another program's database, read and never touched. Without a log beside it nobody writes: it is read as a plain file. With
 * one, opening it would take locks and could make files next to it; so both are copied, and the copy is opened. The same
 * where someone wrote while it was read.
 */
export function readDatabase<T>(path: string, staging: string, work: (database: DatabaseSync) => T): T {
  if (BESIDE.some((end) => existsSync(path + end))) return readFrom(copyOf(path, staging), false, work);
  const mark = markOf(path);
  const isChanged = () => markOf(path) !== mark;
  try {
    const found = readFrom(path, true, work);
    if (!isChanged()) return found;
  } catch (error) {
    if (!isChanged()) throw error;
  }
  return readFrom(copyOf(path, staging), false, work);
}

function readFrom<T>(path: string, immutable: boolean, work: (database: DatabaseSync) => T): T {
  const url = pathToFileURL(path);
  if (immutable) url.searchParams.set('immutable', '1');
  const database = new DatabaseSync(url, { readOnly: immutable, timeout: 2000 });
  try {
    return work(database);
  } finally {
    database.close();
  }
}

/** The state of these files at one moment: copied again as long as something was written meanwhile. */
function copyOf(path: string, staging: string): string {
  const known = copies.get(path);
  if (known && known.mark === markOf(path) && existsSync(known.path)) return known.path;
  if (known) removeCopy(known.path);
  else if (copies.size === 0) process.once('exit', removeAll);
  mkdirSync(staging, { recursive: true, mode: 0o700 });
  const copy = join(staging, `.tmp-${randomUUID()}.db`);
  for (let left = TRIES; ; left--) {
    const mark = markOf(path);
    copyFileSync(path, copy, constants.COPYFILE_FICLONE);
    for (const end of BESIDE) {
      if (existsSync(path + end)) copyFileSync(path + end, copy + end);
      else rmSync(copy + end, { force: true });
    }
    if (mark === markOf(path) || left === 0) {
      copies.set(path, { mark, path: copy });
      return copy;
    }
  }
}

function markOf(path: string): string {
  return ['', ...BESIDE]
    .map((end) => path + end)
    .map((file) => statSync(file, { throwIfNoEntry: false, bigint: true }))
    .map((it) => (it ? `${it.ino}:${it.size}:${it.mtimeNs}` : '-'))
    .join(' ');
}

function removeAll(): void {
  for (const { path } of copies.values()) removeCopy(path);
}

function removeCopy(path: string): void {
  for (const end of ['', ...BESIDE, '-shm']) rmSync(path + end, { force: true });
}
