import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPostgresHub } from '../../src/adapters/hub-database/open-postgres-hub.ts';
import { POSTGRES_VERSIONS, type PostgresServer, postgresServer } from '../made/postgres-server.ts';
import { hubDatabaseContract } from './hub-database.ts';

describe.each(Object.entries(POSTGRES_VERSIONS))('%s supported server', (_, version) => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await postgresServer(version);
  });
  afterAll(() => server?.close());

  hubDatabaseContract(`PostgreSQL ${version}`, async () => {
    const address = await server.newDatabase();
    const [database, other] = [openPostgresHub(address, 4), openPostgresHub(address, 4)];
    return {
      database,
      other,
      dispose: async () => {
        await database.close();
        await other.close();
      },
    };
  });

  test('row security: without a role no statement reads, changes or adds a row', async () => {
    const address = await server.newDatabase();
    const database = openPostgresHub(address, 2);
    const client = postgres(address, { max: 1, onnotice: () => undefined });
    try {
      await database.prepare();
      await database.addMember({ id: 'm', name: 'anna', addedAt: '', removedAt: null });
      await database.addToken({
        ...{ hash: 't', member: 'm', device: 'd', label: '', createdAt: '', expiresAt: '', revokedAt: null },
      });
      for (const id of ['r', 'q']) await database.addRepo({ id, name: '' }, '');
      await database.setRole({ repo: 'r', member: 'm', role: 'reader' });
      await database.setRole({ repo: 'q', member: 'm', role: 'writer' });
      const access = { repo: 'q', member: 'm', token: 't', now: '2026' };
      await database.append(access, { device: 'd', lane: 'log', seq: 1, id: 'i' }, Buffer.from('x'), {
        name: 'anna',
      });
      // The connection of the hub itself, without having said who asks: nothing.
      expect(await client`select * from segment`).toHaveLength(0);
      for (let at = 0; at < 16; at++)
        expect(await client.unsafe(`select * from segment_${at}`)).toHaveLength(0);
      const as = (repo: string, statement: string) =>
        client.begin(async (inside) => {
          await inside`select set_config('ks.repo', ${repo}, true), set_config('ks.member', 'm', true), set_config('ks.token', 't', true), set_config('ks.now', '2026', true)`;
          return inside.unsafe(statement);
        });
      expect(await as('q', 'select * from segment')).toHaveLength(1);
      expect(await as('r', 'select * from segment')).toHaveLength(0);
      expect(await as('r', "update segment set lane = 'x' returning repo")).toHaveLength(0);
      expect(await as('q', 'delete from segment returning repo')).toHaveLength(0);
      await expect(
        as('r', "insert into segment values ('r', 1, 'd', 'log', 1, 'i', 0, '', null, '')"),
      ).rejects.toMatchObject({ code: '42501' });
      await expect(
        as('q', "insert into segment values ('r', 1, 'd', 'log', 1, 'i', 0, '', null, '')"),
      ).rejects.toMatchObject({ code: '42501' });
    } finally {
      await client.end();
      await database.close();
    }
  });

  test('an administrator, a newer schema and a database of another program are refused', async () => {
    const admin = openPostgresHub(server.admin, 1);
    await expect(admin.prepare()).rejects.toMatchObject({ code: 'config' });
    await admin.close();
    const address = await server.newDatabase();
    const client = postgres(address, { max: 1, onnotice: () => undefined });
    const database = openPostgresHub(address, 1);
    try {
      await database.prepare();
      await client`insert into migration values (99, 'later')`;
      await expect(database.prepare()).rejects.toMatchObject({ code: 'newer-version' });
      await expect(database.check()).rejects.toMatchObject({ code: 'newer-version' });
      await client`delete from migration where number = 99`;
      await client`update migration set name = 'else' where number = 1`;
      await expect(database.prepare()).rejects.toMatchObject({ code: 'corrupt' });
    } finally {
      await client.end();
      await database.close();
    }
  });
});
