import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page, Request } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { compressSession } from '../../src/app/compress/compress.ts';
import { allSessions } from '../../src/app/find/sessions.ts';
import { startText } from '../../src/app/inject/start.ts';
import { useSample } from '../../src/app/sync/use-sample.ts';
import { CONFIG_DEFAULTS } from '../../src/core/model/config-defaults.ts';
import type { SessionId } from '../../src/core/model/ids.ts';
import { browserPath } from '../made/browser.ts';
import { chooseOption } from '../made/choose-option.ts';
import { unfit } from '../made/fits.ts';
import { type OpenPage, openPage } from '../made/open-page.ts';

const path = browserPath();
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Of all that the first view loads, packed. */
const FIRST_VIEW_BYTES = 200_000;

describe.skipIf(path === undefined)('the pictures of the page (skipped where there is no Chromium)', () => {
  let opened: OpenPage;
  let page: Page;
  let session: { projectId: string; sessionId: string; exchanges: number };

  beforeAll(async () => {
    opened = await openPage(path ?? '', async (world) => {
      await useSample(world);
      const rows = await allSessions(world);
      const [row] = rows.sort(
        (a, b) =>
          b.metadata.counts.exchanges - a.metadata.counts.exchanges || b.originalTokens - a.originalTokens,
      );
      if (!row) throw new Error('the sample is empty');
      await compressSession(world, { project: row.projectId, session: row.sessionId }, { ratio: 5 });
      const state = { version: 2 as const, session: 'now00001' as SessionId, told: [] };
      await startText(world, state, row.projectId, CONFIG_DEFAULTS);
      session = {
        projectId: row.projectId,
        sessionId: row.sessionId,
        exchanges: row.metadata.counts.exchanges,
      };
    });
    page = opened.page;
  });
  afterAll(() => opened?.close());
  beforeEach(() => {
    opened.wrong.length = 0;
    return () => expect(opened.wrong).toEqual([]);
  });
  const at = (tab: string) => `/memory/${session.projectId}/sessions/${session.sessionId}/${tab}`;
  type Found = { violations: { id: string; impact: string; nodes: { html: string }[] }[] };
  /** All that axe finds, light and dark. */
  const axe = async () => {
    await page.evaluate(AXE);
    const found: string[] = [];
    for (const theme of ['dark', 'light']) {
      await page.evaluate((name) => document.documentElement.setAttribute('data-theme', name), theme);
      const { violations } = await page.evaluate(() =>
        (window as unknown as { axe: { run(): Promise<Found> } }).axe.run(),
      );
      for (const { id, impact, nodes } of violations)
        found.push(`${theme} ${impact} ${id}: ${nodes.map(({ html }) => html.slice(0, 150)).join(' | ')}`);
    }
    return found;
  };

  test('the first view is small, and charts are loaded with their view', async () => {
    const loaded = new Set<string>();
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (/\.(?:js|css)$/.test(pathname)) loaded.add(pathname);
    });
    await opened.open('/memory');
    await page
      .getByRole('link', { name: /bakery/ })
      .first()
      .waitFor();
    await page.waitForLoadState('networkidle');
    const site = join(opened.world.places.home, 'site');
    const first = [...loaded].reduce((sum, file) => sum + gzipSync(readFileSync(join(site, file))).length, 0);
    expect(first).toBeLessThan(FIRST_VIEW_BYTES);
    expect([...loaded].filter((url) => /SessionStrip|SessionPictures|TimeBars/.test(url))).toEqual([]);
    await opened.open(at('overview'));
    await page.getByRole('region', { name: 'Timeline' }).waitFor();
    expect([...loaded].filter((url) => /SessionStrip|SessionPictures/.test(url)).length).toBeGreaterThan(0);
  });

  test('the timeline has a labeled block for each exchange, and jumps to it by mouse and keyboard', async () => {
    await opened.open(at('overview'));
    const timeline = page.getByRole('region', { name: 'Timeline' });
    const blocks = timeline.getByRole('link', { name: /^Exchange \d+ of/ });
    await blocks.first().waitFor();
    expect(await blocks.count()).toBe(session.exchanges);
    await blocks.nth(1).hover();
    await timeline
      .locator('[data-tip]')
      .getByText(/tokens/)
      .waitFor();
    // One Tab stop, arrows from there.
    expect(await timeline.locator('svg [tabindex="0"]').count()).toBe(1);
    await blocks.first().focus();
    await page.keyboard.press('ArrowRight');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '')).toMatch(
      /^Exchange 2 of/,
    );
    await page.keyboard.press('Enter');
    await page.waitForURL(/messages\?.*src=\d+/);
    await page.goBack();
    const width = async () => (await blocks.nth(1).boundingBox())?.width ?? 0;
    await blocks.first().waitFor();
    const byTokens = await width();
    await timeline.getByRole('button', { name: 'time' }).click();
    expect(await width()).not.toBe(byTokens);
  });

  test('a mark links to its place, and is listed for those who cannot see it', async () => {
    await opened.open(at('overview'));
    const timeline = page.getByRole('region', { name: 'Timeline' });
    const mark = timeline.locator('[data-mark]').first();
    await mark.hover();
    await timeline.locator('[data-tip]').waitFor();
    await timeline.getByText('What happened, as a list').click();
    expect(await timeline.getByRole('list', { name: 'What happened' }).getByRole('link').count()).toBe(
      await timeline.locator('[data-mark]').count(),
    );
    await timeline.locator('[data-mark]').first().click();
    await page.waitForURL(/messages\?.*src=\d+/);
  });

  test('the context map shows what the tokens are used for, before and after compression', async () => {
    await opened.open(at('overview'));
    const map = page.getByRole('region', { name: 'Context map' });
    await map
      .getByRole('option', { name: /^You: [\d,]+ tokens, / })
      .first()
      .waitFor();
    await map
      .getByRole('option', { name: /^Output of / })
      .first()
      .waitFor();
    await map.getByText(/^Compressed, [\d,]+ tokens, [\d.]+:1 \(v001\)/).waitFor();
    const after = map.getByRole('listbox', { name: 'Tokens of the versions by kind' });
    const wide = async () =>
      after
        .getByRole('option')
        .evaluateAll((all) => all.reduce((sum, it) => sum + it.getBoundingClientRect().width, 0));
    const shares = await wide();
    await map.getByRole('button', { name: 'same scale' }).click();
    expect(await wide()).toBeLessThan(shares / 2);
    expect(await axe()).toEqual([]);
  });

  test('the strip beside the messages is requested without tokens, and not at all where it has no room', async () => {
    const asked: (string | null)[] = [];
    const note = (request: Request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname.endsWith('/map')) asked.push(searchParams.get('view'));
    };
    page.on('request', note);
    await opened.open(`${at('messages')}?tools=yes`);
    await page.getByRole('complementary', { name: 'Map of the session' }).waitFor();
    expect(asked).toEqual(['strip']);
    await page.setViewportSize({ width: 380, height: 800 });
    await opened.open(`${at('messages')}?tools=yes`);
    await page.getByRole('article').last().waitFor();
    await page.waitForLoadState('networkidle');
    expect(asked).toEqual(['strip']);
    await page.setViewportSize({ width: 1280, height: 800 });
    page.off('request', note);
  });

  test('the original and the version each have the same figure wherever they are shown', async () => {
    await opened.open(at('overview'));
    const map = page.getByRole('region', { name: 'Context map' });
    const row = (await allSessions(opened.world)).find((it) => it.sessionId === session.sessionId);
    const figure = (tokens = 0) => `${tokens.toLocaleString('en-US')} tokens`;
    await map.getByText(new RegExp(`^Original, ${figure(row?.originalTokens)}`)).waitFor();
    const compressed = await map.getByText(/^Compressed, /).textContent();
    expect(compressed).toContain(figure(row?.compressions[0]?.outputTokens));
  });

  test('the strip beside the messages shows the reading position and links to others', async () => {
    await opened.open(`${at('messages')}?tools=yes`);
    const strip = page.getByRole('complementary', { name: 'Map of the session' });
    await strip.locator('[data-reading]').waitFor();
    const place = async () => Number(await strip.locator('[data-reading]').getAttribute('y'));
    const before = await place();
    await strip.getByRole('link').last().click();
    await expect.poll(place).toBeGreaterThan(before);
    expect(await axe()).toEqual([]);
  });

  test('statistics show what was learned each week and the storage, with a label for each bar', async () => {
    await opened.open('/statistics');
    const card = page.getByRole('region', { name: 'Memory over time', exact: true });
    const bar = card.getByRole('option', { name: /Rules|Decisions|Keepits|facts/ }).first();
    await bar.hover();
    await card.locator('[data-tip]').waitFor();
    await page
      .getByRole('region', { name: 'Storage over time', exact: true })
      .getByRole('option')
      .first()
      .waitFor();
    expect(await axe()).toEqual([]);
  });

  test('compare shows the words that differ, and folds removed lines into one line with their count', async () => {
    await opened.open(at('compare'));
    const run = page.getByRole('button', { name: /^gone \d+/ }).first();
    await run.waitFor();
    const before = await page.getByText('not here').count();
    await run.click();
    await expect.poll(() => page.getByText('not here').count()).toBeGreaterThan(before);
    await chooseOption(page.getByLabel('Show', { exact: true }), 'kept');
    await page.locator('del').first().waitFor();
    expect(await axe()).toEqual([]);
  });

  test('files list the sessions that touched them, with links to the exchanges', async () => {
    await opened.open('/touched');
    const list = page.getByRole('list', { name: 'Files' });
    await list.getByRole('button').first().click();
    const file = page.getByRole('region', { name: 'The file' });
    await file.getByRole('heading', { name: /^\d+ sessions?$/ }).waitFor();
    expect(await axe()).toEqual([]);
    await file.locator('a[href*="src="]').first().click();
    await page.waitForURL(/messages\?src=\d+/);
    await opened.open('/touched');
    await page.getByLabel('Filter files').fill('no-such-file');
    await page.getByText('No paths match.').waitFor();
  });

  test('injections are listed by day and session with their budget, and one can be marked as not helpful and unmarked', async () => {
    await opened.open('/injections');
    const group = page
      .getByRole('list', { name: 'Injections by day and session' })
      .getByRole('listitem')
      .first();
    await group.getByText('At the start').waitFor();
    const filled = async (name: string) => {
      const meter = group.getByRole('meter', { name });
      return (await meter.getAttribute('aria-valuetext'))?.replaceAll(',', '');
    };
    expect(await filled('Share of the budget')).toMatch(/^\d+ of 1500 tokens$/);
    expect(await filled('Budget of the session')).toMatch(/^\d+ of 1500 tokens\. At the start: \d+$/);
    await group.getByRole('button', { name: 'Show the text' }).click();
    await group.getByRole('region', { name: 'What was added' }).waitFor();
    await group.getByRole('button', { name: 'Did not help' }).click();
    await group.getByText('did not help', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await group.getByText('did not help', { exact: true }).waitFor({ state: 'detached' });
    expect(await axe()).toEqual([]);
  });

  test('the new views fit a screen of 380 pixels', async () => {
    await page.setViewportSize({ width: 380, height: 760 });
    const wide: string[] = [];
    for (const view of [at('overview'), at('compare'), '/statistics', '/touched', '/injections']) {
      await opened.open(view);
      await page.locator('main h1').first().waitFor({ state: 'attached' });
      await page.waitForLoadState('networkidle');
      wide.push(...(await page.evaluate(unfit)).map((it) => `${view}: ${it}`));
    }
    expect(wide).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  const button = (name: string | RegExp) => page.getByRole('button', { name }).first();
  const item = (name: RegExp) => page.getByRole('menuitem', { name }).click();
  const OPENED: [what: string, role: 'menu' | 'dialog', open: () => Promise<void>][] = [
    ['the menu of a session', 'menu', () => button('More').click()],
    [
      'the context menu of a session',
      'menu',
      () =>
        page
          .getByRole('listbox', { name: 'Sessions', exact: true })
          .getByRole('option')
          .first()
          .click({ button: 'right' }),
    ],
    ['the list of projects', 'dialog', () => page.getByRole('combobox', { name: 'Project' }).click()],
    ['Create compression', 'dialog', () => button('Create compression').click()],
    ['Add to memory', 'dialog', () => page.keyboard.press('a')],
    ['the palette', 'dialog', () => page.keyboard.press('Control+k')],
    ['the keys', 'dialog', () => page.keyboard.press('?')],
    [
      'Rename',
      'dialog',
      () =>
        button('More')
          .click()
          .then(() => item(/Rename/)),
    ],
    [
      'Remove from memory',
      'dialog',
      () =>
        button('More')
          .click()
          .then(() => item(/Remove/)),
    ],
  ];
  test.each(OPENED)('%s: axe finds nothing when it is open, and Escape closes it', async (_, role, open) => {
    await opened.open(at('overview'));
    await page.getByRole('region', { name: 'Timeline' }).waitFor();
    await open();
    await page.getByRole(role).first().waitFor();
    expect(await axe()).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole(role).first().waitFor({ state: 'detached' });
  });
});
