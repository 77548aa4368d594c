import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPostgresHub } from '../../src/adapters/hub-database/open-postgres-hub.ts';
import { hubStore } from '../../src/adapters/remote-hub/hub-store.ts';
import { type TestHub, testHub, testMember } from '../made/hub-server.ts';
import { type PostgresServer, postgresServer } from '../made/postgres-server.ts';
import { remoteStoreContract } from './remote-store.ts';

async function storesOf(hub: TestHub) {
  const [anna, ben] = [await testMember(hub, 'anna', 'writer'), await testMember(hub, 'ben', 'writer')];
  return {
    store: anna.store,
    other: ben.store,
    segment: (repo: string, seq: number, content: Buffer) => anna.seal(repo, seq, content),
    dispose: hub.close,
  };
}

remoteStoreContract('A hub on SQLite', async () => storesOf(await testHub()));

describe('with PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await postgresServer();
  });
  afterAll(() => server?.close());
  remoteStoreContract('A hub on PostgreSQL', async () =>
    storesOf(await testHub({ database: openPostgresHub(await server.newDatabase()) })),
  );
});

test('without a token, with a wrong token or without a hub the error says what to do', async () => {
  const hub = await testHub();
  const none = { read: async () => undefined, write: async () => undefined };
  try {
    await expect(hubStore(hub.address, none).list('r/')).rejects.toMatchObject({ code: 'config' });
    const wrong = { ...none, read: async () => `kst_${'x'.repeat(43)}` };
    await expect(hubStore(hub.address, wrong).list('r/')).rejects.toMatchObject({ code: 'unauthorized' });
    expect(() => hubStore('http://hub.example.com', none)).toThrow('unencrypted over the network');
    expect(() => hubStore('https://hub.example.com/?x=1', none)).toThrow('not a hub address');
  } finally {
    await hub.close();
  }
  await expect(hubStore(hub.address, { ...none, read: async () => 'x' }).list('r/')).rejects.toMatchObject({
    code: 'remote',
  });
});
