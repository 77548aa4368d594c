import { expect, test } from 'vitest';
import { projectNames, projectOf } from './project-names.ts';

const named = (...paths: [path: string, name?: string][]) => [
  ...projectNames(
    paths.map(([originalPath, name], n) => ({
      projectId: `p${n}`,
      originalPath,
      displayName: name ?? originalPath.split('/').at(-1) ?? '',
    })),
  ).values(),
];

test('a unique name is enough; a name that exists twice gets the folders that distinguish it', () => {
  expect(named(['/home/ada/shop'], ['/home/ada/cli'])).toEqual(['shop', 'cli']);
  expect(named(['/a/src/io/cli'], ['/a/dev/io/cli'], ['/b/wks/cli'])).toEqual([
    'src/io/cli',
    'dev/io/cli',
    'wks/cli',
  ]);
});

test('a number is not enough: it is shown after the folder that it belongs to', () => {
  expect(named(['/home/ada/cli/.worktrees/3'])).toEqual(['cli/.worktrees/3']);
});

test('names given by hand stay, and projects without a path keep theirs', () => {
  expect(named(['/a/one', 'Shop'], ['/b/two', 'Shop'], ['', 'Shop'])).toEqual([
    'Shop (one)',
    'Shop (two)',
    'Shop',
  ]);
});

test('a folder is called as its project', () => {
  const folders = [{ projectId: 'main' }, { projectId: 'tree' }];
  const projects = [{ projectId: 'main', originalPath: '/a/shop', displayName: 'shop', folders }];
  expect(projectNames(projects).get('tree')).toBe('shop');
  expect(projectOf(projects, 'tree')).toBe('main');
  expect(projectOf(projects, 'elsewhere')).toBe('elsewhere');
});
