import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { Fault } from '../../core/model/fault.ts';
import { type Connection, connect } from './connection.ts';
import { inodeOf } from './inode-of.ts';
import { makeIndex } from './make-index.ts';
import { millisNow } from './millis-now.ts';
import { makeSchema, schemaState } from './schema.ts';
import { isBusy, isRemovedFile, sqliteFault } from './sqlite-fault.ts';

const LONGEST_PAUSE_MS = 25;
/** Readers only ever wait while another process opens or closes the WAL. */
const READ_WAIT_MS = 200;
const MOST_READ_WAIT_MS = 1500;
/** An index that is rebuilt again and again while it is opened is a bug elsewhere. */
const MOST_TRIES = 50;

/** One connection for writing, and as many for reading as there are views. */
export class IndexConnections {
  readonly #path: string;
  readonly #waitMs: number;
  readonly #idle: Connection[] = [];
  #writer: Connection | undefined;
  #closed = false;
  #last: Promise<void> = Promise.resolve();

  constructor(path: string, waitMs: number) {
    this.#path = path;
    this.#waitMs = waitMs;
  }

  /** In a read transaction, until it is released; `otherwise` when there is nothing to read. */
  async lend<T>(work: (connection: Connection, release: () => void) => T, otherwise: () => T): Promise<T> {
    try {
      const connection = await this.#reader();
      if (!connection) return otherwise();
      try {
        return work(connection, () => this.#release(connection));
      } catch (error) {
        connection.db.close();
        throw error;
      }
    } catch (error) {
      throw sqliteFault(error, this.#path);
    }
  }

  read<T>(work: (db: DatabaseSync) => T, otherwise: T): Promise<T> {
    return this.lend(
      ({ db }, release) => {
        const result = work(db);
        release();
        return result;
      },
      () => otherwise,
    );
  }

  /** In one transaction, which a fault undoes. Does nothing where no index is, unless it may be made. */
  write(mayMake: boolean, work: (db: DatabaseSync) => void): Promise<void> {
    return this.#inTurn(() => this.#write(mayMake, work));
  }

  async #write(mayMake: boolean, work: (db: DatabaseSync) => void): Promise<void> {
    for (let tries = 0; ; tries++) {
      try {
        const db = await this.#begin(mayMake);
        if (db) this.#transact(db, work);
        return;
      } catch (error) {
        // Its files were deleted under it: nothing of it is left, and it is done again on the new ones.
        if (!isRemovedFile(error) || tries >= MOST_TRIES) throw sqliteFault(error, this.#path);
        this.#writer?.db.close();
        this.#writer = undefined;
      }
    }
  }

  #transact(db: DatabaseSync, work: (db: DatabaseSync) => void): void {
    try {
      if (schemaState(db, this.#path) === 'older') makeSchema(db);
      work(db);
      db.exec('COMMIT');
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK');
      throw error;
    }
  }

  /** Runs `work` with nothing open but views; connections open again when they are needed. */
  withoutAny(work: () => Promise<void>): Promise<void> {
    return this.#inTurn(async () => {
      this.#closeIdle();
      await work();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#last;
    this.#closeIdle();
  }

  #closeIdle(): void {
    this.#writer?.db.close();
    this.#writer = undefined;
    for (const { db } of this.#idle.splice(0)) db.close();
  }

  /** Writers of one process share a connection, which holds one transaction at a time. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => {});
    return turn;
  }

  async #reader(): Promise<Connection | undefined> {
    this.#refuseIfClosed();
    for (let tries = 0; ; tries++) {
      const connection = await this.#connected(tries);
      if (connection === 'taken away') continue;
      if (!connection) return undefined;
      let found: 'current' | 'older' | undefined;
      let failure: unknown;
      try {
        connection.db.exec('BEGIN');
        found = schemaState(connection.db, this.#path);
      } catch (error) {
        failure = error;
      }
      // Another process deleted or rebuilt it: what was read belongs to a file that is gone.
      const moved = inodeOf(this.#path) !== connection.inode;
      if (found === 'current' && !moved) return connection;
      connection.db.close();
      if ((moved || isRemovedFile(failure)) && tries < MOST_TRIES) {
        if (!moved) await pause(1 + Math.random() * LONGEST_PAUSE_MS);
        continue;
      }
      if (failure === undefined) return undefined;
      throw failure;
    }
  }

  async #connected(tries: number): Promise<Connection | 'taken away' | undefined> {
    try {
      return (
        this.#idle.pop() ??
        (await connect(this.#path, Math.max(Math.min(this.#waitMs, MOST_READ_WAIT_MS), READ_WAIT_MS)))
      );
    } catch (error) {
      if (!isRemovedFile(error) || tries >= MOST_TRIES) throw error;
      await pause(1 + Math.random() * LONGEST_PAUSE_MS);
      return 'taken away';
    }
  }

  #release(connection: Connection): void {
    if (!connection.db.isOpen) return;
    if (this.#closed) connection.db.close();
    else {
      connection.db.exec('ROLLBACK');
      this.#idle.push(connection);
    }
  }

  /** The writer's lock, on an index that is where it should be. */
  async #begin(mayMake: boolean): Promise<DatabaseSync | undefined> {
    this.#refuseIfClosed();
    const until = millisNow() + this.#waitMs;
    for (let tries = 0; ; tries++) {
      try {
        this.#writer ??= await connect(this.#path, 0);
        if (!this.#writer) {
          if (!mayMake) return undefined;
          if (tries > MOST_TRIES) {
            throw new Fault(
              'conflict',
              `The search index ${this.#path} is deleted by another program again and again.`,
            );
          }
          await makeIndex(this.#path, this.#waitMs);
          continue;
        }
        const { db, inode } = this.#writer;
        db.exec('BEGIN IMMEDIATE');
        if (inodeOf(this.#path) === inode) return db;
        db.close();
        this.#writer = undefined;
      } catch (error) {
        const left = until - millisNow();
        if (!isBusy(error) || left <= 0) throw error;
        if (isRemovedFile(error)) {
          this.#writer?.db.close();
          this.#writer = undefined;
        }
        // Awaited, not slept: this process may have other things to do.
        const step = Math.min(LONGEST_PAUSE_MS, 1 + tries * 2);
        await pause(Math.min(left, step / 2 + Math.random() * step));
      }
    }
  }

  #refuseIfClosed(): void {
    if (this.#closed) throw new Fault('internal', 'The search index was used after it was closed.');
  }
}
