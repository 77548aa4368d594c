import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { compressSession } from '../../src/app/compress/compress.ts';
import { sync } from '../../src/app/sync/sync.ts';
import type { ProjectId, SessionId } from '../../src/core/model/ids.ts';
import { browserPath } from '../made/browser.ts';
import { chooseOption } from '../made/choose-option.ts';
import { type OpenPage, openPage, putSession } from '../made/open-page.ts';

const path = browserPath();
const LONG =
  'Explain how the basket of the shop rounds its prices and why the totals of the receipt differ from the sum of its lines';
const detail = Array.from({ length: 40 }, (_, n) => `Sentence ${n} about the shelves of the shop.`).join(' ');

/** Holds back what matches until it is let go. */
async function held(page: Page, matching: RegExp): Promise<{ letGo: () => void }> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(matching, async (route) => {
    await promise;
    await route.continue();
  });
  return { letGo: resolve };
}

describe.skipIf(path === undefined)('the first view (skipped where there is no Chromium)', () => {
  let opened: OpenPage;
  let page: Page;
  let project: ProjectId;

  beforeAll(async () => {
    opened = await openPage(path ?? '', async (world) => {
      const turns = Array.from({ length: 14 }, (_, n) => ({
        you: `Question ${n}: where is heronsgate ${n}?`,
        agent: `**Answer ${n}** is in \`map-${n}.md\`.\n\n- ${detail}\n- Heronsgate lies north.`,
      }));
      project = putSession(world, '/home/ada/shop', 'one', [{ you: LONG, agent: 'Half up.' }, ...turns]);
      putSession(world, '/srv/bob/shop', 'two', [{ you: 'Other words', agent: 'Yes.' }]);
      await sync(world);
      await compressSession(world, { project, session: 'one' as SessionId }, { ratio: 6 });
    });
    page = opened.page;
  });
  afterAll(() => opened?.close());
  beforeEach(() => {
    opened.wrong.length = 0;
    return async () => {
      await page.unrouteAll({ behavior: 'wait' });
      expect(opened.wrong).toEqual([]);
    };
  });
  const at = (tab: string) => `/memory/${project}/sessions/one/${tab}`;

  test('the document shows a frame in its colors before the first script runs, and nothing moves afterwards', async () => {
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      const script = await held(page, /\/assets\/index-[^/]*\.js$/);
      await page.goto(`${opened.origin}/nothing/here`, { waitUntil: 'commit' });
      const frame = page.locator('[data-frame]');
      await frame.getByText('Loading Keepsake…').waitFor();
      expect(await page.locator('html').getAttribute('data-theme')).toBe(scheme);
      const name = page.getByText('Keepsake', { exact: true }).filter({ visible: true });
      const before = await name.boundingBox();
      script.letGo();
      await page.getByText('Page not found.').waitFor();
      expect(await frame.count()).toBe(0);
      expect(await name.boundingBox()).toEqual(before);
    }
    await page.emulateMedia({ colorScheme: null });
  });

  test.each([
    ['nowhere', /\/NotFoundPage-[^/]*\.js$/, '/nothing/here', 'Page not found.'],
    ['search', /\/SearchPage-[^/]*\.js$/, '/search', 'Messages of every session'],
    ['an unknown project', /\/MemoryBrowser-[^/]*\.js$/, '/memory/-none/overview', 'No project'],
  ])('%s shows its shape while its script is on its way', async (_, script, address, words) => {
    const view = await held(page, script);
    await page.goto(opened.origin + address, { waitUntil: 'commit' });
    await page.locator('main [data-skeleton]').waitFor();
    view.letGo();
    await page.getByText(words).first().waitFor();
    // A project that is not there is answered so, in more than one answer.
    await page.waitForLoadState('networkidle');
    opened.wrong.length = 0;
  });

  test('the map beside the messages has its place while it loads, folded or not, and the messages do not move', async () => {
    const map = await held(page, /\/map\?/);
    await opened.open(`${at('messages')}?fold=yes`);
    await page.getByLabel('Loading the map of the session').waitFor();
    const feed = page.getByRole('feed', { name: 'Messages' });
    const before = await feed.boundingBox();
    map.letGo();
    await page.getByRole('group', { name: /^Timeline of/ }).waitFor();
    expect(await feed.boundingBox()).toEqual(before);
  });

  test('two projects of one name are told apart in the same way in selects and headings', async () => {
    await opened.open(`/memory/${project}/overview`);
    await page.getByRole('heading', { level: 1, name: 'ada/shop' }).waitFor();
    await page.getByRole('combobox', { name: 'Project' }).getByText('ada/shop').waitFor();
    await opened.open(at('overview'));
    await page.locator('dd', { hasText: /^ada\/shop$/ }).waitFor();
  });

  test('a long title is complete in the heading, and where it is cut off it is shown on hover and focus', async () => {
    await opened.open(at('overview'));
    const heading = page.getByRole('heading', { level: 1 });
    await heading.waitFor();
    const isCut = (it: Element) =>
      it.scrollHeight > it.clientHeight + 1 || it.scrollWidth > it.clientWidth + 1;
    expect(await heading.evaluate(isCut)).toBe(false);
    await opened.open('/search?q=heronsgate');
    await page.setViewportSize({ width: 700, height: 800 });
    const hit = page.locator('a[data-hit]').first();
    await hit.waitFor();
    expect(await hit.evaluate(isCut)).toBe(true);
    expect(await hit.getAttribute('title')).toContain(LONG.slice(0, 60));
    await page.getByRole('searchbox').first().focus();
    for (let n = 0; n < 30 && !(await hit.evaluate((it) => it === document.activeElement)); n++)
      await page.keyboard.press('Tab');
    await page.locator('[data-full-text]', { hasText: LONG.slice(0, 60) }).waitFor();
    await page.keyboard.press('Tab');
    await page.locator('[data-full-text]').waitFor({ state: 'detached' });
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test('a version has a name in its heading; its ids are beside it and can be copied', async () => {
    await opened.open(at('versions'));
    const version = page.getByRole('region', { name: 'The chosen version' });
    await version.getByRole('heading', { name: /^v001, / }).waitFor();
    expect(await version.getByRole('heading').allTextContents()).not.toContainEqual(
      expect.stringContaining('(session'),
    );
    await opened.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await version.getByRole('button', { name: 'Copy: Version part1_v001' }).click();
    await page.getByText('Copied: part1_v001').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('part1_v001');
  });

  test('a comparison is shown as Markdown, with removed words marked', async () => {
    await opened.open(at('compare'));
    const list = page.getByRole('group', { name: 'Comparison' });
    await list
      .locator('strong', { hasText: /^Answer/ })
      .first()
      .waitFor();
    await list.locator('li del').first().waitFor();
    expect(await list.innerText()).not.toMatch(/\*\*|`/);
  });

  test('on a phone a comparison is one column: nothing twice, and removed text is struck out', async () => {
    await page.setViewportSize({ width: 380, height: 800 });
    await opened.open(at('compare'));
    const list = page.getByRole('group', { name: 'Comparison' });
    const gone = list.locator('del').first();
    await gone.waitFor();
    expect(await gone.evaluate((it) => getComputedStyle(it).textDecorationLine)).toBe('line-through');
    expect(await list.getByText('not here').count()).toBe(0);
    expect(await list.getByText(LONG).count()).toBe(1);
    expect((await list.getByText(LONG).boundingBox())?.width).toBeGreaterThan(300);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test('a purge names its session, in the search and in the confirmation', async () => {
    await opened.open('/maintenance?tab=purge');
    await page.getByText('A session', { exact: true }).click();
    await chooseOption(page.getByRole('combobox', { name: 'Project' }), project);
    await chooseOption(page.getByRole('combobox', { name: 'Session' }), 'one');
    await page.getByRole('button', { name: 'Find every place' }).click();
    const places = page.getByRole('region', { name: 'Places' });
    await places.getByRole('heading', { name: `Places of the session “${LONG.slice(0, 40)}` }).waitFor();
    await places.getByRole('button', { name: 'Purge for good' }).click();
    const dialog = page.getByRole('dialog', { name: 'Purge for good?' });
    await dialog.getByText(`You purge the session “${LONG.slice(0, 40)}`).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await places.getByRole('button', { name: 'Discard' }).click();
  });

  test('a search for a purge shows the query, its progress, and a link to each place', async () => {
    await opened.open('/maintenance?tab=purge');
    await page.getByLabel(/Every place/).fill('heronsgate 7');
    // The end of the work is held back, so that what is shown meanwhile is seen.
    const events = await held(page, /\/jobs\/[^/]+\/events$/);
    await page.getByRole('button', { name: 'Find every place' }).click();
    const places = page.getByRole('region', { name: 'Places' });
    await places.getByRole('heading', { name: 'Places of “heronsgate 7”' }).waitFor();
    await places.getByRole('progressbar', { name: 'Searching' }).waitFor();
    // Left meanwhile, its end leads back.
    await page.getByRole('link', { name: 'Facts', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Facts' }).waitFor();
    events.letGo();
    await page.getByText(/^Found \d+ times in \d+ files\. Looked for “heronsgate 7”\.$/).waitFor();
    await page.getByRole('button', { name: 'Open' }).click();
    await places.getByText('Next: look at these places').waitFor();
    await places.getByRole('list', { name: 'Found in' }).getByRole('link').first().click();
    await page.waitForURL(/\/sessions\/one\/messages\?src=\d+&tools=yes/);
    await page.getByText('Question 7: where is heronsgate 7?').first().waitFor();
    await expect
      .poll(() => page.getByText('Question 7: where is heronsgate 7?').first().isVisible())
      .toBe(true);
    expect(page.url()).not.toContain('heronsgate');
  });

  test('why a search for a purge was refused stays beside what was asked for', async () => {
    await opened.open('/maintenance?tab=purge');
    await page.getByLabel(/Every place/).fill('parentUuid');
    await page.getByRole('button', { name: 'Find every place' }).click();
    const places = page.getByRole('region', { name: 'Places' });
    await places
      .getByRole('alert')
      .getByText(/needs to read the session/)
      .waitFor();
    expect(await page.getByRole('button', { name: 'Find every place' }).isEnabled()).toBe(true);
    expect(await page.getByRole('progressbar', { name: 'Searching' }).count()).toBe(0);
    await places.getByRole('button', { name: 'Discard' }).click();
    await places.waitFor({ state: 'detached' });
  });
});
