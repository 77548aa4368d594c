import { mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Checkouts, git } from '../../../test/made/checkouts.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import { readHistory } from '../find/history.ts';
import { joinProjects, offeredJoins, splitProject } from '../find/join-projects.ts';
import { projectHere } from '../find/locate-project.ts';
import { findProject } from '../find/project.ts';
import { listProjects } from '../find/projects.ts';
import { renameProject } from '../find/rename-project.ts';
import { listSessions } from '../find/sessions.ts';
import { listFacts } from '../layers/facts.ts';
import { addFact, settleFact } from '../layers/facts-edit.ts';
import { recall } from '../recall/recall.ts';
import { search } from '../search/search.ts';
import { sync } from '../sync/sync.ts';
import { allRepositories } from './repositories.ts';

let world: TestWorld;
let made: Checkouts;
let root: string;
beforeEach(() => {
  world = makeWorld();
  made = new Checkouts(world);
  root = made.root;
});
afterEach(() => world.remove());

const checkout = (name: string, origin?: string) => made.make(name, origin);
const session = (id: string, cwd: string, text: string) => made.session(id, cwd, text);

function codexSession(id: string, cwd: string, repository: string): void {
  const folder = join(world.places.agents!.codex[0]!, 'sessions/2026/01/01');
  mkdirSync(folder, { recursive: true });
  const at = '2026-01-01T10:00:00.000Z';
  const lines = [
    { timestamp: at, type: 'session_meta', payload: { id, cwd, git: { repository_url: repository } } },
    { timestamp: at, type: 'event_msg', payload: { type: 'user_message', message: 'Update the pelican.' } },
  ];
  const text = lines.map((line) => JSON.stringify(line)).join('\n');
  writeFileSync(join(folder, `rollout-2026-01-01T10-00-00-${id}.jsonl`), `${text}\n`);
}

const folders = async () =>
  (await listProjects(world)).map((it) => it.folders.map(({ originalPath }) => originalPath));

