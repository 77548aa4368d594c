import postgres from 'postgres';
import { expect, test } from 'vitest';
import { openPostgresHub } from '../../src/adapters/hub-database/open-postgres-hub.ts';
import { postgresServer } from '../made/postgres-server.ts';

test('when the server dies during transactions they end as busy, and the hub continues with the next one', async () => {
  const server = await postgresServer();
  const address = await server.newDatabase();
  const database = openPostgresHub(address, 2);
  const holding = postgres(address, { max: 1, onnotice: () => undefined, fetch_types: false });
  const waiting = postgres(address, { max: 1, onnotice: () => undefined, fetch_types: false });
  try {
    await database.prepare();
    const at = '2026-01-01T00:00:00.000Z';
    await database.addMember({ id: 'm1', name: 'anna', addedAt: at, removedAt: null });
    // As anybody would who holds the row: what is sent by the hub waits for it.
    const held = Promise.withResolvers<void>();
    void holding
      .begin(async (inside) => {
        await inside`select * from member for update`;
        held.resolve();
        await new Promise(() => undefined);
      })
      .catch(() => undefined);
    await held.promise;
    const removing = [1, 2].map(() => database.removeMember('m1', at));
    const ended = Promise.allSettled(removing);
    const waiters = async () =>
      (
        await waiting`select count(*)::int as count from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
      )[0]!.count;
    await expect.poll(waiters).toBe(2);
    await server.killAndRestart();
    expect(await ended).toMatchObject([1, 2].map(() => ({ status: 'rejected', reason: { code: 'busy' } })));
    await expect
      .poll(() => database.members().catch(() => []))
      .toMatchObject([{ name: 'anna', removedAt: null }]);
    await database.removeMember('m1', at);
    expect(await database.members()).toMatchObject([{ removedAt: at }]);
  } finally {
    await Promise.all([holding.end({ timeout: 1 }), waiting.end({ timeout: 1 })]);
    await database.close();
    await server.close();
  }
});
