import { open, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join as joined } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { Fault } from '../../core/model/fault.ts';
import { diskFault, errorCode } from './disk-fault.ts';
import { makeFolder } from './write-file.ts';

const SQLITE_BUSY = 5;
const SQLITE_READONLY = 8;
const SQLITE_FULL = 13;
const SQLITE_CANTOPEN = 14;
const LONGEST_PAUSE_MS = 25;

export type Lock = {
  /** Runs `work` while no other process holds the lock. Not to be nested. `signal` ends the wait for it, not the work. */
  hold<T>(work: () => Promise<T>, signal?: AbortSignal | undefined): Promise<T>;
  /** As `hold`, without waiting: undefined, and nothing done, where someone else has it, in this process too. */
  tryHold<T>(work: () => Promise<T>): Promise<{ value: T } | undefined>;
  close(): Promise<void>;
};

type Connection = { db: DatabaseSync; inode: number };
type Shared = {
  users: number;
  /** Turns that have not ended. */
  turns: number;
  connection: Connection | undefined;
  last: Promise<unknown>;
};

/** One connection a process: closing a second one would drop the kernel's lock of the first. */
const connections = new Map<string, Shared>();

/**
 * The kernel holds the lock and frees it when the holder dies. Nothing else may ever open this file:
 * closing any descriptor of it drops the lock of the whole process.
 */
export function openLock(path: string, waitMs: number): Lock {
  let shared: Shared | undefined;
  let closed = false;

  async function join(): Promise<Shared> {
    if (closed) throw new Fault('internal', 'The archive was used after it was closed.');
    if (shared) return shared;
    await makeFolder(dirname(path));
    const key = joined(await realpath(dirname(path)), basename(path));
    if (shared) return shared;
    shared = connections.get(key) ?? {
      users: 0,
      turns: 0,
      connection: undefined,
      last: Promise.resolve(),
    };
    shared.users++;
    connections.set(key, shared);
    return shared;
  }

  function turnIn<T>(line: Shared, wait: Wait, work: () => Promise<T>): Promise<T> {
    line.turns++;
    const turn = line.last
      .then(async () => {
        const db = await acquire(path, line, wait);
        try {
          return await work();
        } finally {
          db.exec('ROLLBACK');
        }
      })
      .finally(() => line.turns--);
    line.last = turn.catch(() => {});
    return turn;
  }

  return {
    hold: async (work, signal) => turnIn(await join(), { waitMs, signal }, work),
    async tryHold(work) {
      const line = await join();
      if (line.turns > 0) return undefined;
      let begun = false;
      const turn = turnIn(line, { waitMs: 0 }, async () => {
        begun = true;
        return { value: await work() };
      });
      return turn.catch((error) => {
        if (!begun && error instanceof Fault && error.code === 'busy') return undefined;
        throw error;
      });
    },
    async close() {
      closed = true;
      const line = shared;
      shared = undefined;
      if (!line || --line.users > 0) return;
      await line.last;
      if (line.users > 0) return;
      line.connection?.db.close();
      line.connection = undefined;
      for (const [key, value] of connections) if (value === line) connections.delete(key);
    },
  };
}

/** `performance` would load a module at every start. */
function uptimeMs(): number {
  return process.uptime() * 1000;
}

type Wait = { waitMs: number; signal?: AbortSignal | undefined };

async function acquire(path: string, shared: Shared, { waitMs, signal }: Wait): Promise<DatabaseSync> {
  const until = uptimeMs() + waitMs;
  for (let tries = 0; ; tries++) {
    if (signal?.aborted) throw new Fault('cancelled', 'Stopped while waiting for another process.');
    shared.connection ??= await connect(path);
    const { db, inode } = shared.connection;
    if (begin(db, path)) {
      const now = await stat(path).catch(() => undefined);
      if (now?.ino === inode) return db;
      // The file was removed or replaced since: what we hold is nobody's lock.
      db.exec('ROLLBACK');
      db.close();
      shared.connection = undefined;
      continue;
    }
    const left = until - uptimeMs();
    if (left <= 0) {
      throw new Fault('busy', 'Another process is writing to the archive.', {
        hint: 'Wait for it to finish, then run the command again.',
      });
    }
    const step = Math.min(LONGEST_PAUSE_MS, 1 + tries * 2);
    await pause(Math.min(left, step / 2 + Math.random() * step));
  }
}

async function connect(path: string): Promise<Connection> {
  // Loaded only here: it costs start-up time that reading need not pay.
  const { DatabaseSync } = await import('node:sqlite');
  try {
    await makeFolder(dirname(path));
    // Made by us, for SQLite would leave it readable by all. `wx` does not open a file that is there.
    const made = await open(path, 'wx', 0o600).catch((error) => {
      if (errorCode(error) !== 'EEXIST') throw error;
    });
    await made?.close();
    const { ino } = await stat(path);
    const db = new DatabaseSync(path, { timeout: 0 });
    return { db, inode: ino };
  } catch (error) {
    throw sqliteFault(error, path);
  }
}

function begin(db: DatabaseSync, path: string): boolean {
  try {
    // Nothing is ever written into it, so the rollback journal need not be a file.
    db.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if (primaryCode(error) === SQLITE_BUSY) return false;
    throw sqliteFault(error, path);
  }
}

function primaryCode(error: unknown): number | undefined {
  const code = (error as { errcode?: unknown }).errcode;
  return typeof code === 'number' ? code & 0xff : undefined;
}

function sqliteFault(error: unknown, path: string): unknown {
  const code = primaryCode(error);
  if (code === undefined) return diskFault(error, path, 'write');
  if (code === SQLITE_READONLY || code === SQLITE_CANTOPEN) {
    return diskFault(Object.assign(error as Error, { code: 'EACCES' }), path, 'write');
  }
  if (code === SQLITE_FULL)
    return diskFault(Object.assign(error as Error, { code: 'ENOSPC' }), path, 'write');
  return new Fault('internal', `Keepsake can't lock ${path} (SQLite error ${code}).`, {
    hint: 'The archive must be on a disk that supports file locks; some network disks do not.',
    cause: error,
  });
}