describe('folders of one repository', () => {
  test('a checkout, its worktree and another clone are one project, and stay so when they are gone', async () => {
    const shop = checkout('shop', 'git@github.com:acme/shop.git');
    const clone = checkout('copy/shop', 'https://me:secret@github.com/Acme/shop');
    const tree = join(root, 'trees/3');
    git(shop, 'worktree', 'add', '-q', tree);
    session('one', tree, 'The kingfisher cache must stay small.');
    session('two', clone, 'Rename the heron table.');
    await sync(world);
    rmSync(tree, { recursive: true });
    rmSync(clone, { recursive: true });
    session('three', shop, 'Where is the egret test?');
    await sync(world);
    expect(await folders()).toEqual([[clone, shop, tree]].map((it) => expect.arrayContaining(it)));
    const [project] = await listProjects(world);
    expect(project).toMatchObject({ displayName: 'shop', identity: 'github.com/acme/shop', sessionCount: 3 });
    expect(project!.folders.at(-1)).toMatchObject({ originalPath: tree });
    expect(JSON.stringify(await world.archive.open(project!.projectId))).not.toContain('secret');
    expect((await listSessions(world, { project: 'shop' })).items.map((it) => it.folder).sort()).toEqual(
      [clone, shop, tree].sort(),
    );
    const { hits } = await search(world, { query: 'kingfisher', filters: { project: shop } });
    expect(hits.map(({ sessionId }) => sessionId)).toEqual(['one']);
    expect((await recall(world, { topic: 'kingfisher', project: shop })).text).toContain('must stay small');
  });

  test('a main checkout without sessions knows those of its worktree', async () => {
    const shop = checkout('shop', 'git@github.com:acme/shop.git');
    const tree = join(root, 'trees/3');
    git(shop, 'worktree', 'add', '-q', tree);
    session('one', tree, 'The kingfisher cache must stay small.');
    await sync(world);
    const here = { ...world, places: { ...world.places, cwd: join(shop, 'src') } };
    expect(await projectHere(here)).toBe(await findProject(world, tree));
    expect((await listProjects(world))[0]?.displayName).toBe('shop');
  });

  test('a hook, which does not read every record, knows a new name, a join and a new folder immediately', async () => {
    const hook: TestWorld = { ...world, isHook: true };
    const known = async () =>
      (await allRepositories(hook)).map(({ name, folders }) => [name, folders.length]);
    for (const name of ['one', 'two']) session(name, checkout(name), 'Count the birds.');
    await sync(world);
    // Until then the folder's own time would not tell two changes apart.
    while ((await world.archive.listStamp()) === '') await new Promise((done) => setTimeout(done, 50));
    const calm = async () => {
      await known();
      const heads = vi.spyOn(world.archive, 'stamps');
      const result = await known();
      expect(heads).not.toHaveBeenCalled();
      heads.mockRestore();
      return result;
    };
    expect(await calm()).toEqual([
      ['one', 1],
      ['two', 1],
    ]);
    await renameProject(world, join(root, 'one'), 'first');
    expect(await calm()).toEqual([
      ['first', 1],
      ['two', 1],
    ]);
    await joinProjects(world, join(root, 'one'), join(root, 'two'));
    expect(await calm()).toEqual([['first', 2]]);
    session('three', checkout('three'), 'Count the fish.');
    await sync(world);
    expect(await known()).toEqual([
      ['first', 2],
      ['three', 1],
    ]);
  });

  test('without a remote the first commit says it, and the address that comes later is the same', async () => {
    const shop = checkout('shop');
    git(root, 'clone', '-q', shop, 'second');
    const tree = join(root, 'tree');
    git(shop, 'worktree', 'add', '-q', tree);
    for (const [at, folder] of [shop, join(root, 'second'), tree].entries())
      session(`s${at}`, folder, 'Count the birds.');
    await sync(world);
    expect((await allRepositories(world)).map(({ key }) => key)).toEqual([expect.stringMatching(/^root:/)]);
    rmSync(tree, { recursive: true });
    git(shop, 'remote', 'add', 'origin', 'https://github.com/acme/shop');
    await sync(world);
    expect((await allRepositories(world)).map(({ key }) => key)).toEqual(['github.com/acme/shop']);
  });

  test('forks, unrelated folders and folders below a checkout of the home folder stay separate', async () => {
    git(realpathSync(world.places.home), 'init', '-q');
    git(realpathSync(world.places.home), 'remote', 'add', 'origin', 'https://github.com/me/dotfiles');
    const there = { ...world, places: { ...world.places, home: realpathSync(world.places.home) } };
    const shop = checkout('shop', 'https://github.com/acme/shop');
    const fork = checkout('fork/shop', 'https://github.com/me/shop');
    git(fork, 'remote', 'add', 'upstream', 'https://github.com/acme/shop');
    for (const name of ['notes', 'music']) mkdirSync(join(root, name));
    for (const [at, folder] of [shop, fork, join(root, 'notes'), join(root, 'music')].entries())
      session(`s${at}`, folder, 'Count the birds.');
    await sync(there);
    expect(await folders()).toHaveLength(4);
    expect(await offeredJoins(world)).toEqual([]);
  });

  test('a part of a monorepo is a separate project', async () => {
    const mono = checkout('mono', 'https://github.com/acme/mono');
    git(mono, 'config', '--add', 'keepsake.scope', 'packages/api');
    session('one', join(mono, 'packages/api/src'), 'Count the birds.');
    session('two', join(mono, 'packages/web'), 'Count the birds.');
    session('three', mono, 'Count the birds.');
    await sync(world);
    const names = new Map((await allRepositories(world)).map(({ key, name }) => [key, name]));
    expect(names).toEqual(
      new Map([
        ['github.com/acme/mono', 'mono'],
        ['github.com/acme/mono#packages/api', 'api'],
      ]),
    );
  });

  test('sessions of Codex meet by the address in their files, in an archive that did not know it, too', async () => {
    for (const [at, id] of ['0001', '0002', '0003'].entries())
      codexSession(
        `019f231b-5acc-7043-9961-f5a62286${id}`,
        `/gone/worktrees/${at}`,
        'https://github.com/acme/shop.git',
      );
    codexSession('019f231b-5acc-7043-9961-f5a622860004', '/gone/worktrees/junk', 'https://github.com/..git');
    await sync(world);
    expect((await listProjects(world)).map((it) => [it.displayName, it.folders.length]).sort()).toEqual([
      ['junk', 1],
      ['shop', 3],
    ]);
    for (const project of await world.archive.projects())
      await world.archive.change(project, [{ at: ['repository', 'identity'], drop: true }]);
    expect(await listProjects(world)).toHaveLength(4);
    await sync(world);
    expect(await listProjects(world)).toHaveLength(2);
  });
});

