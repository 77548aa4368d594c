import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { RemoteMachines } from '../../../test/made/remote-machines.ts';
import { workSession } from '../../../test/made/work.ts';
import type { TestWorld } from '../../../test/made/world.ts';
import { Fault } from '../../core/model/fault.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { repoTag } from '../../core/remote/remote-key.ts';
import { parseSegmentName, segmentName } from '../../core/remote/segment-name.ts';
import { allRepositories } from '../repository/repositories.ts';
import { openRemote, readRemote, renewDevice } from '../segment/remote-record.ts';
import {
  loadRepoState,
  localSegments,
  ownSegmentFile,
  readLocal,
  saveRepoState,
} from '../segment/repo-state.ts';
import { register } from '../sync/register.ts';
import { sync } from '../sync/sync.ts';
import { addRemote } from './add-remote.ts';
import { replaceSegment } from './reseal.ts';
import { approveRemote, shareProjects } from './share.ts';
import { syncRemote } from './sync-remote.ts';
import { retireOwn } from './take-over.ts';

const PROJECT = '-srv-shop' as ProjectId;
type Said = Parameters<typeof workSession>[1];
const SAID: Said = [{ you: 'Deploy by pushing to the kingfisher branch.' }, { agent: 'Done.' }];
let machines: RemoteMachines;
beforeEach(() => {
  machines = new RemoteMachines();
});
afterEach(() => machines.remove());

async function say(world: TestWorld, session: string, said: Said): Promise<void> {
  mkdirSync(join(world.projects, PROJECT), { recursive: true });
  writeFileSync(join(world.projects, PROJECT, `${session}.jsonl`), workSession(session, said));
  await sync(world);
}

async function joined(world: TestWorld, options: { key?: string; light?: boolean } = {}): Promise<string> {
  const { key } = await addRemote(world, { address: machines.store, ...options });
  await shareProjects(world, { all: true });
  await approveRemote(world);
  await syncRemote(world, 'home');
  return key!;
}

async function opened(world: TestWorld) {
  const remote = await openRemote(world, await readRemote(world, 'home'));
  return { remote, repo: repoTag(remote.keys, (await allRepositories(world))[0]!.key) };
}

/** Seals an own segment again with the same words; the name that it had, and its bytes. */
async function sealedAgain(world: TestWorld): Promise<{ name: string; bytes: Buffer }> {
  const { remote, repo } = await opened(world);
  const state = await loadRepoState(remote, repo);
  const name = (await localSegments(remote, repo, 'own')).find(({ lane }) => lane === 'bytes')!;
  const bytes = (await remote.remotes.files.read(ownSegmentFile(remote, name)))!;
  const lines = (await readLocal(remote, ownSegmentFile(remote, name), name))!;
  const content = lines.filter(({ t }) => t !== 'device').map((line) => JSON.stringify(line));
  await replaceSegment(remote, state, name, content);
  await saveRepoState(remote, repo, state);
  return { name: segmentName(name), bytes };
}

const inStore = async (world: TestWorld) =>
  (await (await opened(world)).remote.store.list('r/')).map(({ name }) => name);
const heldBy = async (world: TestWorld) => {
  const { remote, repo } = await opened(world);
  return (await localSegments(remote, repo, 'replica')).map(segmentName);
};

test('a segment that was replaced twice before a machine looked again is brought back by nobody', async () => {
  const [first, second] = [machines.add(), machines.add()];
  await say(first, 's1', SAID);
  const key = await joined(first);
  await say(second, 's2', SAID);
  await joined(second, { key });
  const { name } = await sealedAgain(first);
  await sealedAgain(first);
  await syncRemote(first, 'home');
  expect(await heldBy(second)).toContain(name);
  const report = await syncRemote(second, 'home');
  expect(report.pushed.restored).toBe(0);
  expect(await heldBy(second)).not.toContain(name);
  expect(await inStore(first)).not.toContain(name);
});

