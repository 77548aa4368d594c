import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { compressSession } from '../../src/app/compress/compress.ts';
import { allSessions } from '../../src/app/find/sessions.ts';
import { startText } from '../../src/app/inject/start.ts';
import { useSample } from '../../src/app/sync/use-sample.ts';
import { CONFIG_DEFAULTS } from '../../src/core/model/config-defaults.ts';
import type { SessionId } from '../../src/core/model/ids.ts';
import { browserPath } from '../made/browser.ts';
import { type OpenPage, openPage } from '../made/open-page.ts';

const path = browserPath();
const SAMPLE = '-home-ada-bakery';

describe.skipIf(path === undefined)(
  'figures and names on the page (skipped where there is no Chromium)',
  () => {
    let opened: OpenPage;
    let page: Page;
    let session: string;

    beforeAll(async () => {
      opened = await openPage(path ?? '', async (world) => {
        await useSample(world);
        const [row] = (await allSessions(world)).sort((a, b) => b.originalTokens - a.originalTokens);
        if (!row) throw new Error('the sample is empty');
        session = row.sessionId;
        await compressSession(world, { project: row.projectId, session: row.sessionId }, { ratio: 5 });
        const state = { version: 2 as const, session: 'now00001' as SessionId, told: [] };
        await startText(world, state, row.projectId, CONFIG_DEFAULTS);
      });
      page = opened.page;
    });
    afterAll(() => opened?.close());
    beforeEach(async () => {
      opened.wrong.length = 0;
      await page.setViewportSize({ width: 1280, height: 800 });
      return () => expect(opened.wrong).toEqual([]);
    });
    const at = (tab: string) => `/memory/${SAMPLE}/sessions/${session}/${tab}`;

    test('the figures below the title of a session are one line', async () => {
      await opened.open(at('overview'));
      const line = page.locator('main header p');
      await line.getByText(/tokens/).waitFor();
      expect((await line.innerText()).replaceAll(/\s+/g, ' ')).toMatch(
        /2026.* · \d+ messages · [\d.]+k? tokens/,
      );
      const lines = await line.evaluate(
        (it) => it.clientHeight / Number.parseFloat(getComputedStyle(it).lineHeight),
      );
      expect(Math.round(lines)).toBe(1);
    });

    test('on a phone the kinds of tokens have their whole names', async () => {
      await page.setViewportSize({ width: 380, height: 760 });
      await opened.open(at('overview'));
      const names = page.getByRole('region', { name: 'Context map' }).getByRole('rowheader');
      await names.getByText('Output of Bash').waitFor();
      const cut = await names.evaluateAll((all) =>
        all
          .flatMap((it) => [...it.querySelectorAll('span')])
          .filter((it) => it.scrollWidth > it.clientWidth + 1),
      );
      expect(cut).toEqual([]);
    });

    test('months and the whole list say what is counted', async () => {
      await opened.open(`/memory/${SAMPLE}/overview`);
      const list = page.getByRole('region', { name: 'Sessions', exact: true });
      await list
        .getByText(/^\d+ sessions?, open · [\d.]+k tokens$/)
        .first()
        .waitFor();
      expect(await list.getByRole('status').innerText()).toMatch(/^\d+ sessions$/);
    });

    test('to join another project the user has to choose one', async () => {
      await opened.open(`/memory/${SAMPLE}/overview`);
      await page.getByRole('button', { name: 'Join another project' }).click();
      const dialog = page.getByRole('dialog', { name: 'Join another project' });
      await dialog.getByText('Choose a project').waitFor();
      expect(await dialog.getByRole('button', { name: 'Join', exact: true }).isDisabled()).toBe(true);
      await page.keyboard.press('Escape');
    });

    test('the history has a heading for each day, and a time in each row', async () => {
      await opened.open('/maintenance?tab=history');
      const list = page.getByRole('list', { name: 'History' });
      await list.getByRole('heading').first().waitFor();
      const days = await list.getByRole('heading').allInnerTexts();
      expect(new Set(days).size).toBe(days.length);
      expect(days[0]).toMatch(/^\w+ \d+, \d{4}$/);
      const times = await list.locator('time').allInnerTexts();
      for (const time of times) expect(time).toMatch(/^\d+:\d\d\s[AP]M$/);
    });

    test('what an injection was made from is named once for each session', async () => {
      await opened.open('/injections');
      const item = page.getByRole('article').filter({ hasText: 'At the start' }).first();
      await item
        .getByText(/^From /)
        .first()
        .waitFor();
      const named = await item.getByText(/^From /).allInnerTexts();
      expect(new Set(named).size).toBe(named.length);
      await item.locator('a[href*="/exchanges/"]').first().click();
      await page.waitForURL(/\/exchanges\/ex_/);
    });
  },
);
