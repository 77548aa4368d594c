import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { RemoteMachines } from '../../../test/made/remote-machines.ts';
import { workSession } from '../../../test/made/work.ts';
import type { TestWorld } from '../../../test/made/world.ts';
import type { ProjectId, SessionId } from '../../core/model/ids.ts';
import { repoTag } from '../../core/remote/remote-key.ts';
import { updateLayers } from '../layers/update.ts';
import { whatToUnregister } from '../purge/unregister.ts';
import { allRepositories } from '../repository/repositories.ts';
import { openRemote, readRemote } from '../segment/remote-record.ts';
import {
  loadRepoState,
  localSegments,
  ownSegmentFile,
  readLocal,
  replicaFile,
  saveRepoState,
} from '../segment/repo-state.ts';
import { sync } from '../sync/sync.ts';
import { addRemote } from './add-remote.ts';
import { prepareWholePurge, unregisterWhole } from './purge-sealed.ts';
import { remoteStatus, retireDevice } from './remote-status.ts';
import { replaceSegment } from './reseal.ts';
import { approveRemote, shareProjects } from './share.ts';
import { syncRemote } from './sync-remote.ts';

const PROJECT = '-srv-shop' as ProjectId;
const SAID = [{ you: 'The customer is called Heronsgate.' }, { agent: 'Understood.' }];
let machines: RemoteMachines;
beforeEach(() => {
  machines = new RemoteMachines();
});
afterEach(() => machines.remove());

async function machine(session: string, said: typeof SAID, key?: string) {
  const world = machines.add();
  mkdirSync(join(world.projects, PROJECT), { recursive: true });
  writeFileSync(join(world.projects, PROJECT, `${session}.jsonl`), workSession(session, said));
  await sync(world);
  const added = await addRemote(world, { address: machines.store, ...(key !== undefined && { key }) });
  await shareProjects(world, { all: true });
  await approveRemote(world);
  await syncRemote(world, 'home');
  return { world, key: added.key! };
}

/** All that lies in the archive's own segments and in those it brought, unpacked. */
async function sealedHere(world: TestWorld): Promise<string> {
  const remote = await openRemote(world, await readRemote(world, 'home'));
  const all: unknown[] = [];
  for (const { key } of await allRepositories(world)) {
    const repo = repoTag(remote.keys, key);
    for (const name of await localSegments(remote, repo, 'own'))
      all.push(await readLocal(remote, ownSegmentFile(remote, name), name));
    for (const name of await localSegments(remote, repo, 'replica'))
      all.push(await readLocal(remote, replicaFile(remote, name), name));
  }
  return JSON.stringify(all);
}

test('a purge reaches the sealed copies here at once, and says which remote holds it until a sync', async () => {
  const { world, key } = await machine('session-first-1', SAID);
  const other = await machine('session-other-2', [{ you: 'Add a test.' }, { agent: 'Done.' }], key);
  expect(await sealedHere(world)).toContain('Heronsgate');
  expect(await sealedHere(other.world)).toContain('Heronsgate');
  const { carryOut } = await prepareWholePurge(world, { kind: 'text', text: 'Heronsgate' });
  const { left, remotes } = await carryOut();
  expect(left).toEqual([]);
  expect(remotes).toEqual([{ remote: 'home', segments: expect.any(Number) }]);
  expect(remotes[0]!.segments).toBeGreaterThan(0);
  expect(await sealedHere(world)).not.toContain('Heronsgate');
  await syncRemote(world, 'home');
  await syncRemote(other.world, 'home');
  expect(await sealedHere(other.world)).not.toContain('Heronsgate');
});

test('a purged session leaves no place, whether it was sent or not', async () => {
  const { world } = await machine('session-first-1', SAID);
  writeFileSync(join(world.projects, PROJECT, 'session-third-3.jsonl'), workSession('session-third-3', SAID));
  await sync(world);
  for (const session of ['session-third-3', 'session-first-1']) {
    const { carryOut } = await prepareWholePurge(world, { kind: 'session', session });
    expect((await carryOut()).left).toEqual([]);
  }
  expect(await sealedHere(world)).not.toContain('Heronsgate');
});

test('a project that was purged as a whole is purged on the other machines, though no agent has its files', async () => {
  const { world, key } = await machine('session-first-1', SAID);
  const other = await machine('session-other-2', [{ you: 'Add a test.' }, { agent: 'Done.' }], key);
  rmSync(world.projects, { recursive: true });
  mkdirSync(world.projects);
  const done = await unregisterWhole(world, await whatToUnregister(world, { project: PROJECT }), {
    purge: true,
    force: true,
    project: PROJECT,
  });
  expect(done.projectRemoved).toBe(false);
  for (const it of [world, other.world, world]) await syncRemote(it, 'home');
  expect(Object.keys((await world.archive.open(PROJECT))!.manifest.sessions)).not.toContain(
    'session-first-1',
  );
  expect(Object.keys((await other.world.archive.open(PROJECT))!.manifest.sessions)).not.toContain(
    'session-first-1',
  );
  expect(await sealedHere(other.world)).not.toContain('Heronsgate');
});

