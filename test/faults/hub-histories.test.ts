import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPostgresHub } from '../../src/adapters/hub-database/open-postgres-hub.ts';
import { testHub } from '../made/hub-server.ts';
import { type PostgresServer, postgresServer } from '../made/postgres-server.ts';
import { playHistory } from '../made/remote-history.ts';

const HISTORIES = 4;
const STEPS = 8;
let server: PostgresServer;
beforeAll(async () => {
  server = await postgresServer();
});
afterAll(() => server?.close());

// Like the histories around a folder, without the faults that only a folder has: lost or changed files.
test.each(['SQLite', 'PostgreSQL'])(
  'random lives of machines around a hub on %s end alike, with nothing lost and nothing purged left',
  async (kind) => {
    for (let seed = 1; seed <= HISTORIES; seed++) {
      const database = kind === 'SQLite' ? {} : { database: openPostgresHub(await server.newDatabase(), 4) };
      const hub = await testHub(database);
      try {
        const { wrong } = await playHistory(seed, { steps: STEPS, hub });
        expect([seed, wrong]).toEqual([seed, []]);
      } finally {
        await hub.close();
      }
    }
  },
);
