import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { RemoteMachines } from '../../../test/made/remote-machines.ts';
import { workSession } from '../../../test/made/work.ts';
import type { TestWorld } from '../../../test/made/world.ts';
import type { ProjectId, SessionId } from '../../core/model/ids.ts';
import { openSegment } from '../../core/remote/open-segment.ts';
import { parseSegmentName } from '../../core/remote/segment-name.ts';
import { compose } from '../compose/compose.ts';
import { addLink } from '../find/links.ts';
import { allFacts } from '../layers/facts.ts';
import { settleFact } from '../layers/facts-edit.ts';
import { pieceBytes } from '../segment/assemble.ts';
import { openRemote, readRemote } from '../segment/remote-record.ts';
import { streamKey } from '../segment/repo-state.ts';
import { piecesIn, readSegmentLines } from '../segment/segment-lines.ts';
import { SEGMENT_BYTES, sessionPieces } from '../segment/session-pieces.ts';
import { sync } from '../sync/sync.ts';
import { addRemote } from './add-remote.ts';
import { setPrivate } from './private.ts';
import { prepareWholePurge } from './purge-sealed.ts';
import { approveRemote, shareProjects } from './share.ts';
import { syncRemote } from './sync-remote.ts';

const SHOP = '-srv-shop' as ProjectId;
const OTHER = '-srv-pelican' as ProjectId;

let machines: RemoteMachines;
beforeEach(() => {
  machines = new RemoteMachines();
});
afterEach(() => machines.remove());

async function say(world: TestWorld, project: string, session: string, you: string): Promise<void> {
  mkdirSync(join(world.projects, project), { recursive: true });
  const text = workSession(
    session,
    [{ you }, { agent: 'Understood.' }],
    undefined,
    project.replaceAll('-', '/'),
  );
  writeFileSync(join(world.projects, project, `${session}.jsonl`), text);
  await sync(world);
}

/** All lines in the store. */
async function stored(world: TestWorld): Promise<string> {
  const remote = await openRemote(world, await readRemote(world, 'home'));
  const names = readdirSync(machines.store, { recursive: true, encoding: 'utf8' });
  return names
    .flatMap((name) => {
      const parsed = parseSegmentName(name);
      const opened = parsed && openSegment(parsed, readFileSync(join(machines.store, name)), remote);
      return opened?.state === 'read' ? opened.lines : [];
    })
    .join('\n');
}

async function shared(world: TestWorld, project: string): Promise<void> {
  await shareProjects(world, { project });
  await approveRemote(world);
  await syncRemote(world, 'home');
}

test('what is composed of or linked to a project that was not approved leaves once that is approved', async () => {
  const world = machines.add();
  await say(world, SHOP, 'session-shop-1', 'Add a page for gatekeepers.');
  await say(world, OTHER, 'session-bird-2', 'The flamingo budget stays between us.');
  await addLink(world, { session: 'session-bird-2', to: SHOP, reason: 'the same flamingo' });
  await compose(world, 'both', { budget: 900, sessions: ['session-shop-1', 'session-bird-2'] });
  await addRemote(world, { address: machines.store });
  await shared(world, SHOP);
  const lines = await stored(world);
  expect(lines).toContain('gatekeepers');
  expect(lines).not.toMatch(/flamingo|pelican|session-bird-2/);
  await shared(world, OTHER);
  expect(await stored(world)).toMatch(/"t":"composition"/);
});

test.each(['private', 'purged'])(
  'why a fact is not true leaves no word of a session that is %s',
  async (how) => {
    const world = machines.add();
    await say(world, SHOP, 'session-shop-1', 'Add a page for gatekeepers.');
    await say(world, SHOP, 'session-shop-2', 'From now on always ask Heronsgate before a release.');
    const [fact] = await allFacts(world);
    await settleFact(world, fact!.id, { action: 'reject', note: 'Heronsgate left in May.' });
    await addRemote(world, { address: machines.store });
    if (how === 'purged') {
      await shared(world, SHOP);
      expect(await stored(world)).toContain('left in May');
      await (await prepareWholePurge(world, { kind: 'session', session: 'session-shop-2' })).carryOut();
    } else await setPrivate(world, { session: 'session-shop-2' });
    await shared(world, SHOP);
    const lines = await stored(world);
    expect(lines).toContain('gatekeepers');
    expect(lines).not.toMatch(/Heronsgate|left in May/);
  },
);

test('a large session from another machine that continues here is sent in pieces that every machine can read', async () => {
  const world = machines.add();
  mkdirSync(join(world.projects, SHOP), { recursive: true });
  const prints = 'harvest ledger\n'.repeat(60_000);
  const steps = Array.from({ length: 12 }, () => ({ run: 'cat ledger', prints }));
  const path = join(world.projects, SHOP, 'session-shop-1.jsonl');
  writeFileSync(path, workSession('session-shop-1', steps));
  await sync(world);
  const { manifest } = (await world.archive.open(SHOP))!;
  const session = 'session-shop-1' as SessionId;
  const bytes = readFileSync(path).length;
  const received = new Map([[streamKey({ project: SHOP, session }, 'original'), bytes - 1]]);
  const sent = { sealed: new Map(), received, orphaned: new Set<string>(), keys: new Set<string>() };
  const { segments, bytes: leaving } = await sessionPieces(world, { manifest, session, level: 'all' }, sent);
  expect(leaving).toBe(bytes);
  const sizes = segments.map(({ lines }) => lines.reduce((sum, line) => sum + line.length, 0));
  expect(Math.max(...sizes)).toBeLessThan(2 * SEGMENT_BYTES);
  const hash = createHash('sha256');
  for (const { lane, lines } of segments) {
    const read = readSegmentLines(lines)!;
    for (const piece of lane === 'bytes' ? piecesIn(read) : []) {
      for (const data of pieceBytes(read, { session, name: 'original' }, piece)) hash.update(data);
      expect(hash.copy().digest('hex')).toBe(piece.sha256);
    }
  }
  received.set(streamKey({ project: SHOP, session }, 'original'), bytes);
  expect(await sessionPieces(world, { manifest, session, level: 'talk' }, sent)).toMatchObject({
    bytes: 0,
    segments: [],
  });
});
