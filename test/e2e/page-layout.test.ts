import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addFact } from '../../src/app/layers/facts-edit.ts';
import { sync } from '../../src/app/sync/sync.ts';
import { useSample } from '../../src/app/sync/use-sample.ts';
import type { ProjectId } from '../../src/core/model/ids.ts';
import { browserPath } from '../made/browser.ts';
import { unfit } from '../made/fits.ts';
import { type OpenPage, openPage, putSession } from '../made/open-page.ts';

const path = browserPath();
const long = Array.from({ length: 60 }, (_, n) => `Detail ${n} of the matter.`).join('\n\n');

describe.skipIf(path === undefined)('the layout of the page (skipped where there is no Chromium)', () => {
  let opened: OpenPage;
  let page: Page;
  let project: ProjectId;

  beforeAll(async () => {
    opened = await openPage(path ?? '', async (world) => {
      project = putSession(world, '/home/ada/shop', 'one', [
        { you: 'How do we round prices?', agent: `Let me look.\n\n${long}` },
        { agent: 'We round half up.' },
        { you: 'And the basket?', agent: `One moment.\n\n${long}` },
        { agent: 'It adds up the lines.' },
        { you: 'And the tax?', agent: long },
      ]);
      await sync(world);
      await useSample(world);
      await addFact(world, { project, kind: 'decision', content: 'Baskets are `cents`.' });
      await addFact(world, { project, kind: 'rule', content: 'Always round half up.' });
    });
    page = opened.page;
  });
  afterAll(() => opened?.close());
  beforeEach(() => {
    opened.wrong.length = 0;
    return () => expect(opened.wrong).toEqual([]);
  });
  const at = (tab: string) => `/memory/${project}/sessions/one/${tab}`;

  test('home shows recent activity, upcoming deletions and open decisions, and searches everything', async () => {
    await opened.open('/memory');
    const lately = page.getByRole('region', { name: 'Recent sessions' });
    await lately.getByRole('link').first().waitFor();
    await page
      .getByRole('region', { name: 'Deleted soon' })
      .getByText(/Nothing|session/)
      .first()
      .waitFor();
    await page
      .getByRole('region', { name: 'Needs a decision' })
      .getByText(/Nothing|contradicted|waiting for/)
      .first()
      .waitFor();
    await page.getByRole('searchbox', { name: 'Search everything' }).fill('half up');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/search\?q=half\+up&kinds=all|\/search\?q=half%20up&kinds=all/);
    await page.getByText('Always round half up.').first().waitFor();
  });

  test('facts are grouped by kind, show code as code, and can be reviewed by keyboard', async () => {
    await opened.open(`/facts?project=${project}`);
    await page.getByRole('heading', { name: 'Rules', exact: true }).waitFor();
    await page.getByRole('heading', { name: 'Decisions', exact: true }).waitFor();
    await page.locator('article code', { hasText: 'cents' }).waitFor();
    await page.keyboard.press('j');
    const marked = page.locator('article[aria-current="true"]');
    await marked.filter({ hasText: 'Always round half up.' }).waitFor();
    await page.keyboard.press('x');
    await page.getByText('Rejected: memory no longer states it.', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('heading', { name: 'Rules', exact: true }).waitFor();
  });

  test('messages fold by exchange, and keys jump from prompt to prompt', async () => {
    await opened.open(at('messages'));
    await page.getByText('How do we round prices?').first().waitFor();
    const narration = page.getByRole('article', { name: 'Message 2, Agent' });
    await narration.locator('.text-muted').first().waitFor();
    await page.keyboard.press('j');
    await expect.poll(() => page.getByRole('feed').evaluate((it) => it.scrollTop)).toBeGreaterThan(500);
    await page.keyboard.press('k');
    await expect.poll(() => page.getByRole('feed').evaluate((it) => it.scrollTop)).toBeLessThan(50);
    await page.keyboard.press('f');
    await page.getByRole('button', { name: '1 message' }).first().waitFor();
    expect(await page.getByText('Detail 3 of the matter.').count()).toBeLessThan(2);
    await page.getByRole('button', { name: '1 message' }).first().click();
    await page.getByText('Let me look.').waitFor();
  });

  test('the list of sessions is resized by arrows and hidden and shown by a key', async () => {
    await opened.open(at('overview'));
    const list = page.getByRole('region', { name: 'Sessions', exact: true });
    const width = async () => (await list.boundingBox())?.width ?? 0;
    await list.waitFor();
    const before = await width();
    await page.getByRole('separator', { name: 'Width of the session list' }).focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(width).toBe(before + 24);
    await page.keyboard.press('[');
    await list.waitFor({ state: 'hidden' });
    await page.reload();
    await page.getByRole('button', { name: 'Show the sessions' }).click();
    await expect.poll(width).toBe(before + 24);
  });

  test('the context menu of a session compresses and composes', async () => {
    await opened.open(`/memory/${project}/overview`);
    const row = page.getByRole('listbox', { name: 'Sessions', exact: true }).getByRole('option').last();
    await row.click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Create compression' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Create compression' }).waitFor();
    await page.locator('[data-bars]').waitFor();
    await page.keyboard.press('Escape');
    await opened.open(`/memory/${project}/overview`);
    await row.click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Compose with it' }).click();
    await page.waitForURL(/\/compositions\/new\?/);
  });

  test('home and facts fit a screen of 380 pixels', async () => {
    await page.setViewportSize({ width: 380, height: 760 });
    const wide: string[] = [];
    for (const view of ['/memory', '/facts', `${at('messages')}?fold=yes`, '/care?tab=history']) {
      await opened.open(view);
      await page.waitForLoadState('networkidle');
      wide.push(...(await page.evaluate(unfit)).map((it) => `${view}: ${it}`));
    }
    expect(wide).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 800 });
  });
});
