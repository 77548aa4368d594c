import { describe, expect, it } from 'vitest';
import {
  decidingFolders,
  foldersUp,
  isSurelyUnrecorded,
  mainCheckout,
  nothingUnrecorded,
  settingAt,
} from './unrecorded.ts';

describe('folders', () => {
  it('go up to the root', () => {
    expect(foldersUp('/srv/shop/api/')).toEqual(['/srv/shop/api', '/srv/shop', '/srv', '/']);
    expect(foldersUp('C:\\work\\shop')).toEqual(['C:\\work\\shop', 'C:\\work', 'C:']);
    expect(foldersUp('/')).toEqual(['/']);
    expect(foldersUp('')).toEqual([]);
    expect(foldersUp('a//b/')).toEqual(['a//b', 'a/', 'a']);
  });

  it('of a worktree lead to its main checkout', () => {
    expect(mainCheckout('/wt/a', 'gitdir: /srv/shop/.git/worktrees/a\n')).toBe('/srv/shop');
    expect(mainCheckout('/srv/shop/wt/a', 'gitdir: ../../.git/worktrees/a\n')).toBe('/srv/shop');
    expect(mainCheckout('/srv/shop/lib', 'gitdir: ../.git/modules/lib\n')).toBeUndefined();
    expect(mainCheckout('/srv/shop', '')).toBeUndefined();
  });

  it('decide by a marker anywhere above, by a setting in the same checkout', () => {
    expect(decidingFolders('/srv/shop/api')).toEqual({
      marker: ['/srv/shop/api', '/srv/shop', '/srv', '/'],
      setting: ['/srv/shop/api'],
    });
    expect(decidingFolders('/srv/shop/api', { root: '/srv/shop' }).setting).toEqual([
      '/srv/shop/api',
      '/srv/shop',
    ]);
    const { marker, setting } = decidingFolders('/wt/a/api', { root: '/wt/a', main: '/srv/shop' });
    expect(setting).toEqual(['/wt/a/api', '/wt/a', '/srv/shop/api', '/srv/shop']);
    expect(marker).toEqual(expect.arrayContaining(['/wt', '/srv/shop/api', '/srv/shop', '/srv', '/']));
  });

  it('set what the nearest of them sets', () => {
    const projects = { a: { path: '/srv/shop', record: false }, b: { path: '/srv/shop/api', record: true } };
    expect(settingAt(projects, ['/srv/shop/api', '/srv/shop'])).toEqual({ project: 'b', record: true });
    expect(settingAt(projects, ['/srv/shop/ui', '/srv/shop'])).toEqual({ project: 'a', record: false });
    expect(settingAt(projects, ['/srv/blog'])).toBeUndefined();
  });
});

describe('a hook can be sure that nothing is recorded', () => {
  const at = { session: 's1', cwd: '/srv/shop', folders: ['/srv/shop'], stored: '-srv-shop' };
  const own = (record: boolean) => ({ '-srv-shop': { path: '/srv/shop', record } });
  const elsewhere = { ...at, cwd: '/tmp', folders: ['/tmp'] };

  it('of a session that was turned off, wherever it is', () => {
    const off = { ...nothingUnrecorded(), sessions: { s1: '2026-01-05T10:00:00Z' } };
    expect(isSurelyUnrecorded(off, at, true)).toBe(true);
    expect(isSurelyUnrecorded(off, { ...at, session: 's2' }, true)).toBe(false);
    expect(isSurelyUnrecorded(off, { ...at, session: 'constructor' }, true)).toBe(false);
  });

  it('of a project that is off, also while the agent works below its folder', () => {
    const off = { ...nothingUnrecorded(), projects: own(false) };
    expect(isSurelyUnrecorded(off, at, true)).toBe(true);
    const below = { ...at, cwd: '/srv/shop/api', folders: ['/srv/shop/api'] };
    expect(isSurelyUnrecorded(off, below, true)).toBe(true);
    expect(isSurelyUnrecorded(off, { ...below, stored: '-srv-shop-api' }, true)).toBe(false);
    // Two paths can have one id: only the lines show which it is.
    expect(isSurelyUnrecorded(off, { ...at, cwd: '/srv-shop', folders: ['/srv-shop'] }, true)).toBe(false);
  });

  it('of a session that began below it in the same checkout', () => {
    const off = { ...nothingUnrecorded(), projects: own(false) };
    const cwd = '/srv/shop/api';
    const below = { ...at, cwd, stored: '-srv-shop-api', folders: [cwd, '/srv/shop'] };
    expect(isSurelyUnrecorded(off, below, true)).toBe(true);
  });

  it('where all are off, but for a project that is on', () => {
    const none = nothingUnrecorded();
    expect(isSurelyUnrecorded(none, at, false)).toBe(true);
    expect(isSurelyUnrecorded({ ...none, projects: own(true) }, at, false)).toBe(false);
    expect(isSurelyUnrecorded({ ...none, projects: own(true) }, elsewhere, false)).toBe(false);
    const second = { '-srv-shop~1a2b3c': { path: '/srv-shop', record: true } };
    expect(isSurelyUnrecorded({ ...none, projects: second }, at, false)).toBe(false);
  });
});
