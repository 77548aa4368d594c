import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Checkouts, git } from '../../../test/made/checkouts.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import { exportBundle } from '../bundle/export.ts';
import { importBundle } from '../bundle/import.ts';
import { compressSession } from '../compress/compress.ts';
import { joinProjects, offeredJoins, splitProject } from '../find/join-projects.ts';
import { findProject } from '../find/project.ts';
import { listProjects } from '../find/projects.ts';
import { listSessions } from '../find/sessions.ts';
import { listConcepts } from '../layers/concepts.ts';
import { mergeConcepts, renameConcept, splitConcept } from '../layers/concepts-edit.ts';
import { allFacts, findFact } from '../layers/facts.ts';
import { settleFact } from '../layers/facts-edit.ts';
import { conceptExchanges } from '../layers/read.ts';
import { verify } from '../maintenance/verify.ts';
import { recall } from '../recall/recall.ts';
import { planRetentionRun } from '../retention/plan.ts';
import { previewProject } from '../retention/preview.ts';
import { getSettings, setSetting } from '../settings/configure.ts';
import { sync } from '../sync/sync.ts';
import { allRepositories } from './repositories.ts';

let world: TestWorld;
let made: Checkouts;
beforeEach(() => {
  world = makeWorld();
  made = new Checkouts(world);
});
afterEach(() => world.remove());

/** A checkout and a worktree of it, each with a session. */
async function shopAndTree(inShop: string, inTree: string): Promise<[shop: string, tree: string]> {
  const shop = made.make('shop', 'git@github.com:acme/shop.git');
  const tree = made.worktree(shop, 'trees/3');
  made.session('one', shop, inShop);
  made.session('two', tree, inTree);
  await sync(world);
  return [shop, tree];
}

const light = async (project: string) => (await getSettings(world, 'levels.light', project))[0];

test('a setting of one folder is one of all, the later one counts, and a folder that comes later has it', async () => {
  const [shop, tree] = await shopAndTree('Hello.', 'Hello again.');
  await setSetting(world, 'levels.light', '6', tree);
  expect(await light(shop)).toMatchObject({ value: 6, source: 'project' });
  await setSetting(world, 'levels.light', '7', shop);
  expect(await light(tree)).toMatchObject({ value: 7 });
  const late = made.worktree(shop, 'trees/late');
  made.session('three', late, 'Late.');
  await sync(world);
  expect(await light(late)).toMatchObject({ value: 7 });
  await setSetting(world, 'levels.light', undefined, late);
  expect(await light(shop)).toMatchObject({ value: 4, source: 'default' });
});

test('an archive whose folders set different things gets the last of each; a fork has its own', async () => {
  const [shop, tree] = await shopAndTree('Hello.', 'Hello again.');
  const fork = made.make('fork', 'https://github.com/me/shop');
  made.session('four', fork, 'Fork.');
  await sync(world);
  const id = await findProject(world, tree);
  // As a version wrote it that kept settings by folder, and no record of them.
  await world.archive.change(id, [{ at: ['settings', 'levels', 'light'], put: 9 }]);
  await sync(world);
  expect(await light(shop)).toMatchObject({ value: 9 });
  expect(await light(fork)).toMatchObject({ value: 4 });
  await joinProjects(world, shop, fork);
  expect(await light(fork)).toMatchObject({ value: 9 });
});

test('a clone of a project that is not recorded is not recorded either, from its first session on', async () => {
  const [shop] = await shopAndTree('Hello.', 'Hello again.');
  await setSetting(world, 'record', 'false', shop);
  const clone = made.make('elsewhere/copy', 'https://github.com/acme/shop');
  made.session('late', clone, 'Late.');
  const fork = made.make('fork', 'https://github.com/me/shop');
  made.session('forked', fork, 'Fork.');
  await sync(world);
  const ids = (await listSessions(world)).items.map(({ sessionId }) => sessionId);
  expect(ids.sort()).toEqual(['forked', 'one', 'two']);
});

test('distance and retention count the sessions of all folders', async () => {
  const [shop, tree] = await shopAndTree(
    '##keepit0.40## The lamp is blue.',
    '##keepit0.60## The horn is loud.',
  );
  const { items } = await previewProject(world, tree, { ratio: 10 });
  expect(items.map(({ sessionId, sessionDistance }) => [sessionId, sessionDistance])).toEqual([
    ['one', 1],
    ['two', 2],
  ]);
  const [version] = await compressSession(world, {
    project: await findProject(world, tree),
    session: 'two' as never,
  });
  expect(version!.settings.sessionDistance).toBe(2);
  expect((await planRetentionRun(world, { project: shop })).versions.before).toBe(1);
});

