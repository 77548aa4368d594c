import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { RemoteMachines } from '../../../test/made/remote-machines.ts';
import { workSession } from '../../../test/made/work.ts';
import type { TestWorld } from '../../../test/made/world.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { parseSegmentName } from '../../core/remote/segment-name.ts';
import { allSessions } from '../find/sessions.ts';
import { addKeepit } from '../keepit/change.ts';
import { addFact } from '../layers/facts-edit.ts';
import { search } from '../search/search.ts';
import { abandonedDevices, openRemote, ownDevice, readRemote } from '../segment/remote-record.ts';
import { loadRepoState, readLocal } from '../segment/repo-state.ts';
import { sync } from '../sync/sync.ts';
import { listTeamFacts, promoteFact, reviewOffer } from '../team/team-facts.ts';
import { addRemote } from './add-remote.ts';
import { claimDevice } from './own-devices.ts';
import { setPrivate } from './private.ts';
import { prepareWholePurge } from './purge-sealed.ts';
import { retireDevice } from './remote-status.ts';
import { approveRemote, shareProjects } from './share.ts';
import { syncRemote } from './sync-remote.ts';

let machines: RemoteMachines;
beforeEach(() => {
  machines = new RemoteMachines();
});
afterEach(() => machines.remove());

async function person(
  name: string,
  session: string,
  key?: string,
): Promise<{ world: TestWorld; key: string }> {
  const world = machines.add();
  mkdirSync(join(world.projects, '-srv-shop'), { recursive: true });
  const said = [{ you: `From now on always run the ${session} check.` }, { agent: 'Understood.' }];
  writeFileSync(join(world.projects, '-srv-shop', `${session}.jsonl`), workSession(session, said));
  await sync(world);
  const added = await addRemote(world, {
    address: machines.store,
    team: name,
    ...(key === undefined ? {} : { key }),
  });
  await shareProjects(world, { all: true });
  await approveRemote(world);
  await syncRemote(world, 'team');
  return { world, key: added.key ?? key! };
}

const authors = async (world: TestWorld) =>
  new Map((await allSessions(world)).map(({ sessionId, by }) => [String(sessionId), by]));

test("in a folder that a team shares all keep their names, and only machines that the user named are the user's", async () => {
  const anna = await person('anna', 's1');
  const ben = await person('ben', 's2', anna.key);
  // Someone who has the key and says that they are anna.
  const claims = await person('anna', 's3', anna.key);
  await syncRemote(anna.world, 'team');
  const seen = await authors(anna.world);
  const { device } = await ownDevice(claims.world);
  expect(seen.get('s1')).toBeUndefined();
  expect(seen.get('s2')).toBe('ben');
  expect(seen.get('s3')).toBe(`anna (${device.slice(0, 8)})`);
  await claimDevice(anna.world, { device });
  writeFileSync(
    join(claims.world.projects, '-srv-shop', 's4.jsonl'),
    workSession('s4', [{ you: 'Hello there.' }, { agent: 'Hello.' }]),
  );
  await sync(claims.world);
  await syncRemote(claims.world, 'team');
  await syncRemote(anna.world, 'team');
  const after = await authors(anna.world);
  expect(after.has('s4')).toBe(true);
  expect(after.get('s4')).toBeUndefined();
  // Nobody sends what others said as their own.
  await syncRemote(ben.world, 'team');
  expect((await authors(ben.world)).get('s1')).toBe('anna');
});

test.each([
  { does: 'purges', has: 'has it' },
  { does: 'purges', has: 'never had it' },
  { does: 'makes private', has: 'has it' },
  { does: 'makes private', has: 'never had it' },
])('keepits of a session that a colleague $does go with it on a machine that $has', async ({ does, has }) => {
  const anna = await person('anna', 's1');
  const ben = await person('ben', 's2', anna.key);
  await addKeepit(ben.world, 's2', { text: 'the s2 check', weight: 0.8 });
  await syncRemote(ben.world, 'team');
  if (has === 'never had it')
    for (const name of readdirSync(machines.store, { recursive: true, encoding: 'utf8' }))
      if (/\/(bytes|talk)\/./.test(name))
        rmSync(join(machines.store, name), { recursive: true, force: true });
  await syncRemote(anna.world, 'team');
  const overlays = async () => (await anna.world.archive.open('-srv-shop' as ProjectId))!.manifest.overlays;
  expect((await authors(anna.world)).has('s2')).toBe(has === 'has it');
  expect((await overlays()).map(({ author }) => author)).toEqual(['ben']);
  await addKeepit(anna.world, 's1', { text: 'the s1 check', weight: 0.8 });
  if (does === 'purges')
    await (await prepareWholePurge(ben.world, { kind: 'session', session: 's2' })).carryOut();
  else await setPrivate(ben.world, { session: 's2' });
  for (const { world } of [ben, anna]) await syncRemote(world, 'team');
  expect((await overlays()).map(({ sessionId }) => sessionId)).toEqual(['s1']);
});

