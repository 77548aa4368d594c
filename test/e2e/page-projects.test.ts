import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sync } from '../../src/app/sync/sync.ts';
import { browserPath } from '../made/browser.ts';
import { type OpenPage, openPage, putSession } from '../made/open-page.ts';

const path = browserPath();

describe.skipIf(path === undefined)('the page and projects (skipped where there is no Chromium)', () => {
  let opened: OpenPage;
  let page: Page;
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const cards = () => page.getByRole('list', { name: 'Projects' }).getByRole('link');
  const count = (wanted: number) => expect.poll(() => cards().count()).toBe(wanted);

  beforeAll(async () => {
    opened = await openPage(path ?? '', async (world) => {
      for (const [at, folder] of ['a/shop', 'b/shop', 'b/shop/.worktrees/3'].entries()) {
        const cwd = join(world.places.home, folder);
        mkdirSync(cwd, { recursive: true });
        putSession(world, cwd, `session-${at}`, [
          {
            you: `How do we round prices in ${folder}?`,
            agent: 'To whole cents.',
            at: `2026-01-0${at + 1}T10:00:00.000Z`,
          },
        ]);
      }
      await sync(world);
    });
    page = opened.page;
  });
  afterAll(() => opened?.close());
  beforeEach(() => {
    opened.wrong.length = 0;
    return () => expect(opened.wrong).toEqual([]);
  });

  test('offers to join folders that only share a name, joins them, and undoes it', async () => {
    await page.getByText('May be the same project').waitFor();
    await page.getByText('2 folders').first().waitFor();
    await count(2);
    await button('Join').click();
    await cards().filter({ hasText: '3 folders' }).waitFor();
    await count(1);
    await button('Undo').click();
    await page.getByText('May be the same project').waitFor();
    await count(2);
  });

  test('a dismissed offer stays away, also after a reload, until the user undoes it', async () => {
    const offers = page.getByRole('region', { name: 'May be the same project' });
    await button(/^Dismiss /).click();
    await page.getByText('They stay two projects.').waitFor();
    await offers.waitFor({ state: 'detached' });
    await page.reload();
    await count(2);
    // What is there was asked for: another card of home comes with the same page.
    await page.getByRole('region', { name: 'Needs a decision' }).waitFor();
    expect(await offers.count()).toBe(0);
    await page.evaluate(() => localStorage.removeItem('keepsake.offers'));
    await page.reload();
    await button(/^Dismiss /).click();
    await button('Undo').click();
    await offers.waitFor();
  });

  test('shows the folders of a project with the reason for each, and splits one off', async () => {
    await cards().filter({ hasText: '2 folders' }).click();
    const folders = page.getByRole('list', { name: 'Folders' });
    await folders.getByText(/; a worktree of/).waitFor();
    // The sessions of both folders are in one list, and each leads to itself.
    await page.getByText('in b/shop/.worktrees/3').first().click();
    await page.getByText('To whole cents.').first().waitFor();
    await page.getByText('in b/shop?').first().waitFor();
    await page.getByRole('link', { name: 'Project overview' }).click();
    await button(/Split off .*worktrees/).click();
    await page.getByRole('heading', { name: '1 folder', exact: true }).waitFor();
    await button('Undo').click();
    await page.getByRole('heading', { name: '2 folders', exact: true }).waitFor();
  });
});
