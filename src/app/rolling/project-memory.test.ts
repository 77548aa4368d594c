import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Checkouts, git } from '../../../test/made/checkouts.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import { findProject } from '../find/project.ts';
import { register } from '../sync/register.ts';
import { sync } from '../sync/sync.ts';
import { rotateMemory } from './check.ts';
import { checkProjectMemory, finishProjectMemory } from './check-project.ts';
import { setNote } from './notes.ts';
import { getProjectNote, inEachFolder, listProjectMemory } from './project-memory.ts';

let world: TestWorld;
let made: Checkouts;
beforeEach(() => {
  world = makeWorld();
  made = new Checkouts(world);
});
afterEach(() => world.remove());

async function twoFolders() {
  const shop = made.make('shop', 'git@github.com:acme/shop.git');
  const tree = join(made.root, 'trees/3');
  git(shop, 'worktree', 'add', '-q', tree);
  made.session('one', tree, 'From now on always keep the kingfisher cache small.');
  made.session('two', shop, 'From now on always sort the heron table by name.');
  await sync(world);
  return { shop: await findProject(world, shop), tree: await findProject(world, tree) };
}

describe('the rolling memory of a project with several folders', () => {
  it('is read as one from each of them, although each has its own file', async () => {
    const { shop, tree } = await twoFolders();
    for (const folder of [shop, tree]) {
      const { text } = await getProjectNote(world, folder, 'memory');
      expect(text).toContain('kingfisher');
      expect(text).toContain('heron');
      expect(text.split('# Memory\n').length).toBe(2);
    }
    const own = (await world.archive.files.read(shop, 'memory/memory.md'))!.toString();
    expect(own).toContain('heron');
    expect(own).not.toContain('kingfisher');
  });

  it('lists the files of all its folders and works in each of them', async () => {
    const { shop, tree } = await twoFolders();
    const rotated = await inEachFolder(world, shop, (folder) => rotateMemory(world, folder, true));
    expect(rotated.map((names) => names.length)).toEqual([1, 1]);
    const archives = (await listProjectMemory(world, shop)).filter(({ kind }) => kind === 'archive');
    expect(archives.map(({ project }) => project)).toEqual([shop, tree]);
    const [name] = rotated[1]!;
    const only = await inEachFolder(world, shop, async (folder) => folder, name);
    expect(only).toContain(tree);
    expect((await getProjectNote(world, shop, name!)).text).toMatch(/kingfisher|heron/);
  });

  it('shows a note that only another folder has, and writes into its own', async () => {
    const { shop, tree } = await twoFolders();
    await setNote(world, tree, { name: 'project', text: 'A shop for tea.' });
    expect(await getProjectNote(world, shop, 'project')).toMatchObject({
      text: 'A shop for tea.\n',
      written: true,
    });
    await setNote(world, shop, { name: 'project', text: 'A shop for coffee.' });
    expect((await getProjectNote(world, shop, 'project')).text).toBe('A shop for coffee.\n');
    expect((await getProjectNote(world, tree, 'project')).text).toBe('A shop for tea.\n');
  });

  it('is checked and finished in all of them, which count together', async () => {
    const { shop, tree } = await twoFolders();
    made.session('three', join(made.root, 'trees/3'), 'From now on always log the bittern queue length.');
    made.session(
      'four',
      join(made.root, 'shop'),
      'From now on always name the avocet branch after its ticket.',
    );
    await register(world, { all: true });
    await world.archive.change(shop, [{ at: ['settings'], merge: { memory: { interval: 3 } } }]);
    expect(await checkProjectMemory(world, shop)).toEqual({ counter: 1, interval: 3 });
    expect(await checkProjectMemory(world, shop)).toEqual({ counter: 2, interval: 3 });
    expect(await checkProjectMemory(world, tree, { now: true })).toMatchObject({ counter: 0, added: 2 });
    expect(await checkProjectMemory(world, shop)).toMatchObject({ counter: 1 });
    expect((await world.archive.files.read(tree, 'memory/memory.md'))!.toString()).toContain('bittern');
    expect((await world.archive.files.read(shop, 'memory/memory.md'))!.toString()).toContain('avocet');
    expect(await finishProjectMemory(world, shop)).toMatchObject({ added: 0, rotated: [] });
  });
});
