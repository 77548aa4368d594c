import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { Fault } from '../../core/model/fault.ts';
import type { HubDatabase } from '../../ports/hub-database.ts';
import type { HubConnection, Row, Run } from './connection.ts';
import { memberTables } from './member-tables.ts';
import { SQLITE_MIGRATIONS } from './sqlite-migrations.ts';
import { sqliteSegments } from './sqlite-segments.ts';

const FILE = 'hub.sqlite';
const WAIT_MS = 10_000;
const RETRY_MS = 5;

/** A hub's data in one file of a folder: for trials, and for small teams on one machine. */
export function openSqliteHub(folder: string): HubDatabase {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // In a folder that was there before, others on the machine may read files.
  guarded(() => closeSync(openSync(join(folder, FILE), 'a', 0o600)));
  const database = guarded(() => new DatabaseSync(join(folder, FILE)));
  database.exec(`pragma busy_timeout = ${WAIT_MS}`);
  // What was deleted must not stay in free pages; what was acknowledged is on the disk.
  for (const pragma of [
    'journal_mode = wal',
    'synchronous = full',
    'secure_delete = on',
    'foreign_keys = on',
  ])
    guarded(() => database.exec(`pragma ${pragma}`));
  // From here on, waiting lets other requests continue.
  database.exec('pragma busy_timeout = 0');
  const connection = sqliteConnection(database);
  const version = () => Number((database.prepare('pragma user_version').get() as Row).user_version);
  return {
    prepare: () =>
      connection.begin(async () => {
        refuseNewer(version());
        for (let at = version(); at < SQLITE_MIGRATIONS.length; at++) {
          for (const statement of SQLITE_MIGRATIONS[at]!.statements) database.exec(statement);
          database.exec(`pragma user_version = ${at + 1}`);
        }
      }),
    check: async () => {
      refuseNewer(version());
      if (version() < SQLITE_MIGRATIONS.length) throw new Fault('config', 'The schema is not up to date.');
      guarded(() => database.prepare('select 1 from hub_setting limit 1').all());
    },
    close: async () => database.close(),
    ...memberTables(connection),
    ...sqliteSegments(connection, () => database.exec('pragma wal_checkpoint(truncate)')),
  };
}

function refuseNewer(version: number): void {
  if (version > SQLITE_MIGRATIONS.length)
    throw new Fault('newer-version', 'A newer version of Keepsake wrote this database.', {
      hint: 'Upgrade Keepsake on this machine, then start the hub again.',
    });
}

/** One connection, so one at a time: what others ask for waits until a transaction has ended. */
function sqliteConnection(database: DatabaseSync): HubConnection {
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work, work);
    last = turn.catch(() => undefined);
    return turn;
  };
  const patiently = async <T>(work: () => T): Promise<T> => {
    for (const until = Date.now() + WAIT_MS; ; ) {
      try {
        return guarded(work);
      } catch (error) {
        if (!(error instanceof Fault && error.code === 'busy') || Date.now() > until) throw error;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  };
  const prepared = new Map<string, ReturnType<DatabaseSync['prepare']>>();
  const runNow: Run = (statement, values = []) =>
    patiently(() => {
      const known = prepared.get(statement) ?? database.prepare(statement.replaceAll(/\$(\d+)/g, '?$1'));
      prepared.set(statement, known);
      return known.all(...(values as SQLInputValue[])) as Row[];
    });
  return {
    run: (statement, values) => inTurn(() => runNow(statement, values)),
    begin: (work) =>
      inTurn(async () => {
        await patiently(() => database.exec('begin immediate'));
        try {
          const done = await work(runNow);
          await patiently(() => database.exec('commit'));
          return done;
        } catch (error) {
          if (database.isTransaction) database.exec('rollback');
          throw error;
        }
      }),
  };
}

function guarded<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const { errcode, message } = error as { errcode?: number; message: string };
    // SQLITE_BUSY and SQLITE_FULL.
    if (errcode === 5)
      throw new Fault('busy', 'The database is busy.', { hint: 'Try again in a moment.', cause: error });
    if (errcode === 13) throw new Fault('disk-full', 'The disk of the hub is full.', { cause: error });
    throw new Fault('internal', `The database of the hub failed: ${message}`, { cause: error });
  }
}