test('an offer and its review travel over a plain folder', async () => {
  const anna = await person('anna', 's1');
  const { id } = await addFact(anna.world, {
    content: 'Prices are stored in cents.',
    kind: 'fact',
    project: '-srv-shop',
  });
  await promoteFact(anna.world, id);
  await syncRemote(anna.world, 'team');
  const ben = await person('ben', 's2', anna.key);
  const [offer] = await listTeamFacts(ben.world, { waiting: true });
  expect(offer).toMatchObject({ author: 'anna', state: 'offered' });
  await reviewOffer(ben.world, offer!.id, { verdict: 'accept' });
  await syncRemote(ben.world, 'team');
  await syncRemote(anna.world, 'team');
  expect(await listTeamFacts(anna.world)).toMatchObject([{ author: '', state: 'accepted', reviewer: 'ben' }]);
});

/** Which remote machines nobody waits for any more. */
async function retiredFor(world: TestWorld): Promise<string[]> {
  const remote = await openRemote(world, await readRemote(world, 'team'));
  const [repo] = (await world.remotes!().then(({ files }) => files.list('team/repos'))).map(
    (it) => it.split('/')[0]!,
  );
  return abandonedDevices(remote, await loadRepoState(remote, repo!));
}

test('a colleague who retires a machine of somebody else is not obeyed', async () => {
  const anna = await person('anna', 's1');
  const laptop = await person('anna', 's3', anna.key);
  const ben = await person('ben', 's2', anna.key);
  const { device } = await ownDevice(laptop.world);
  await syncRemote(anna.world, 'team');
  await claimDevice(anna.world, { device });
  await syncRemote(ben.world, 'team');
  await retireDevice(ben.world, { device });
  for (const { world } of [ben, anna]) await syncRemote(world, 'team');
  expect(await retiredFor(anna.world)).toEqual([]);
  await retireDevice(anna.world, { device });
  await syncRemote(anna.world, 'team');
  expect(await retiredFor(anna.world)).toEqual([device]);
});

test('a colleague keeps their name where their segments are sealed again', async () => {
  const anna = await person('anna', 's1');
  const ben = await person('ben', 's2', anna.key);
  await syncRemote(anna.world, 'team');
  expect((await authors(anna.world)).get('s2')).toBe('ben');
  // Only what was sent before is sealed again: nothing new says the name.
  await (await prepareWholePurge(ben.world, { kind: 'text', text: 'always run the s2 check' })).carryOut();
  const remote = await openRemote(ben.world, await readRemote(ben.world, 'team'));
  const own: string[] = [];
  for (const name of await remote.remotes.files.list('team/repos')) {
    const parsed = parseSegmentName(`r/${name.replace('/own/', `/${remote.device.device}/`)}`);
    if (parsed && name.includes('/own/'))
      own.push(JSON.stringify((await readLocal(remote, `team/repos/${name}`, parsed))![0]));
  }
  expect(own.length).toBeGreaterThan(2);
  for (const line of own) expect(line).toContain('"member":"ben"');
  for (const { world } of [ben, anna]) await syncRemote(world, 'team');
  expect((await authors(anna.world)).get('s2')).toBe('ben');
});

test.each(['all', 'talk'] as const)(
  "words that a colleague adds to a copy of someone's session are that colleague's (%s)",
  async (level) => {
    const anna = await person('anna', 's1');
    const machine = machines.add();
    const said = [
      { you: 'From now on always run the s1 check.' },
      { agent: 'Understood.' },
      { you: 'From now on always call the zebrafish.' },
      { agent: 'Understood.' },
    ];
    mkdirSync(join(machine.projects, '-srv-shop'), { recursive: true });
    writeFileSync(join(machine.projects, '-srv-shop', 's1.jsonl'), workSession('s1', said));
    await sync(machine);
    await addRemote(machine, { address: machines.store, team: 'mallory', key: anna.key, light: true });
    await shareProjects(machine, { all: true, level });
    await approveRemote(machine);
    await syncRemote(machine, 'team', { direction: 'push' });
    const ben = await person('ben', 's2', anna.key);
    for (const world of [anna.world, ben.world]) {
      await syncRemote(world, 'team');
      const { hits } = await search(world, { query: 'zebrafish' });
      expect(hits.length).toBeGreaterThan(0);
      expect(new Set(hits.map(({ by }) => by))).toEqual(new Set(['mallory']));
      const own = await search(world, { query: 'check' });
      expect(new Set(own.hits.map(({ by }) => by))).toContain(world === anna.world ? undefined : 'anna');
    }
  },
);