test('a replaced segment that is still in the store is not taken after a sync that was cut off', async () => {
  const [first, second] = [machines.add(), machines.add()];
  await say(first, 's1', SAID);
  const key = await joined(first);
  const { name, bytes } = await sealedAgain(first);
  await syncRemote(first, 'home');
  // The owner's call to remove it was lost.
  await (await opened(first)).remote.store.put(name, bytes);
  await say(second, 's2', SAID);
  const remotes = await second.remotes!();
  const cut: TestWorld = {
    ...second,
    remotes: async () => ({
      ...remotes,
      open: async (address) => {
        const store = await remotes.open(address);
        const get = (it: string) => {
          if (it.includes('/talk/')) throw new Fault('remote', 'The store does not answer.');
          return store.get(it);
        };
        return { ...store, get: async (it) => get(it) };
      },
    }),
  };
  await expect(joined(cut, { key })).rejects.toMatchObject({ code: 'remote' });
  expect(await heldBy(second)).not.toHaveLength(0);
  await syncRemote(second, 'home');
  expect(await heldBy(second)).not.toContain(name);
  await syncRemote(first, 'home');
  expect((await syncRemote(second, 'home')).pushed.restored).toBe(0);
  expect(await inStore(first)).not.toContain(name);
});

test("the copy of a light machine's disk follows what is said in its own sessions", async () => {
  const [first, second] = [machines.add(), machines.add()];
  await say(first, 's1', SAID);
  const key = await joined(first);
  await say(second, 's2', SAID);
  await joined(second, { key, light: true });
  const copy = mkdtempSync(join(tmpdir(), 'keepsake-copy-'));
  cpSync(second.places.home, copy, { recursive: true });
  const third = machines.add(copy);
  await say(second, 's2', [...SAID, { you: 'And tag it as osprey.' }, { agent: 'Tagged.' }]);
  await syncRemote(second, 'home');
  const { notes } = await syncRemote(third, 'home');
  expect(notes.join(' ')).toContain('new device id');
  const original = (world: TestWorld) =>
    readFileSync(world.archive.originals.path(PROJECT, 's2.jsonl'), 'utf8');
  expect(original(third)).toBe(original(second));
});

test('a sync that is stopped while it seals is gone on with by the next', async () => {
  const first = machines.add();
  await say(first, 's1', SAID);
  await say(first, 's2', SAID);
  await addRemote(first, { address: machines.store });
  await shareProjects(first, { all: true });
  await approveRemote(first);
  const stop = new AbortController();
  const onProgress = () => stop.abort();
  await expect(syncRemote(first, 'home', { signal: stop.signal, onProgress })).rejects.toMatchObject({
    code: 'cancelled',
  });
  expect((await syncRemote(first, 'home')).pushed.sessions).toBe(1);
});

test('what two copies of a disk sealed in the same place reaches all, also where one could not send it at first', async () => {
  const [first, second] = [machines.add(), machines.add()];
  await say(first, 's1', SAID);
  const key = await joined(first);
  await say(second, 's2', SAID);
  await joined(second, { key });
  const copy = mkdtempSync(join(tmpdir(), 'keepsake-copy-'));
  cpSync(second.places.home, copy, { recursive: true });
  const third = machines.add(copy);
  await say(third, 's3', [{ you: 'Tag it as osprey.' }, { agent: 'Tagged.' }]);
  const remotes = await third.remotes!();
  const put = async () => {
    throw new Fault('remote', 'The store does not answer.');
  };
  const open: typeof remotes.open = async (address) => ({ ...(await remotes.open(address)), put });
  const cut: TestWorld = { ...third, remotes: async () => ({ ...remotes, open }) };
  await expect(syncRemote(cut, 'home')).rejects.toMatchObject({ code: 'remote' });
  await say(second, 's4', [{ you: 'Add a page.' }, { agent: 'Done.' }]);
  for (const world of [second, third, second, first, third]) await syncRemote(world, 'home');
  for (const world of [first, second, third])
    expect(Object.keys((await world.archive.open(PROJECT))!.manifest.sessions).sort()).toEqual([
      's1',
      's2',
      's3',
      's4',
    ]);
});

