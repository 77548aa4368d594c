import { Fault } from '../../core/model/fault.ts';

const BUSY = new Set([5, 6, 15]);
/** SQL that fails (1), malformed (11), a broken key (19), a wrong type (20), not a database (26). */
const CORRUPT = new Set([1, 11, 19, 20, 26]);
const FORBIDDEN = new Set([3, 8, 14, 23]);
const FULL = 13;
/** A file that ends in the middle of a page. */
const SHORT_READ = 522;

/** A file next to the index (WAL, shared memory) that another process deleted while it was being opened. */
const REMOVED = new Set([1802, 4618, 4874, 5386, 5898]);

/** SQLite's or the system's error as a fault; busy is never taken for corruption. */
export function sqliteFault(error: unknown, path: string): unknown {
  if (error instanceof Fault) return error;
  const { errcode, code } = error as { errcode?: unknown; code?: unknown };
  if (typeof errcode === 'number') return byNumber(error, errcode, path);
  // An integer that no number can hold was never written by us.
  if (code === 'ERR_OUT_OF_RANGE') return corruptIndex(path, error);
  if (code === 'ENOSPC' || code === 'EDQUOT') return diskFull(path, error);
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return readOnly(path, error);
  return error;
}

export function isBusy(error: unknown): boolean {
  const { errcode } = error as { errcode?: unknown };
  return typeof errcode === 'number' && (BUSY.has(errcode & 0xff) || REMOVED.has(errcode));
}

/** Trying again with the same connection would not help. */
export function isRemovedFile(error: unknown): boolean {
  const { errcode } = (error ?? {}) as { errcode?: unknown };
  return typeof errcode === 'number' && REMOVED.has(errcode);
}

export function corruptIndex(path: string, cause?: unknown): Fault {
  return new Fault('corrupt', `The search index ${path} is damaged.`, {
    hint: 'Keepsake rebuilds it from the archive.',
    cause,
  });
}

function byNumber(error: unknown, errcode: number, path: string): Fault {
  const primary = errcode & 0xff;
  if (BUSY.has(primary) || REMOVED.has(errcode)) {
    return new Fault('busy', 'Another process is writing to the search index.', {
      hint: 'Wait for it to finish, then run the command again.',
      cause: error,
    });
  }
  if (CORRUPT.has(primary) || errcode === SHORT_READ) return corruptIndex(path, error);
  if (FORBIDDEN.has(primary)) return readOnly(path, error);
  if (primary === FULL) return diskFull(path, error);
  return new Fault('unreadable', `The search index ${path} can't be used (SQLite error ${errcode}).`, {
    hint: 'Check the disk. You can delete the index at any time.',
    cause: error,
  });
}

function readOnly(path: string, cause: unknown): Fault {
  return new Fault('read-only', `The search index ${path} can't be opened for writing.`, {
    hint: 'Check the owner and the permissions of the archive folder.',
    cause,
  });
}

function diskFull(path: string, cause: unknown): Fault {
  return new Fault('disk-full', `No space left for the search index ${path}. It is unchanged.`, {
    hint: 'Free some space (or raise the quota), then run the command again.',
    cause,
  });
}
