import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { compose } from '../../src/app/compose/compose.ts';
import { compressSession } from '../../src/app/compress/compress.ts';
import { addFact } from '../../src/app/layers/facts-edit.ts';
import { sync } from '../../src/app/sync/sync.ts';
import type { ProjectId, SessionId } from '../../src/core/model/ids.ts';
import { browserPath } from '../made/browser.ts';
import { type OpenPage, openPage, putSession } from '../made/open-page.ts';

const path = browserPath();
const talk = (topic: string) =>
  Array.from(
    { length: 14 },
    (_, n) => `The ${topic} has a detail ${n}, in src/${topic}-${n}.ts, worth ${n * 7} cents.`,
  ).join(' ');
const asks = ['How do we round prices?', 'And the basket?', 'And the tax?', 'And the oven?', 'And the lamp?'];
const shop = '/home/ada/shop';

describe.skipIf(path === undefined)(
  'the page as a new user tried it (skipped where there is no Chromium)',
  () => {
    let opened: OpenPage;
    let page: Page;
    let project: ProjectId;

    beforeAll(async () => {
      opened = await openPage(path ?? '', async (world) => {
        project = putSession(
          world,
          shop,
          'one',
          asks.map((you, n) => ({
            you,
            agent: talk(['rounding', 'basket', 'tax', 'oven', 'lamp'][n] ?? ''),
          })),
        );
        putSession(world, '/home/ada/mill', 'two', [
          { you: 'How is the mill driven?', agent: 'By water. The quimble turns it.' },
          { you: 'And the quimble?', agent: talk('quimble') },
        ]);
        await sync(world);
        await addFact(world, { project, kind: 'decision', content: 'Basket totals are zanzibar cents.' });
        await compressSession(world, { session: 'one' as SessionId, project }, { ratio: 10 });
        await compose(world, 'onboarding', { budget: 4000, sessions: ['one:part1_v001'] });
      });
      page = opened.page;
    });
    afterAll(() => opened?.close());
    beforeEach(() => {
      opened.wrong.length = 0;
      return () => expect(opened.wrong).toEqual([]);
    });
    const at = (tab: string) => `/memory/${project}/sessions/one/${tab}`;

    test('a click marks the exchange that the keys then cut, and s shrinks it instead of starting a sync', async () => {
      let syncs = 0;
      page.on('request', (request) => {
        if (/\/sync/.test(request.url())) syncs++;
      });
      await opened.open(at('surgery'));
      await page.getByText('And the oven?').first().click();
      await page.keyboard.press('d');
      await page.getByText(/4 kept, 0 shrunk, 1 dropped/).waitFor();
      const chosen = (n: number, name: string) =>
        page
          .getByRole('group', { name: `Exchange ${n}` })
          .locator('[aria-pressed="true"]', { hasText: name });
      await chosen(4, 'drop').waitFor();
      // The next one is marked now. Outside of the list the keys mean the same.
      await page.getByRole('heading', { level: 1 }).click();
      await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
      await page.keyboard.press('s');
      await chosen(5, 'shrink').waitFor();
      await page.getByText(/3 kept, 1 shrunk, 1 dropped/).waitFor();
      expect(syncs).toBe(0);
    });

    test('the palette finds facts, decisions and concepts and leads to them', async () => {
      await opened.open('/memory');
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Find' }).fill('zanzib');
      const decision = page.getByRole('option', { name: /zanzibar cents.*Decision in shop/ });
      await decision.click();
      await page.waitForURL(/\/facts\?.*fact=/);
      await page.locator('article.ring-2', { hasText: 'zanzibar cents' }).waitFor();
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Find' }).fill('quimble');
      await page.getByRole('option', { name: /Concept in mill/ }).click();
      await page.waitForURL(/\/concepts\?.*concept=/);
    });

    test('versions say which engine made them and for which composition', async () => {
      await opened.open(at('versions'));
      const row = page.getByRole('link', { name: /v001/ });
      await row.getByText('offline engine').waitFor();
      await row.getByText('for onboarding').waitFor();
      await page.getByText(/offline engine, for onboarding/).waitFor();
    });

    test('a preview of a purge is not called a purge, and a purge is one row of the history', async () => {
      await opened.open('/care?tab=purge');
      await page.getByLabel(/Every place/).fill('The quimble turns it.');
      await page.getByRole('button', { name: 'Find every place' }).click();
      await page.getByRole('progressbar', { name: /^Finding every place of a text/ }).waitFor();
      expect(await page.getByText(/Purging/).count()).toBe(0);
      await page.getByRole('button', { name: 'Purge for good' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Purge for good' }).click();
      await page.getByText(/^Deleted\./).waitFor();
      await opened.open('/care?tab=history');
      const rows = page.getByRole('listitem').filter({ has: page.locator('[data-action=purge]') });
      await rows.first().waitFor();
      expect(await rows.count()).toBe(1);
      await rows.getByText('2 projects').waitFor();
    });
  },
);
