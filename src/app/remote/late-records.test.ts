import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Checkouts } from '../../../test/made/checkouts.ts';
import { RemoteMachines } from '../../../test/made/remote-machines.ts';
import { workSession } from '../../../test/made/work.ts';
import type { TestWorld } from '../../../test/made/world.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { compose } from '../compose/compose.ts';
import { deleteComposition, listCompositions } from '../compose/compositions.ts';
import { addLink, removeLink } from '../find/links.ts';
import { addKeepit } from '../keepit/change.ts';
import { listKeepits } from '../keepit/keepits.ts';
import { register } from '../sync/register.ts';
import { sync } from '../sync/sync.ts';
import { addRemote } from './add-remote.ts';
import { setPrivate } from './private.ts';
import { prepareWholePurge } from './purge-sealed.ts';
import { approveRemote, shareProjects } from './share.ts';
import { syncRemote } from './sync-remote.ts';

const PROJECT = '-srv-shop' as ProjectId;
const SAID = [{ you: 'The customer is called Heronsgate.' }, { agent: 'Understood.' }];
const ORIGIN = 'git@github.com:acme/shop.git';

let machines: RemoteMachines;
beforeEach(() => {
  machines = new RemoteMachines();
});
afterEach(() => machines.remove());

async function say(world: TestWorld, session: string, said = SAID): Promise<string> {
  mkdirSync(join(world.projects, PROJECT), { recursive: true });
  const path = join(world.projects, PROJECT, `${session}.jsonl`);
  writeFileSync(path, workSession(session, said));
  await sync(world);
  return path;
}

async function joined(world: TestWorld, options: { key?: string; light?: boolean } = {}): Promise<string> {
  const { key } = await addRemote(world, { address: machines.store, ...options });
  await shareProjects(world, { all: true });
  await approveRemote(world);
  await syncRemote(world, 'home');
  return key!;
}

function inStore(kind: RegExp): string[] {
  return readdirSync(machines.store, { recursive: true, encoding: 'utf8' }).filter((it) => kind.test(it));
}

/** What a machine sends now, its records first: what follows them is in the store only after `between`. */
async function sentInTwo(world: TestWorld, between: () => Promise<unknown>): Promise<void> {
  const kind = /\/(bytes|talk)\/./;
  const before = new Set(inStore(kind));
  await syncRemote(world, 'home');
  const later = inStore(kind).filter((name) => !before.has(name));
  expect(later).not.toEqual([]);
  const moved = (name: string) => join(machines.store, `${basename(name)}.later`);
  for (const name of later) renameSync(join(machines.store, name), moved(name));
  await between();
  for (const name of later) renameSync(moved(name), join(machines.store, name));
}

async function purge(world: TestWorld, session: string): Promise<void> {
  await (await prepareWholePurge(world, { kind: 'session', session })).carryOut();
  await syncRemote(world, 'home');
}

test.each([false, true])(
  'a keepit that comes before its session counts once that is there, light: %s',
  async (light) => {
    const [first, second] = [machines.add(), machines.add()];
    await say(first, 'session-first-1', [{ you: 'Add a page.' }, { agent: 'Done.' }]);
    const key = await joined(first);
    await say(second, 'session-third-3', [{ you: 'Add a test.' }, { agent: 'Done.' }]);
    await joined(second, { key, light });
    await say(first, 'session-other-2');
    await addKeepit(first, 'session-other-2', { text: 'called Heronsgate', weight: 0.8 });
    await sentInTwo(first, () => syncRemote(second, 'home'));
    await syncRemote(second, 'home');
    const { items } = await listKeepits(second, { session: 'session-other-2' });
    expect(items.map(({ weight }) => weight)).toEqual([0.8]);
  },
);

