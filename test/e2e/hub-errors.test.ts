import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fillReplica } from '../../src/app/hub/fill-replica.ts';
import { type TestHub, type TestMember, testHub, testMember } from '../made/hub-server.ts';
import { madeTalk, talkLines } from '../made/talk-lines.ts';
import { makeWorld } from '../made/world.ts';

const REPO = 'a'.repeat(32);
const unforeseen: unknown[] = [];
let hub: TestHub;
let anna: TestMember;
beforeAll(async () => {
  hub = await testHub({ failed: (error) => unforeseen.push(error) });
  anna = await testMember(hub, 'anna', 'admin');
});
afterAll(() => hub?.close());

test('an answer that breaks off while it is read is answered, logged and counted as an error', async () => {
  const broken = new Error('the disk went away');
  const { read } = hub.replicas;
  hub.replicas.read = (async () =>
    new Response(new ReadableStream({ pull: (stream) => stream.error(broken) }))) as typeof read;
  try {
    const headers = { authorization: `Bearer ${anna.token}` };
    const answer = await fetch(`${hub.address}/r/${REPO}/api/memory/search?q=oven`, { headers });
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([500, 'no-store']);
    expect(await answer.text()).not.toContain('the disk');
    expect(unforeseen.splice(0)).toEqual([broken]);
    expect(hub.log.at(-1)).toMatchObject({
      ...{ method: 'GET', route: '/r/:repo/api/memory/search', status: 500, member: 'anna' },
    });
    const metrics = await (await fetch(`${hub.address}/metrics`, { headers })).text();
    expect(metrics).toContain('route="/r/:repo/api/memory/search",status="500"} 1');
    expect(metrics).toContain('keepsake_hub_requests_in_flight 1');
  } finally {
    hub.replicas.read = read;
  }
});

test('a sender that disconnects in the middle is logged, and not counted as an error of the hub', async () => {
  const { name, bytes } = anna.seal(REPO, 1, Buffer.alloc(50_000, 'x'));
  const { port } = new URL(hub.address);
  const before = hub.log.length;
  const socket = connect(Number(port), '127.0.0.1');
  const head = [
    ...[`PUT /v1/${name} HTTP/1.1`, 'host: hub', `authorization: Bearer ${anna.token}`],
    ...[`content-length: ${bytes.length + 10_000}`, '', ''],
  ];
  socket.write(Buffer.concat([Buffer.from(head.join('\r\n')), bytes]));
  // Taken in: it waits for the rest.
  await expect.poll(async () => (await inFlight()) > 1).toBe(true);
  socket.destroy();
  const pushed = () => hub.log.slice(before).filter(({ method }) => method === 'PUT');
  await expect.poll(() => pushed().length).toBe(1);
  expect(pushed()).toMatchObject([{ status: 499, member: 'anna' }]);
  expect(unforeseen).toEqual([]);
  expect(await hub.hub.database.repos()).toEqual([]);
  expect(await inFlight()).toBe(1);
});

test('when one session of an index cannot be written, filling still writes the others', async () => {
  const repo = 'c'.repeat(32);
  const talks = await madeTalk({
    oven: [{ you: 'How warm is the oven?', agent: '200 degrees.' }],
    tax: [{ you: 'How high is the tax?', agent: '19 percent.' }],
  });
  const lines = Object.values(talks).flatMap((talk) => talkLines(talk, '-srv-shop'));
  const sealed = anna.sealLines(repo, 1, lines, { lane: 'talk' });
  await anna.store.put(sealed.name, sealed.bytes);
  const world = makeWorld();
  const { extend } = world.archive.originals;
  const running: string[] = [];
  let others = 0;
  const failing: typeof extend = async (project, name, ...rest) => {
    if (name.startsWith('oven')) throw new TypeError('an error of the program');
    running.push(name);
    // Long enough for the other one's error to arrive.
    await new Promise((resolve) => setTimeout(resolve, 300));
    const written = await extend(project, name, ...rest);
    running.splice(running.indexOf(name), 1);
    others++;
    return written;
  };
  try {
    const archive = { ...world.archive, originals: { ...world.archive.originals, extend: failing } };
    const { hash: token, member } = (await hub.hub.database.tokens())[0]!;
    const access = { repo, member, token, now: hub.hub.clock.now() };
    const state = { version: 2 as const, repo, head: 0, removals: 0, streams: {} };
    const filling = fillReplica(hub.hub, access, { world: { ...world, archive }, name: 'shop', state });
    await expect(filling).rejects.toThrow('an error of the program');
    expect({ running, others }).toEqual({ running: [], others: 1 });
    expect(state.head).toBe(0);
  } finally {
    await world.remove();
  }
});

async function inFlight(): Promise<number> {
  const headers = { authorization: `Bearer ${anna.token}` };
  const text = await (await fetch(`${hub.address}/metrics`, { headers })).text();
  return Number(/^keepsake_hub_requests_in_flight (\d+)$/m.exec(text)?.[1]);
}
