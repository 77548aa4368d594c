import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sync } from '../../src/app/sync/sync.ts';
import { sanitizePath } from '../../src/core/model/ids.ts';
import { browserPath } from '../made/browser.ts';
import { type OpenPage, openPage } from '../made/open-page.ts';
import { workSession } from '../made/work.ts';

const path = browserPath();

describe.skipIf(path === undefined)('the page and a replay (skipped where there is no Chromium)', () => {
  let opened: OpenPage;
  let page: Page;
  const button = (name: string | RegExp) => page.getByRole('button', { name });

  beforeAll(async () => {
    opened = await openPage(path ?? '', async (world) => {
      const folder = join(world.projects, sanitizePath('/srv/shop'));
      mkdirSync(folder, { recursive: true });
      const put = (id: string, day: string, you: string) =>
        writeFileSync(
          join(folder, `${id}.jsonl`),
          workSession(id, [{ you }, { edit: 'src/price.ts' }, { agent: `Done on ${day}.` }], day),
        );
      put('first001', '2026-01-05', 'Never edit the files under `src/gen`, run `make gen` instead.');
      put(
        'second01',
        '2026-01-06',
        'Fix it. Please never edit the files under `src/gen`, run `make gen` instead.',
      );
      put('third001', '2026-01-07', 'You may edit the files under `src/gen` now.');
      await sync(world);
    });
    page = opened.page;
  });
  afterAll(() => opened?.close());
  beforeEach(() => {
    opened.wrong.length = 0;
    return () => expect(opened.wrong).toEqual([]);
  });

  test('starts one, shows good and bad cases, and opens both places of a case side by side', async () => {
    await opened.open('/replay');
    await page.getByText('No replay yet.').waitFor();
    await button('Replay').click();
    await page.getByText('Where it would have helped (1)').waitFor();
    await page.getByText(/Where it would have been wrong or irrelevant \([1-9]/).waitFor();
    await page.getByText(/^All projects, replayed .*: 3 sessions with/).waitFor();
    await page.getByText('Repeated, and missed by memory (0)').waitFor();
    const titles = await page.getByRole('heading', { level: 2 }).allTextContents();
    const place = (words: string) => titles.findIndex((title) => title.includes(words));
    expect(place('wrong or irrelevant')).toBeLessThan(place('would have helped'));
    await button(/Contradicted/)
      .first()
      .click();
    await page.getByRole('link', { name: /Open that session/ }).waitFor();
    await button(/Repeated instruction/).click();
    const before = page.getByRole('region', { name: 'First time' });
    const again = page.getByRole('region', { name: 'Repeated' });
    await before.getByText('Done on 2026-01-05.').waitFor();
    await again.getByText('Done on 2026-01-06.').waitFor();
    await page.getByText('Keepsake would have shown this at the start of the session:').waitFor();
    expect(page.url()).toContain('case=rc_');
    // What is open is in the address.
    await page.reload();
    await again.getByText('Done on 2026-01-06.').waitFor();
    await before.getByRole('link', { name: /open in its session/ }).click();
    await page.waitForURL(/\/sessions\/first001\/messages/);
    await page.getByText('Done on 2026-01-05.').first().waitFor();
  });
});
