import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPostgresHub } from '../../src/adapters/hub-database/open-postgres-hub.ts';
import { zstdPacking } from '../../src/adapters/remotes/zstd-packing.ts';
import { segmentHeaderSchema } from '../../src/core/remote/segment-header.ts';
import { type TestHub, testHub, testMember } from '../made/hub-server.ts';
import { type PostgresServer, postgresServer } from '../made/postgres-server.ts';

const REPO = 'a'.repeat(32);
const [SECRET, OTHER] = ['a word that must go', 'a word that may stay'];
let server: PostgresServer;
let hub: TestHub;
let address: string;
beforeAll(async () => {
  server = await postgresServer();
  address = await server.newDatabase();
  hub = await testHub({ database: openPostgresHub(address) });
});
afterAll(async () => {
  await hub?.close();
  await server?.close();
});

/** As the administrator: a dump of a plain user would be stopped by row security. */
function asAdmin(database: string): string {
  const url = new URL(server.admin);
  url.pathname = new URL(database).pathname;
  return url.href;
}

function tool(command: string, args: string[], input = ''): string {
  const ran = spawnSync(command, args, { encoding: 'utf8', input, maxBuffer: 1 << 28 });
  expect(ran.error?.message, `${command} is needed: apt-get install postgresql-client`).toBeUndefined();
  expect([ran.status, ran.stderr]).toEqual([0, '']);
  return ran.stdout;
}

const dump = () => tool('pg_dump', ['--no-owner', '--no-privileges', asAdmin(address)]);

/** Every segment of a dump, unpacked, and the dump itself. */
function wordsIn(text: string): string {
  const bodies = [...text.matchAll(/\\\\x([0-9a-f]{100,})/g)].map(([, hex]) => Buffer.from(hex!, 'hex'));
  const unpacked = bodies.map((bytes) => {
    const end = bytes.indexOf(10) + 1;
    const { raw } = segmentHeaderSchema.parse(JSON.parse(bytes.subarray(0, end).toString('utf8')));
    return zstdPacking.unpack(bytes.subarray(end + 64), raw)!.toString('utf8');
  });
  const said = unpacked.flatMap((lines) =>
    [...lines.matchAll(/"base64":"([^"]+)"/g)].map(([, data]) =>
      Buffer.from(data!, 'base64').toString('utf8'),
    ),
  );
  return [text, ...unpacked, ...said].join('\n');
}

test('after a deletion pg_dump contains the text in no form, and a restored dump is a hub with everything else', async () => {
  const anna = await testMember(hub, 'anna', 'writer');
  const [secret, other] = [anna.seal(REPO, 1, Buffer.from(SECRET)), anna.seal(REPO, 2, Buffer.from(OTHER))];
  for (const { name, bytes } of [secret, other]) await anna.store.put(name, bytes);
  expect(wordsIn(dump())).toContain(SECRET);
  await anna.store.remove(secret.name);
  const after = dump();
  expect(wordsIn(after)).not.toContain(SECRET);
  expect(wordsIn(after)).toContain(OTHER);
  expect(after).not.toContain(secret.bytes.subarray(-60).toString('hex'));
  expect(after).not.toContain(anna.token);

  const restored = await server.newDatabase();
  const user = new URL(restored).username;
  tool(
    'psql',
    ['-q', '-v', 'ON_ERROR_STOP=1', '-o', '/dev/null', asAdmin(restored)],
    `set role ${user};\n${after}`,
  );
  const second = await testHub({ database: openPostgresHub(restored) });
  try {
    const answer = await fetch(`${second.address}/v1/${other.name}`, {
      headers: { authorization: `Bearer ${anna.token}` },
    });
    expect(Buffer.from(await answer.arrayBuffer()).equals(other.bytes)).toBe(true);
    const gone = await fetch(`${second.address}/v1/${secret.name}`, {
      headers: { authorization: `Bearer ${anna.token}` },
    });
    expect(gone.status).toBe(404);
    const next = await testMember(second, 'ben', 'writer');
    const sent = next.seal(REPO, 1, Buffer.from('goes on'));
    await next.store.put(sent.name, sent.bytes);
    expect((await second.hub.database.repos())[0]?.head).toBe(3);
  } finally {
    await second.close();
  }
});