test('a sound segment of an id that was given up stays in the store, where what replaced it was deleted', async () => {
  const [first, second] = [machines.add(), machines.add()];
  await say(first, 's1', SAID);
  const key = await joined(first);
  await say(second, 's2', SAID);
  await joined(second, { key });
  const { name, bytes } = await sealedAgain(first);
  await syncRemote(first, 'home');
  expect(await inStore(first)).not.toContain(name);
  const { remote, repo } = await opened(first);
  const { device, former, name: label } = remote.device;
  await retireOwn(remote);
  await renewDevice(first, { name: label, former: [...former, device] });
  // Another copy of the disk purged something in what replaced it.
  const now = (await inStore(first)).find((it) => it.startsWith(name.slice(0, -32)))!;
  const renewed = (await opened(first)).remote;
  const state = await loadRepoState(renewed, repo);
  for (const id of [name, now].map((it) => parseSegmentName(it)!.id)) state.dropped.add(id);
  await saveRepoState(renewed, repo, state);
  await remote.store.remove(now);
  expect((await syncRemote(second, 'home')).pushed.restored).toBe(1);
  expect(await remote.store.get(name)).toEqual(bytes);
  expect((await syncRemote(first, 'home')).pushed.removed).toBe(0);
  expect((await syncRemote(second, 'home')).pushed.restored).toBe(0);
  // What was looked through once is not brought again.
  const remotes = await first.remotes!();
  const asked: string[] = [];
  const open: typeof remotes.open = async (address) => {
    const store = await remotes.open(address);
    const get: typeof store.get = async (it) => {
      asked.push(it);
      return store.get(it);
    };
    return { ...store, get };
  };
  await say(first, 's3', [{ you: 'Tag it as osprey.' }, { agent: 'Tagged.' }]);
  const counted: TestWorld = { ...first, remotes: async () => ({ ...remotes, open }) };
  expect((await syncRemote(counted, 'home')).pushed.sessions).toBe(1);
  expect(asked).not.toContain(name);
});

/** A machine whose next sync ends where it begins to take in what came. */
function killedAtImport(world: TestWorld): TestWorld {
  const write: typeof world.archive.files.write = async (project, name, content) => {
    await world.archive.files.write(project, name, content);
    if (name === 'import/pending.json') throw new Fault('remote', 'Killed.');
  };
  return { ...world, archive: { ...world.archive, files: { ...world.archive.files, write } } };
}

test('a session that came in half stays apart from another one with its name that is registered here meanwhile', async () => {
  const [first, second] = [machines.add(), machines.add()];
  await say(first, 's1', SAID);
  const key = await joined(first);
  await say(second, 's2', SAID);
  await joined(second, { key });
  await say(first, 's3', SAID);
  await syncRemote(first, 'home');
  await expect(syncRemote(killedAtImport(second), 'home')).rejects.toMatchObject({ message: 'Killed.' });
  const path = join(second.projects, PROJECT, 's3.jsonl');
  const own = workSession('s3', [{ you: 'Tag it as osprey.' }, { agent: 'Tagged.' }]);
  writeFileSync(path, own.replaceAll('s3-0', 'u-0'));
  await register(second, path);
  for (const world of [second, first, second]) await syncRemote(world, 'home');
  const sources = [path, join(first.projects, PROJECT, 's3.jsonl')].map((it) => readFileSync(it, 'utf8'));
  for (const world of [first, second]) {
    const names = (await world.archive.originals.list(PROJECT)).filter((name) => name.startsWith('s3'));
    const held = names.map((name) => readFileSync(world.archive.originals.path(PROJECT, name), 'utf8'));
    expect(held.sort()).toEqual(sources.toSorted());
  }
});