test('an export of a project has all its folders, and an import puts them together where only one is known', async () => {
  const [, tree] = await shopAndTree('Paint the tower grey.', 'Oil the foghorn compressor.');
  const out = join(world.places.home, 'shop.keepsake.gz');
  const { projects, repositories } = await exportBundle(world, { out, project: tree });
  expect([projects.length, repositories]).toEqual([2, 1]);
  const other = makeWorld();
  try {
    const elsewhere = new Checkouts(other);
    const here = elsewhere.make('store', 'https://github.com/acme/shop');
    elsewhere.session('three', here, 'Hello.');
    await sync(other);
    await importBundle(other, out, { mine: true });
    const [project, ...more] = await listProjects(other);
    expect([more.length, project!.folders.map(({ originalPath }) => originalPath)]).toEqual([0, [here]]);
    expect(project!.sessionCount).toBe(3);
    expect((await verify(other)).problems).toEqual([]);
    await importBundle(other, out, { mine: true, project: here });
    expect((await listProjects(other))[0]!.sessionCount).toBe(3);
  } finally {
    await other.remove();
  }
});

test('a fact that two folders have in nearly the same words is one, and what is decided applies to both', async () => {
  const [shop] = await shopAndTree(
    'From now on always run the linter before a commit.',
    'Please, from now on run linter before the commit!',
  );
  const facts = await allFacts(world, shop);
  expect(facts).toHaveLength(1);
  const [copy] = facts[0]!.sameAs!;
  expect(await findFact(world, copy!.id)).toMatchObject({ id: facts[0]!.id });
  const { text } = await recall(world, { topic: 'linter', project: shop });
  expect(text.match(/^rule /gm)).toHaveLength(1);
  const { after } = await settleFact(world, copy!.id, { action: 'confirm' });
  expect(after).toMatchObject({ validatedByUser: true, folders: [expect.any(String), expect.any(String)] });
  await settleFact(world, facts[0]!.id, { action: 'forget' });
  expect(await allFacts(world, shop)).toEqual([]);
});

test('concepts of two folders of a project can be made one, renamed and split', async () => {
  const [shop, tree] = await shopAndTree('Paint the tower grey.', 'Oil the foghorn compressor.');
  const { items } = await listConcepts(world, { project: shop });
  expect(new Set(items.map(({ projectId }) => projectId)).size).toBe(2);
  const merged = await mergeConcepts(
    world,
    items.map(({ id }) => id),
    { name: 'Tower' },
  );
  expect(merged).toMatchObject({ name: 'Tower', parts: [{}, {}], sessions: ['one', 'two'] });
  expect(await conceptExchanges(world, merged)).toHaveLength(2);
  await renameConcept(world, merged.id, 'Lighthouse', tree);
  expect((await listConcepts(world, { project: shop })).items.map(({ name }) => name)).toEqual([
    'Lighthouse',
  ]);
  await splitConcept(world, 'Lighthouse', [merged.exchanges[1]!], { name: 'Foghorn' });
  const names = (await listConcepts(world, { project: shop })).items.map(({ name }) => name);
  expect(names.sort()).toEqual(['Foghorn', 'Lighthouse']);
  const fork = made.make('fork', 'https://github.com/me/shop');
  made.session('four', fork, 'Sail the fork.');
  await sync(world);
  const [other] = (await listConcepts(world, { project: fork })).items;
  await expect(mergeConcepts(world, ['Foghorn', other!.id], {})).rejects.toMatchObject({ code: 'usage' });
});

test('a folder that nothing identifies has a random id from its first session on, and keeps it until something does', async () => {
  const plain = join(made.root, 'plain');
  mkdirSync(plain);
  made.session('one', plain, 'Hello.');
  made.session('two', '/gone/plain', 'Hello.');
  await sync(world);
  const keys = async () => (await allRepositories(world)).map(({ key }) => key).sort();
  const before = await keys();
  expect(before).toEqual([expect.stringMatching(/^local:/), expect.stringMatching(/^local:/)]);
  await sync(world);
  expect(await keys()).toEqual(before);
  // It names no repository: nothing is shown, and the other one of its name is still offered.
  expect((await listProjects(world)).every(({ identity }) => identity === undefined)).toBe(true);
  expect(await offeredJoins(world)).toHaveLength(1);
  await joinProjects(world, plain, '/gone/plain');
  git(plain, 'init', '-q');
  git(plain, 'commit', '-q', '--allow-empty', '-m', 'first');
  await sync(world);
  expect(await keys()).toEqual([expect.stringMatching(/^root:/)]);
  git(plain, 'remote', 'add', 'origin', 'https://github.com/acme/plain');
  await sync(world);
  expect(await keys()).toEqual(['github.com/acme/plain']);
  rmSync(plain, { recursive: true });
  await splitProject(world, '/gone/plain');
  expect(await keys()).toHaveLength(2);
});