test('keepits of a session go with it where it is made private, and come again with it', async () => {
  const [first, second] = [machines.add(), machines.add()];
  await say(first, 'session-first-1');
  await addKeepit(first, 'session-first-1', { text: 'called Heronsgate', weight: 0.8 });
  const key = await joined(first);
  await say(second, 'session-third-3', [{ you: 'Add a test.' }, { agent: 'Done.' }]);
  await joined(second, { key });
  await addKeepit(second, 'session-first-1', { text: 'Understood', weight: 0.6 });
  for (const world of [second, first]) await syncRemote(world, 'home');
  const weights = async (world: TestWorld) =>
    (await world.archive.open(PROJECT))!.manifest.overlays
      .map((it) => ('weight' in it ? it.weight : 0))
      .toSorted();
  for (const world of [first, second]) expect(await weights(world)).toEqual([0.6, 0.8]);
  await setPrivate(first, { session: 'session-first-1' });
  for (const world of [first, second]) await syncRemote(world, 'home');
  expect(await weights(first)).toEqual([0.6, 0.8]);
  expect(await weights(second)).toEqual([]);
  await setPrivate(first, { session: 'session-first-1', undo: true });
  for (const world of [first, second]) await syncRemote(world, 'home');
  for (const world of [first, second]) expect(await weights(world)).toEqual([0.6, 0.8]);
});

test('a composition and a link that are deleted here stay so, though the records that brought them are read again', async () => {
  const [first, second] = [machines.add(), machines.add()];
  const path = await say(first, 'session-first-1');
  await say(first, 'session-other-2', [{ you: 'Add a page.' }, { agent: 'Done.' }]);
  const library = join(first.projects, '-srv-lib');
  mkdirSync(library, { recursive: true });
  const [steps, cwd] = [[{ you: 'Add a function.' }, { agent: 'Done.' }], '/srv/lib'];
  writeFileSync(join(library, 'session-lib-4.jsonl'), workSession('session-lib-4', steps, undefined, cwd));
  await sync(first);
  const key = await joined(first);
  await say(second, 'session-third-3', [{ you: 'Add a test.' }, { agent: 'Done.' }]);
  await joined(second, { key });
  await purge(first, 'session-first-1');
  await syncRemote(second, 'home');
  await register(first, path);
  await addKeepit(first, 'session-first-1', { text: 'called Heronsgate', weight: 0.8 });
  await compose(first, 'pages', { budget: 900, sessions: ['session-other-2'] });
  await compose(first, 'again', { budget: 900, sessions: ['session-first-1'] });
  await addLink(first, { session: 'session-lib-4', to: PROJECT, reason: 'used here' });
  await sentInTwo(first, async () => {
    await syncRemote(second, 'home', { direction: 'pull' });
    const [pages] = (await listCompositions(second, {})).items;
    expect(pages?.name).toBe('pages');
    await deleteComposition(second, pages!);
    await removeLink(second, 'session-lib-4');
  });
  for (let round = 0; round < 2; round++) await syncRemote(second, 'home');
  const { sessions, links } = (await second.archive.open(PROJECT))!.manifest;
  expect(Object.keys(sessions)).toContain('session-first-1');
  expect((await listCompositions(second, {})).items.map(({ name }) => name)).toEqual(['again']);
  expect(links).toEqual([]);
});

test('a link that is made later on another machine reaches one that removed it, though its clock is ahead', async () => {
  const days = (world: TestWorld, ahead: number): TestWorld => {
    const now = () => new Date(Date.parse(world.clock.now()) + ahead * 86_400_000).toISOString();
    return { ...world, clock: { ...world.clock, now } };
  };
  const [first, second, third] = [machines.add(), days(machines.add(), 3), days(machines.add(), 1)];
  const steps = [{ you: 'Add a function.' }, { agent: 'Done.' }];
  const library = workSession('session-lib-4', steps, undefined, '/srv/lib');
  for (const world of [first, third]) {
    mkdirSync(join(world.projects, '-srv-lib'), { recursive: true });
    writeFileSync(join(world.projects, '-srv-lib', 'session-lib-4.jsonl'), library);
    await say(world, 'session-first-1');
  }
  const link = (world: TestWorld) =>
    addLink(world, { session: 'session-lib-4', to: PROJECT, reason: 'used here' });
  const links = async () => (await second.archive.open(PROJECT))!.manifest.links;
  await link(first);
  const key = await joined(first);
  await addRemote(second, { address: machines.store, key });
  await syncRemote(second, 'home');
  await removeLink(second, 'session-lib-4');
  const { linkedAt } = await link(third);
  await addRemote(third, { address: machines.store, key });
  await shareProjects(third, { all: true });
  await approveRemote(third);
  await syncRemote(third, 'home', { direction: 'push' });
  await syncRemote(second, 'home');
  expect((await links()).map((it) => it.linkedAt)).toEqual([linkedAt]);
});