test('topics that are named in the words of a purged session are in no sealed copy and no record', async () => {
  const said = (word: string) => [{ you: `Please keep ${word} in mind.` }, { agent: 'Yes.' }];
  const { world, key } = await machine('session-first-1', said('word7x1x'));
  const other = await machine('session-other-2', said('word7x2x'), key);
  const topics = async () =>
    (await other.world.archive.open(PROJECT))!.manifest.sessions['session-other-2' as SessionId]!.metadata
      .primaryTopics;
  await updateLayers(other.world, PROJECT);
  expect(await topics()).toEqual(['word7x1x in mind']);
  expect(await sealedHere(other.world)).not.toContain('"primaryTopics":["');
  await withTopicSealed(other.world, 'word7x1x in mind');
  await syncRemote(other.world, 'home');
  const { carryOut } = await prepareWholePurge(world, { kind: 'session', session: 'session-first-1' });
  expect((await carryOut()).left).toEqual([]);
  for (const it of [world, other.world, world]) {
    await syncRemote(it, 'home');
    expect(await sealedHere(it)).not.toContain('word7x1x');
  }
  expect(filesWith(world.places.archive, 'word7x1x')).toEqual([]);
  expect(filesWith(other.world.places.archive, 'word7x1x')).toEqual([]);
  expect(Object.keys((await world.archive.open(PROJECT))!.manifest.sessions)).toEqual(['session-other-2']);
});

test('what a machine said that is retired after a purge is sent by another one, and reaches the next', async () => {
  const said = [...SAID, { you: 'Deploy by pushing to the kingfisher branch.' }, { agent: 'Done.' }];
  const { key } = await machine('session-first-1', said);
  const second = await machine('session-other-2', [{ you: 'Add a test.' }, { agent: 'Done.' }], key);
  // The first one never comes back, but nobody has said so yet.
  const { carryOut } = await prepareWholePurge(second.world, { kind: 'text', text: 'Heronsgate' });
  expect((await carryOut()).left).toEqual([]);
  const [status] = await remoteStatus(second.world);
  const gone = status!.devices.find(({ isThis }) => !isThis)!;
  await retireDevice(second.world, { device: gone.id });
  await syncRemote(second.world, 'home');
  const third = machines.add();
  await addRemote(third, { address: machines.store, key });
  await syncRemote(third, 'home');
  const path = (world: TestWorld) => world.archive.originals.path(PROJECT, 'session-first-1.jsonl');
  expect(readFileSync(path(third), 'utf8')).toContain('kingfisher');
  expect(readFileSync(path(third), 'utf8')).toBe(readFileSync(path(second.world), 'utf8'));
  expect(await sealedHere(third)).not.toContain('Heronsgate');
});

/** An own segment as an older Keepsake sealed it. */
async function withTopicSealed(world: TestWorld, topic: string): Promise<void> {
  const remote = await openRemote(world, await readRemote(world, 'home'));
  const repo = repoTag(remote.keys, (await allRepositories(world))[0]!.key);
  const state = await loadRepoState(remote, repo);
  for (const name of await localSegments(remote, repo, 'own')) {
    const lines = (await readLocal(remote, ownSegmentFile(remote, name), name)) ?? [];
    const text = lines
      .filter(({ t }) => t !== 'device' && t !== 'stored')
      .map((line) =>
        JSON.stringify(line).replace('"metadata":{', `"metadata":{"primaryTopics":["${topic}"],`),
      );
    if (lines.some(({ t }) => t === 'session')) await replaceSegment(remote, state, name, text);
  }
  await saveRepoState(remote, repo, state);
}

function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path, 'latin1').includes(text));
}

test('a purge made where only facts are shared reaches the other machines', async () => {
  const { world, key } = await machine('session-first-1', SAID);
  const other = await machine('session-other-2', [{ you: 'Add a test.' }, { agent: 'Done.' }], key);
  await shareProjects(other.world, { all: true, level: 'facts' });
  await syncRemote(other.world, 'home');
  const { carryOut } = await prepareWholePurge(other.world, { kind: 'text', text: 'Heronsgate' });
  await carryOut();
  await syncRemote(other.world, 'home');
  await syncRemote(world, 'home');
  expect(await sealedHere(world)).not.toContain('Heronsgate');
  const original = world.archive.originals.path(PROJECT, 'session-first-1.jsonl');
  expect(readFileSync(original, 'utf8')).not.toContain('Heronsgate');
});
