import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { issueToken, removeMember, setMemberRole } from '../../src/app/hub/members.ts';
import { browserPath, openBrowser, PAGE_PATIENCE_MS } from '../made/browser.ts';
import { builtPage } from '../made/built-page.ts';
import { type TestHub, testHub, testMember } from '../made/hub-server.ts';
import { madeTalk, talkLines } from '../made/talk-lines.ts';

const path = browserPath();
const REPO = 'a'.repeat(32);

describe.skipIf(path === undefined)('the page of a hub (skipped where there is no Chromium)', () => {
  let hub: TestHub;
  let browser: Browser;
  let page: Page;
  let token: string;
  const wrong: string[] = [];
  beforeAll(async () => {
    hub = await testHub({ site: builtPage() });
    const anna = await testMember(hub, 'anna');
    const talks = await madeTalk({
      rounding: [
        {
          you: 'How is the invoice price rounded?',
          agent: 'In price.ts, half to even.',
          at: '2026-01-02T10:00:00.000Z',
        },
      ],
    });
    const { name, bytes } = anna.sealLines(REPO, 1, talkLines(talks.rounding!, '-srv-shop'), {
      lane: 'talk',
    });
    await anna.store.put(name, bytes);
    await testMember(hub, 'ben');
    await setMemberRole(hub.hub, { name: 'ben', repo: REPO, role: 'reader' });
    ({ token } = await issueToken(hub.hub, { name: 'ben', days: 1 }));
    browser = await openBrowser(path ?? '');
    page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    page.setDefaultTimeout(PAGE_PATIENCE_MS);
    page.on('pageerror', (error) => wrong.push(`page: ${error.message}`));
    page.on('response', (response) => {
      if (response.status() >= 400) wrong.push(`${response.status()} ${new URL(response.url()).pathname}`);
    });
  });
  afterAll(async () => {
    await browser?.close();
    await hub?.close();
  });

  test('a user without an archive signs in with a token and finds what colleagues said, with author and date', async () => {
    await page.goto(hub.address);
    await page.getByLabel('Token').fill(token);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: 'shop' }).click();
    await page.getByRole('searchbox').first().fill('rounded price');
    await page.getByRole('searchbox').first().press('Enter');
    const hit = page.getByRole('article').first();
    await hit.getByText('by anna').waitFor();
    expect(await hit.innerText()).toMatch(/2026/);
    await hit.getByRole('link', { name: /Open/ }).click();
    await page.getByText('half to even').first().waitFor();
    expect(wrong).toEqual([]);
  });

  test('every available view loads, and none of them changes anything', async () => {
    const views = await page.getByRole('navigation', { name: 'Views' }).getByRole('link').all();
    const titles = await Promise.all(views.map((view) => view.innerText()));
    expect(titles.map((title) => title.trim())).toEqual([
      'Memory',
      'Search',
      'Files',
      'Team',
      'Compositions',
    ]);
    for (const title of titles) {
      await page
        .getByRole('navigation', { name: 'Views' })
        .getByRole('link', { name: title.trim(), exact: true })
        .click();
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      await page.waitForLoadState('networkidle');
    }
    await page.goto(`${hub.address}/r/${REPO}/memory`);
    await page.getByRole('link', { name: /shop/ }).first().click();
    await page.getByText('rounded').first().click();
    await page.waitForLoadState('networkidle');
    for (const name of ['Create compression', 'Sync', 'Add to memory', 'Stop recording'])
      expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0);
    expect(wrong).toEqual([]);
  });

  test('a composition can be viewed and downloaded', async () => {
    await page.goto(`${hub.address}/r/${REPO}/compositions/new`);
    await page.getByRole('button', { name: 'Add session' }).first().click();
    await page.getByRole('dialog').getByText('rounded').first().click();
    await page.getByRole('dialog').getByRole('button', { name: /^Add/ }).last().click();
    await page.getByText('half to even').first().waitFor();
    expect(await page.getByRole('button', { name: 'Compose', exact: true }).count()).toBe(0);
    expect(wrong).toEqual([]);
  });

  test('a removed member has to enter a token again', async () => {
    await removeMember(hub.hub, 'ben');
    await page.goto(`${hub.address}/r/${REPO}/search?q=price`);
    await page.getByLabel('Token').waitFor();
    expect(await page.content()).not.toContain('half to even');
  });
});