test('a composition that is deleted here stays so, though a third machine sends the same that it made itself', async () => {
  const [first, second, third] = [machines.add(), machines.add(), machines.add()];
  const made = { budget: 900, sessions: ['session-first-1'] };
  for (const world of [first, third]) {
    await say(world, 'session-first-1');
    await compose(world, 'pages', made);
  }
  // Ids of made worlds are counted: it makes its second one.
  await deleteComposition(third, (await listCompositions(third)).items[0]!);
  await compose(third, 'pages', made);
  const [one, twin] = await Promise.all(
    [first, third].map(async (it) => (await listCompositions(it)).items[0]!),
  );
  expect(twin!.contentId).toBe(one!.contentId);
  expect(twin!.compositionId).not.toBe(one!.compositionId);
  const key = await joined(first);
  await addRemote(second, { address: machines.store, key });
  await syncRemote(second, 'home');
  await deleteComposition(second, (await listCompositions(second)).items[0]!);
  await addRemote(third, { address: machines.store, key });
  await shareProjects(third, { all: true });
  await approveRemote(third);
  // Sent before it hears that another machine has it.
  await syncRemote(third, 'home', { direction: 'push' });
  await syncRemote(second, 'home');
  expect((await listCompositions(second)).items).toEqual([]);
});

test('a session that was purged in a worktree stays away, though another checkout sends an old copy to the main folder', async () => {
  const [first, second] = [machines.add(), machines.add()];
  const here = new Checkouts(first);
  const shop = here.make('shop', ORIGIN);
  here.session('session-other-2', shop, 'Add a test.');
  here.session('session-first-1', here.worktree(shop, 'shop-fix'), 'The customer is called Heronsgate.');
  await sync(first);
  const key = await joined(first);
  await (await prepareWholePurge(first, { kind: 'session', session: 'session-first-1' })).carryOut();
  const there = new Checkouts(second);
  there.session('session-first-1', there.make('copy', ORIGIN), 'The customer is called Heronsgate.');
  await sync(second);
  await joined(second, { key });
  await syncRemote(first, 'home');
  const kept: string[] = [];
  for (const project of await first.archive.projects())
    kept.push(...Object.keys((await first.archive.open(project))!.manifest.sessions));
  expect(kept).toEqual(['session-other-2']);
});

test('a keepit of a session that was purged in a worktree stays away, though another checkout sends it to the main folder', async () => {
  const [first, second] = [machines.add(), machines.add()];
  const here = new Checkouts(first);
  const shop = here.make('shop', ORIGIN);
  here.session('session-other-2', shop, 'Add a test.');
  here.session('session-first-1', here.worktree(shop, 'shop-fix'), 'The customer is called Heronsgate.');
  await sync(first);
  const key = await joined(first);
  await (await prepareWholePurge(first, { kind: 'session', session: 'session-first-1' })).carryOut();
  const there = new Checkouts(second);
  there.session('session-first-1', there.make('copy', ORIGIN), 'The customer is called Heronsgate.');
  await sync(second);
  await addKeepit(second, 'session-first-1', { text: 'called Heronsgate', weight: 0.8 });
  await addRemote(second, { address: machines.store, key });
  await shareProjects(second, { all: true });
  await approveRemote(second);
  // Sent before it hears of the purge.
  await syncRemote(second, 'home', { direction: 'push' });
  await syncRemote(first, 'home', { direction: 'pull' });
  const kept = [];
  for (const project of await first.archive.projects())
    kept.push(...(await first.archive.open(project))!.manifest.overlays);
  expect(kept).toEqual([]);
});

test('what was said last is there on a machine that gets all at once, though the end of the original is lost', async () => {
  const [first, second] = [machines.add(), machines.add()];
  await say(first, 'session-first-1');
  const key = await joined(first);
  const before = new Set(inStore(/\/bytes\/./));
  await say(first, 'session-first-1', [
    ...SAID,
    { you: 'Heronsgate pays on Tuesdays.' },
    { agent: 'Noted.' },
  ]);
  await syncRemote(first, 'home');
  for (const name of inStore(/\/bytes\/./)) if (!before.has(name)) rmSync(join(machines.store, name));
  await addRemote(second, { address: machines.store, key });
  await syncRemote(second, 'home');
  const texts = (await second.archive.originals.list(PROJECT)).map((name) =>
    readFileSync(second.archive.originals.path(PROJECT, name), 'utf8'),
  );
  expect(texts.join('')).toContain('Heronsgate pays on Tuesdays.');
});
