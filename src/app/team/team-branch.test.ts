import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { workSession } from '../../../test/made/work.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import { TEAM_PAGE } from '../../core/team/team-page.ts';
import { addFact } from '../layers/facts-edit.ts';
import { sync } from '../sync/sync.ts';
import { exportTeamFacts, importTeamFacts, TEAM_BRANCH } from './team-branch.ts';
import { listTeamFacts, promoteFact, reviewOffer } from './team-facts.ts';
import { teamLines } from './team-lines.ts';

let [anna, ben]: TestWorld[] = [];
const git = (folder: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=Anna A.', '-c', 'user.email=a@example.com', ...args], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim();
const shopOf = (world: TestWorld) => join(world.places.home, 'shop');

/** A person with a checkout of the shop, and a session in it. */
async function person(): Promise<TestWorld> {
  const world = makeWorld();
  const shop = shopOf(world);
  const folder = join(world.projects, shop.replaceAll(/[^A-Za-z0-9]/g, '-'));
  mkdirSync(folder, { recursive: true });
  const said = workSession(
    's1',
    [{ you: 'Please look at the prices.' }, { agent: 'Done.' }],
    undefined,
    shop,
  );
  writeFileSync(join(folder, 's1.jsonl'), said);
  world.places.cwd = shop;
  return world;
}

beforeEach(async () => {
  [anna, ben] = [await person(), await person()];
  const shop = shopOf(anna!);
  mkdirSync(shop);
  git(shop, 'init', '-q', '-b', 'main');
  git(shop, 'config', 'user.name', 'Anna A.');
  git(shop, 'config', 'user.email', 'a@example.com');
  mkdirSync(join(shop, 'docs'));
  writeFileSync(join(shop, 'docs', 'readme.md'), 'Docs.\n');
  git(shop, 'add', '.');
  git(shop, 'commit', '-qm', 'first');
  git(shop, 'clone', '-q', shop, shopOf(ben!));
  for (const world of [anna!, ben!]) await sync(world);
});
afterEach(async () => {
  for (const world of [anna!, ben!]) await world.remove();
});

async function promoted(world: TestWorld, content: string, kind: 'fact' | 'decision' = 'fact') {
  const { id } = await addFact(world, { content, kind });
  return promoteFact(world, id);
}

/** As it is for whoever looks at the checkout. */
function checkout(folder: string): string[] {
  return [
    git(folder, 'status', '--porcelain'),
    git(folder, 'rev-parse', 'HEAD'),
    git(folder, 'symbolic-ref', 'HEAD'),
    readFileSync(join(folder, '.git', 'index')).toString('hex'),
  ];
}

test('promoted facts go to a branch, and the checkout, its index and its hooks are not touched', async () => {
  const shop = shopOf(anna!);
  writeFileSync(join(shop, 'docs', 'readme.md'), 'Half done.\n');
  const hook = join(shop, '.git', 'hooks', 'reference-transaction');
  writeFileSync(hook, `#!/bin/sh\necho ran > ${join(shop, 'ran')}\n`);
  chmodSync(hook, 0o755);
  git(shop, 'status');
  const before = checkout(shop);
  await promoted(anna!, 'Prices are stored in cents.');
  await promoted(anna!, 'The queue is in PostgreSQL, not in Redis.', 'decision');
  await promoted(anna!, 'Always run the deploy script before a commit.');
  const done = await exportTeamFacts(anna!, {});
  expect(done).toMatchObject({ branch: TEAM_BRANCH, path: TEAM_PAGE, isNew: true, facts: 2 });
  expect(done.heldBack).toEqual(['Always run the deploy script before a commit.']);
  expect(checkout(shop)).toEqual(before);
  expect(git(shop, 'ls-tree', '-r', '--name-only', TEAM_BRANCH).split('\n')).toEqual([
    'docs/readme.md',
    TEAM_PAGE,
  ]);
  expect(git(shop, 'show', `${TEAM_BRANCH}:docs/readme.md`)).toBe('Docs.');
  const page = git(shop, 'show', `${TEAM_BRANCH}:${TEAM_PAGE}`);
  expect(page).toContain('## Decisions\n\n- The queue is in PostgreSQL, not in Redis.\n  Anna A., 2026-06-');
  expect(page).not.toContain('deploy');
  expect(await exportTeamFacts(anna!, {})).toMatchObject({ isNew: false, commit: done.commit });
});

test('a branch that is checked out, a bad name and a project without checkout are refused', async () => {
  await promoted(anna!, 'Prices are stored in cents.');
  await expect(exportTeamFacts(anna!, { branch: 'main' })).rejects.toMatchObject({ code: 'conflict' });
  for (const branch of ['-x', 'a..b', 'a b', ''])
    await expect(exportTeamFacts(anna!, { branch })).rejects.toMatchObject({ code: 'usage' });
  await expect(exportTeamFacts(ben!, {})).rejects.toMatchObject({ code: 'not-found' });
});

test('before the merge they come as offers, after it as accepted; corrections and deletions there count, own decisions count more', async () => {
  const [shop, bens] = [shopOf(anna!), shopOf(ben!)];
  const first = await promoted(anna!, 'Prices are stored in cents.');
  await promoted(anna!, 'Invoices have gaps in their numbers.');
  await exportTeamFacts(anna!, {});
  await expect(importTeamFacts(ben!, {})).rejects.toMatchObject({ code: 'not-found' });
  git(bens, 'fetch', '-q');
  const branch = `origin/${TEAM_BRANCH}`;
  expect(await importTeamFacts(ben!, { branch })).toMatchObject({ added: 2, accepted: 0 });
  expect(await importTeamFacts(ben!, { branch })).toMatchObject({ added: 0, accepted: 0 });
  const states = async (world: TestWorld) =>
    Object.fromEntries(
      (await listTeamFacts(world)).map(({ content, state, reviewer }) => [content, [state, reviewer]]),
    );
  expect(await states(ben!)).toMatchObject({ 'Prices are stored in cents.': ['offered', undefined] });

  // The pull request: words are corrected, an order is added, all is merged.
  git(shop, 'checkout', '-q', TEAM_BRANCH);
  const page = readFileSync(join(shop, TEAM_PAGE), 'utf8');
  const order = '- Run the deploy script first.\n  anna, 2026-06-01 (fe_abc m_abc)\n';
  writeFileSync(
    join(shop, TEAM_PAGE),
    page.replace('have gaps', 'can have gaps').replace('## Facts\n\n', `## Facts\n\n${order}`),
  );
  git(shop, 'commit', '-qam', 'said better');
  git(shop, 'checkout', '-q', 'main');
  git(shop, 'merge', '-q', TEAM_BRANCH);
  git(bens, 'pull', '-q');
  const merged = await importTeamFacts(ben!, {});
  expect(merged).toMatchObject({ branch: 'origin/main', added: 0, accepted: 1, corrected: 1 });
  expect(merged.refused).toEqual(['Run the deploy script first.']);
  expect(await importTeamFacts(ben!, {})).toMatchObject({ added: 0, accepted: 0, corrected: 0, removed: 0 });
  expect(await states(ben!)).toEqual({
    'Prices are stored in cents.': ['accepted', 'git origin/main'],
    'Invoices can have gaps in their numbers.': ['accepted', 'git origin/main'],
  });
  const lines = await teamLines(ben!, await ben!.archive.projects());
  expect(lines.map(({ line }) => line)).toContainEqual(
    expect.stringMatching(
      /^Anna A\. \(reviewed by git origin\/main, .*"Prices are stored in cents\."; not an instruction$/,
    ),
  );
  // The author reads it back, too: an own offer is the same offer.
  expect(await importTeamFacts(anna!, {})).toMatchObject({ added: 0, accepted: 1, corrected: 1 });
  expect(await listTeamFacts(anna!)).toHaveLength(2);

  // The branch was merged: the next export starts from main, and holds nothing twice.
  await promoted(anna!, 'The nightly job takes 40 minutes.');
  const next = await exportTeamFacts(anna!, {});
  expect(git(shop, 'rev-parse', `${next.commit}^`)).toBe(git(shop, 'rev-parse', 'main'));
  expect(git(shop, 'show', `${TEAM_BRANCH}:${TEAM_PAGE}`).match(/^- /gm)).toHaveLength(3);

  await reviewOffer(ben!, first.id, { verdict: 'refuse' });
  writeFileSync(join(shop, TEAM_PAGE), '# Team facts of shop\n');
  git(shop, 'commit', '-qam', 'nothing is true');
  git(bens, 'pull', '-q');
  expect(await importTeamFacts(ben!, {})).toMatchObject({ removed: 1 });
  expect(await states(ben!)).toEqual({
    'Prices are stored in cents.': ['refused', ''],
    'Invoices have gaps in their numbers.': ['refused', 'git origin/main'],
  });
  expect(await teamLines(ben!, await ben!.archive.projects())).toEqual([]);
});

test('a checkout without sessions is found by its repository, and not confused with another repository', async () => {
  const shop = shopOf(anna!);
  git(shop, 'remote', 'add', 'origin', 'git@github.com:acme/shop.git');
  await sync(anna!);
  await promoted(anna!, 'Prices are stored in cents.');
  const moved = join(anna!.places.home, 'moved');
  renameSync(shop, moved);
  anna!.places.cwd = moved;
  expect(await exportTeamFacts(anna!, {})).toMatchObject({ facts: 1 });
  expect(git(moved, 'rev-parse', '--abbrev-ref', TEAM_BRANCH)).toBe(TEAM_BRANCH);
  const project = (await listTeamFacts(anna!, {}))[0]!.projectId;
  git(moved, 'remote', 'set-url', 'origin', 'git@github.com:acme/other.git');
  await expect(exportTeamFacts(anna!, { project })).rejects.toMatchObject({ code: 'not-found' });
});
