import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RepositoryNote } from '../model/repository.ts';
import { type FolderProject, groupProjects } from './group-projects.ts';
import { joinOffers } from './join-offers.ts';

function folder(path: string, repository?: RepositoryNote): FolderProject {
  const displayName = path.split('/').at(-1) ?? path;
  return { projectId: path.replaceAll(/[^\w]/g, '-'), originalPath: path, displayName, repository };
}
const paths = (projects: FolderProject[]) =>
  groupProjects(projects).map(({ folders }) => folders.map(({ originalPath }) => originalPath));
const SHOP = { identity: 'github.com/acme/shop', from: 'origin' } as const;
const OTHER = { identity: 'github.com/me/shop', from: 'origin' } as const;

describe('groups of folders', () => {
  test('folders of one identity are one project, forks and folders without one are not', () => {
    const groups = paths([
      folder('/a/shop', SHOP),
      folder('/b/shop', OTHER),
      folder('/c/x', SHOP),
      folder('/d'),
    ]);
    expect(groups).toEqual([['/a/shop', '/c/x'], ['/b/shop'], ['/d']]);
  });

  test('the checkout comes before its worktrees, then the folder that is known longest', () => {
    const projects = [
      folder('/w/9408', { ...SHOP, worktreeOf: '/z/shop', since: '2026-01-01' }),
      folder('/y/shop', { ...SHOP, since: '2026-03-01' }),
      folder('/z/shop', { ...SHOP, since: '2026-02-01' }),
    ];
    expect(paths(projects)).toEqual([['/z/shop', '/y/shop', '/w/9408']]);
  });

  test('the checkout with the repository’s name comes first, and a name that the user gave another one stays', () => {
    const copy = folder('/a/copy', { ...SHOP, since: '2026-01-01' });
    const shop = folder('/b/shop', { ...SHOP, since: '2026-02-01' });
    const tree = { ...folder('/w/3', { ...SHOP, worktreeOf: '/b/shop' }), displayName: 'Trial' };
    const nameOf = (projects: FolderProject[]) => groupProjects(projects).map(({ name }) => name);
    expect(paths([copy, shop, tree])).toEqual([['/b/shop', '/a/copy', '/w/3']]);
    expect(nameOf([copy, shop, tree])).toEqual(['shop']);
    expect(nameOf([{ ...copy, displayName: 'Tea' }, shop, tree])).toEqual(['Tea']);
    expect(
      nameOf([
        { ...copy, displayName: 'Tea' },
        { ...shop, displayName: 'Store' },
      ]),
    ).toEqual(['Store']);
  });

  test('a worktree inside a checkout belongs to it, even if both are gone', () => {
    const projects = [
      folder('/a/cli/.worktrees/3'),
      folder('/a/cli/.worktrees/me/fix'),
      folder('/a/cli', SHOP),
      folder('/b/cli/.claude/worktrees/one'),
      folder('/b/cli/.claude/worktrees/two'),
    ];
    expect(paths(projects)).toEqual([
      ['/a/cli', '/a/cli/.worktrees/3', '/a/cli/.worktrees/me/fix'],
      ['/b/cli/.claude/worktrees/one', '/b/cli/.claude/worktrees/two'],
    ]);
  });

  test('what a worktree says about itself counts more than its place', () => {
    expect(paths([folder('/a/cli', SHOP), folder('/a/cli/.worktrees/x', OTHER)])).toHaveLength(2);
  });

  test('a join takes all folders of the identity along, also later ones; a split leaves the others', () => {
    const joined = { ...OTHER, joined: { to: SHOP.identity, at: '2026-01-01' } };
    const projects = [folder('/a/shop', SHOP), folder('/b/shop', joined), folder('/c/late', OTHER)];
    expect(paths(projects)).toEqual([['/a/shop', '/c/late', '/b/shop']]);
    const split = [...projects, folder('/d/shop', { ...SHOP, split: { at: '2026-01-02' } })];
    expect(paths(split)).toHaveLength(2);
  });

  test('a name that says nothing shows the repository, one that the user gave stays', () => {
    const names = (projects: FolderProject[]) => groupProjects(projects).map(({ name }) => name);
    expect(names([folder('/w/3', SHOP)])).toEqual(['shop']);
    expect(names([folder('/w/4ee0', SHOP)])).toEqual(['shop']);
    expect(names([folder('/w/web', SHOP)])).toEqual(['web']);
    expect(names([{ ...folder('/w/3', SHOP), displayName: '3d' }])).toEqual(['3d']);
    expect(names([folder('/w/3', { identity: 'github.com/acme/mono#packages/api' })])).toEqual(['api']);
    expect(names([folder('/a/cli/.worktrees/3')])).toEqual(['cli']);
    expect(names([folder('/w/3')])).toEqual(['w/3']);
  });
});

describe('laws', () => {
  const note = fc.record(
    {
      identity: fc.constantFrom('a', 'b', 'c', 'd'),
      joined: fc.record({ to: fc.constantFrom('a', 'b', 'c', 'd'), at: fc.constantFrom('1', '2', '3') }),
      split: fc.constant({ at: '1' }),
      worktreeOf: fc.constantFrom('/p/0', '/p/1', '/p/2'),
    },
    { requiredKeys: [] },
  );
  const projects = fc
    .array(note, { maxLength: 8 })
    .map((notes) => notes.map((it, at) => folder(`/p/${at}`, it)));

  test('every folder is in exactly one project, whatever the order', () => {
    fc.assert(
      fc.property(projects, fc.func(fc.nat()), (list, shuffle) => {
        const groups = groupProjects(list);
        expect(groups.flatMap(({ folders }) => folders).length).toBe(list.length);
        const again = groupProjects([...list].sort((a, b) => shuffle(a.projectId) - shuffle(b.projectId)));
        const plain = (of: typeof groups) =>
          of.map(({ key, folders }) => `${key}: ${folders.map((it) => it.projectId)}`).sort();
        expect(plain(again)).toEqual(plain(groups));
      }),
    );
  });

  test('without a word of the user, folders meet exactly where they name one repository', () => {
    const plain = fc.array(fc.constantFrom('a', 'b', undefined), { maxLength: 6 });
    fc.assert(
      fc.property(plain, (identities) => {
        const list = identities.map((identity, at) =>
          folder(`/q/${at}`, identity ? { identity } : undefined),
        );
        const named = identities.filter((it) => it !== undefined);
        expect(groupProjects(list)).toHaveLength(new Set(named).size + identities.length - named.length);
      }),
    );
  });
});

describe('offers', () => {
  const offers = (projects: FolderProject[]) =>
    joinOffers(groupProjects(projects)).map(({ into, from }) => [
      into.main.originalPath,
      from.main.originalPath,
    ]);

  test('a folder that says nothing is offered to the project of its name', () => {
    expect(offers([folder('/gone/Shop'), folder('/a/web', SHOP), folder('/gone/else')])).toEqual([
      ['/a/web', '/gone/Shop'],
    ]);
  });

  test('forks, names that say nothing and what was split off are not offered', () => {
    expect(offers([folder('/a/shop', SHOP), folder('/b/shop', OTHER)])).toEqual([]);
    expect(offers([folder('/a/3'), folder('/b/3')])).toEqual([]);
    expect(offers([folder('/a/shop', SHOP), folder('/b/shop', { split: { at: '1' } })])).toEqual([]);
  });
});