describe('what the user joins and splits', () => {
  test('a join, its undo, and later folders of the joined repository', async () => {
    session('one', '/gone/a/shop', 'Count the birds.');
    session('two', '/gone/b/shop', 'Count the fish.');
    await sync(world);
    const [offer] = await offeredJoins(world);
    expect([offer?.into.originalPath, offer?.from.originalPath]).toEqual(['/gone/a/shop', '/gone/b/shop']);
    await joinProjects(world, '/gone/a/shop', '/gone/b/shop');
    expect(await folders()).toEqual([['/gone/a/shop', '/gone/b/shop']]);
    expect(await offeredJoins(world)).toEqual([]);
    await expect(joinProjects(world, '/gone/a/shop', '/gone/b/shop')).rejects.toThrow('already one project');
    await sync(world);
    expect(await folders()).toHaveLength(1);
    await splitProject(world, '/gone/b/shop');
    expect(await folders()).toHaveLength(2);
    const actions = (await readHistory(world, {})).items.map(({ action }) => action);
    expect(actions).toEqual(expect.arrayContaining(['join', 'split']));
  });

  test('a folder of a repository can be split off, joined again, and stays as the user said', async () => {
    const shop = checkout('shop', 'https://github.com/acme/shop');
    const other = checkout('other', 'https://github.com/acme/shop');
    session('one', shop, 'Count the birds.');
    session('two', other, 'Count the fish.');
    await sync(world);
    await splitProject(world, 'other');
    session('three', other, 'Count the cats.');
    await sync(world);
    expect(await folders()).toHaveLength(2);
    await joinProjects(world, shop, other);
    expect(await folders()).toEqual([expect.arrayContaining([shop, other])]);
    const { archive } = world;
    expect((await archive.head(await findProject(world, other)))?.repository).not.toHaveProperty('joined');
  });

  test('a fact of two folders is one, and an edit settles it in both', async () => {
    session('one', '/gone/a/shop', 'From now on always run the kingfisher tests before a commit.');
    session('two', '/gone/b/shop', 'From now on always run the kingfisher tests before a commit.');
    await sync(world);
    await joinProjects(world, '/gone/a/shop', '/gone/b/shop');
    for (const project of ['/gone/a/shop', '/gone/b/shop'])
      await addFact(world, { content: 'Never delete the heron table.', project });
    const rules = async () =>
      (await listFacts(world, { project: 'shop', kind: 'rule' })).items.filter((it) =>
        /heron/.test(it.content),
      );
    expect(await rules()).toHaveLength(1);
    const [rule] = await rules();
    expect(rule!.folders).toHaveLength(2);
    await settleFact(world, rule!.id, { action: 'forget' });
    expect(await rules()).toEqual([]);
    await splitProject(world, '/gone/b/shop');
    expect((await listFacts(world, { kind: 'rule' })).items.filter((it) => /heron/.test(it.content))).toEqual(
      [],
    );
  });
});
