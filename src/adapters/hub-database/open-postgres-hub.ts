import postgres from 'postgres';
import { Fault } from '../../core/model/fault.ts';
import type { HubDatabase } from '../../ports/hub-database.ts';
import type { HubConnection, Row, Run } from './connection.ts';
import { memberTables } from './member-tables.ts';
import { POSTGRES_MIGRATIONS } from './postgres-migrations.ts';
import { postgresSegments } from './postgres-segments.ts';

const CONNECTIONS = 10;
const CONNECT_SECONDS = 10;
const OLDEST = 150_000;
/** "Keepsake" as a number: of several hubs that start at once, one migrates. */
const MIGRATION_LOCK = 75_201_129;

/** A hub's data in PostgreSQL 15 or newer. Any number of hubs can use one database. */
export function openPostgresHub(address: string, connections = CONNECTIONS): HubDatabase {
  const client = postgres(address, {
    max: connections,
    connect_timeout: CONNECT_SECONDS,
    onnotice: () => undefined,
    // No column is an array; and a server that ends while they are asked for would end the hub.
    fetch_types: false,
    connection: { application_name: 'keepsake-hub' },
  });
  const connection = postgresConnection(client);
  const { run } = connection;
  return {
    prepare: async () => {
      await refuseUnfit(run);
      await migrate(connection);
    },
    check: async () => {
      const [row] = await run('select count(*) as applied from migration');
      const applied = Number(row?.applied);
      refuseNewer(applied);
      if (applied < POSTGRES_MIGRATIONS.length) throw new Fault('config', 'The schema is not up to date.');
    },
    close: () => client.end({ timeout: 2 }),
    ...memberTables(connection),
    ...postgresSegments(connection),
  };
}

/** An administrator of the database is not bound by row security: the second fence would not be there. */
async function refuseUnfit(run: Run): Promise<void> {
  const [row] = await run(
    "select current_setting('server_version_num')::int as version, rolsuper or rolbypassrls as is_free, current_user as name from pg_roles where rolname = current_user",
  );
  if (Number(row?.version) < OLDEST)
    throw new Fault('config', 'The hub needs PostgreSQL 15 or newer.', { hint: 'Upgrade the server.' });
  if (row?.is_free === true)
    throw new Fault('config', `${row.name} is a superuser or can bypass row security.`, {
      hint: 'Use a user without these rights that owns the database: create role hub login; create database hub owner hub;',
    });
}

async function migrate({ begin }: HubConnection): Promise<void> {
  await begin(async (run) => {
    await run('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    await run('create table if not exists migration (number integer primary key, name text not null)');
    const rows = await run('select number, name from migration order by number');
    refuseNewer(rows.length);
    for (const [at, { name, statements }] of POSTGRES_MIGRATIONS.entries()) {
      const known = rows[at];
      if (known && (Number(known.number) !== at + 1 || known.name !== name))
        throw new Fault('corrupt', `Migration ${at + 1} of the database is not one of Keepsake.`, {
          hint: 'The database may belong to another program. Use a separate database for the hub.',
        });
      if (known) continue;
      for (const statement of statements) await run(statement);
      await run('insert into migration (number, name) values ($1, $2)', [at + 1, name]);
    }
  });
}

function refuseNewer(applied: number): void {
  if (applied > POSTGRES_MIGRATIONS.length)
    throw new Fault('newer-version', 'A newer version of Keepsake migrated this database.', {
      hint: 'Upgrade every hub that uses it.',
    });
}

function postgresConnection(client: postgres.Sql): HubConnection {
  const runOn =
    (on: { unsafe: postgres.Sql['unsafe'] }): Run =>
    (statement, values = []) =>
      guarded(async () => {
        const rows = await on.unsafe(statement, values as never[], { prepare: values.length > 0 });
        return rows as unknown as Row[];
      });
  return {
    run: runOn(client),
    begin: (work) => guarded(() => client.begin((inside) => unlessGone(work(runOn(inside))))) as never,
  };
}

/**
 * The client would send a rollback over a connection that is gone, which ends the process. So it is not told: it ends the
 * transaction itself when it sees the connection close.
 */
async function unlessGone<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (isGone(error)) return new Promise(() => undefined);
    throw error;
  }
}

/** The connection is closed, or the server closes it next. */
function isGone(error: unknown): boolean {
  const { cause } = error as { cause?: { code?: unknown; severity?: unknown } };
  if (cause?.severity !== undefined) return cause.severity === 'FATAL' || cause.severity === 'PANIC';
  return typeof cause?.code === 'string' && LOST.test(cause.code);
}

const LOST = /^(?:CONNECT|ECONN|EPIPE|EAI_AGAIN|ENOTFOUND|ETIMEDOUT)/;
/** What a server says when it ends, starts or refuses more connections; and what the way to it says. */
const PASSING =
  /^(?:CONNECT|ECONN|EPIPE|EAI_AGAIN|ENOTFOUND|ETIMEDOUT|CONNECTION_|57P0[123]|53300|08|40001|40P01)/;

async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Fault) throw error;
    const { code = '', message } = error as { code?: string; message: string };
    if (code === '42501')
      throw new Fault('forbidden', 'The role of this member does not allow this in this repository.', {
        hint: 'Ask an admin of the repository or of the hub for a role.',
        cause: error,
      });
    if (code === '53100') throw new Fault('disk-full', 'The disk of the database is full.', { cause: error });
    if (code === '28P01' || code === '28000' || code === '3D000')
      throw new Fault('config', `The database refused the connection: ${message}.`, {
        hint: 'Check user, password and database in the address.',
        cause: error,
      });
    if (PASSING.test(code))
      throw new Fault('busy', `The database does not answer (${code}).`, {
        hint: 'Nothing is lost: try again in a moment.',
        cause: error,
      });
    throw new Fault('internal', `The database of the hub failed: ${message}`, { cause: error });
  }
}
