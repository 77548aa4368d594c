import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { compose } from '../../src/app/compose/compose.ts';
import { addFact } from '../../src/app/layers/facts-edit.ts';
import { sync } from '../../src/app/sync/sync.ts';
import { useSample } from '../../src/app/sync/use-sample.ts';
import type { ProjectId } from '../../src/core/model/ids.ts';
import { browserPath } from '../made/browser.ts';
import { unfit } from '../made/fits.ts';
import { type OpenPage, openPage, putSession } from '../made/open-page.ts';
import { smallFields, smallTargets } from '../made/tap-targets.ts';

const path = browserPath();
const SAMPLE = '-home-ada-bakery';
const WIDE = { width: 1280, height: 800 };
const TABLE = `| Signal | What it means | Edge cases | Answer |\n|---|---|---|---|\n| none | ${'Work might be discarded. '.repeat(4)}| committed | reset |`;

describe.skipIf(path === undefined)('the page on a phone (skipped where there is no Chromium)', () => {
  let opened: OpenPage;
  let page: Page;
  let project: ProjectId;
  let dayProject: ProjectId;

  beforeAll(async () => {
    opened = await openPage(path ?? '', async (world) => {
      const cwd = join(world.places.home, 'shop');
      const pages = join(cwd, '_memory', 'conversations');
      mkdirSync(pages, { recursive: true });
      writeFileSync(join(pages, 'one.md'), '# Rounding\n\nHalf up.\n');
      project = putSession(world, cwd, 'one', [
        { you: 'How do we round prices?', agent: TABLE, at: '2025-11-03T10:00:00.000Z' },
        { you: 'And the basket?', agent: 'It adds up the lines.', at: '2025-11-04T10:00:00.000Z' },
      ]);
      dayProject = putSession(world, '/srv/day', 'day', [
        { you: 'How do we round prices?', agent: 'Half up.', at: '2025-11-05T12:00:00.000Z' },
        { you: 'And the basket?', agent: 'It adds up the lines.', at: '2025-11-05T13:30:00.000Z' },
      ]);
      await sync(world);
      await useSample(world);
      await addFact(world, {
        project,
        kind: 'rule',
        content: `Always round half up. ${'And so on. '.repeat(20)}`,
      });
      await compose(world, 'oven', { sessions: ['one'], project, budget: 2000 });
    });
    page = opened.page;
  });
  afterAll(() => opened?.close());
  beforeEach(async () => {
    opened.wrong.length = 0;
    await page.setViewportSize({ width: 380, height: 760 });
    return () => expect(opened.wrong).toEqual([]);
  });
  const loaded = () =>
    page.locator('main [role=status]:has-text("Loading")').first().waitFor({ state: 'detached' });

  test('fields do not make it zoom, and buttons are large enough for a finger', async () => {
    const found: string[] = [];
    const session = `/memory/${project}/sessions/one`;
    const views = ['/memory', `/memory/${SAMPLE}/overview`, `/memory/${SAMPLE}/overview?pane=sessions`];
    views.push(...['overview', 'messages', 'versions', 'keepits'].map((tab) => `${session}/${tab}`));
    views.push('/search?q=basket&kinds=all', '/keepits', '/facts', `/concepts?project=${SAMPLE}`, '/touched');
    views.push(
      '/compositions',
      '/compositions/new',
      `/journal?project=${project}`,
      `/files?project=${SAMPLE}`,
    );
    views.push('/injections', '/statistics', '/settings', '/team', `/replay?project=${SAMPLE}`);
    views.push(
      ...['', '?tab=age', '?tab=move', '?tab=purge', '?tab=models', '?tab=history'].map(
        (it) => `/maintenance${it}`,
      ),
    );
    for (const view of views) {
      await opened.open(view);
      await page.locator(':is(main h1, main [role=listbox]):visible').first().waitFor();
      await loaded();
      found.push(...(await page.evaluate(smallFields)).map((it) => `${view}: ${it}`));
      found.push(...(await page.evaluate(smallTargets)).map((it) => `${view}: ${it}`));
    }
    expect(found).toEqual([]);
  });

  test('a row of tabs fades where it continues, and shows the open tab', async () => {
    await opened.open('/maintenance');
    const tabs = page.getByRole('navigation', { name: 'Maintenance' });
    await expect.poll(() => tabs.getAttribute('data-more')).toBe('right');
    expect(await tabs.evaluate((it) => getComputedStyle(it).maskImage)).toContain('gradient');
    await tabs.getByRole('link', { name: 'Remotes' }).click();
    await expect.poll(() => tabs.getAttribute('data-more')).toBe('left right');
    await opened.open('/maintenance?tab=history');
    await expect.poll(() => tabs.getAttribute('data-more')).toBe('left');
    await page.setViewportSize(WIDE);
    await expect.poll(() => tabs.getAttribute('data-more')).toBe('');
    expect(await tabs.evaluate((it) => getComputedStyle(it).maskImage)).toBe('none');
  });

  test('the actions of a session have labels, and its title has the whole width', async () => {
    await opened.open(`/memory/${project}/sessions/one/overview`);
    const main = page.getByRole('main');
    await main.getByRole('button', { name: 'Actions' }).click();
    for (const name of ['Create compression', 'Sync', 'Rename', 'Remove from memory'])
      await page.getByRole('menuitem', { name }).waitFor();
    await page.getByRole('menuitem', { name: 'Create compression' }).click();
    await page.getByRole('dialog', { name: /^Create compression/ }).waitFor();
    await page.keyboard.press('Escape');
    const title = await main.getByRole('heading', { level: 1 }).boundingBox();
    const menu = await main.getByRole('button', { name: 'Actions' }).boundingBox();
    expect((title?.y ?? 0) + (title?.height ?? 0)).toBeLessThanOrEqual((menu?.y ?? 0) + 1);
  });

  test('hours and figures of a session of one day have room beside its menu', async () => {
    await opened.open(`/memory/${dayProject}/sessions/day/overview`);
    const main = page.getByRole('main');
    const menu = await main.getByRole('button', { name: 'Actions' }).boundingBox();
    const figures = main.locator('[data-figures]');
    await figures.getByText(/2025, .* – /).waitFor();
    const ends = await figures
      .locator('span')
      .evaluateAll((all) => all.map((it) => it.getBoundingClientRect().right));
    expect(Math.max(...ends)).toBeLessThanOrEqual((menu?.x ?? 0) + 1);
    expect(await page.evaluate(unfit)).toEqual([]);
  });

  test('links of a hit are also large enough with a mouse', async () => {
    await page.setViewportSize(WIDE);
    await opened.open('/search?q=basket&kinds=all');
    await page.locator('[data-hit]').first().waitFor();
    const found = await page.evaluate(smallTargets);
    const words = /^(?:A|BUTTON) (?:Open|Show exchange|Reject)/;
    expect(found.filter((it) => words.test(it))).toEqual([]);
    expect(await page.getByRole('link', { name: 'Show exchange' }).first().isVisible()).toBe(true);
  });

  test('the menu of a fact is in its corner, and labels are one column', async () => {
    await opened.open(`/facts?project=${project}`);
    const fact = page.getByRole('article').filter({ hasText: 'Always round half up.' });
    const [box, menu] = [
      await fact.boundingBox(),
      await fact.getByRole('button', { name: 'More about this fact' }).boundingBox(),
    ];
    expect((menu?.y ?? 0) - (box?.y ?? 0)).toBeLessThan(12);
    expect((box?.x ?? 0) + (box?.width ?? 0) - (menu?.x ?? 0) - (menu?.width ?? 0)).toBeLessThan(16);
    await opened.open(`/memory/${project}/sessions/one/messages`);
    await page.getByRole('button', { name: 'Keep', exact: true }).first().click({ force: true });
    const label = page.getByText("Also in the agent's own file");
    expect((await label.boundingBox())?.width).toBeGreaterThan(220);
  });

  test('menus are complete, and the views in the drawer are far enough apart', async () => {
    await opened.open(`/memory/${SAMPLE}/overview?pane=sessions&view=list`);
    await page
      .getByRole('listbox', { name: 'Sessions', exact: true })
      .getByRole('option')
      .first()
      .click({ button: 'right' });
    const menu = page.getByRole('menu');
    await expect.poll(async () => (await menu.boundingBox())?.x ?? -1).toBeGreaterThanOrEqual(0);
    const box = await menu.boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(380);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Navigation' }).click();
    const views = page.getByRole('dialog').getByRole('navigation', { name: 'Views' }).getByRole('link');
    await views.first().waitFor();
    const heights = await views.evaluateAll((all) => all.map((it) => it.getBoundingClientRect().height));
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(38);
    await page.keyboard.press('Escape');
  });

  test('the date of a fact stays visible while its sources are open', async () => {
    await opened.open(`/facts?project=${SAMPLE}`);
    const fact = page
      .getByRole('article')
      .filter({ has: page.locator('summary') })
      .first();
    await fact.locator('summary').first().click();
    await fact.getByRole('list').first().waitFor();
    const day = fact.getByText(/\d, 20\d\d$/).last();
    expect(await day.evaluate((it) => getComputedStyle(it).opacity)).toBe('1');
  });

  test('a table of Markdown scrolls in its own box', async () => {
    await opened.open(`/memory/${project}/sessions/one/messages`);
    const table = page.locator('.prose-table').first();
    await table.waitFor();
    const { over, narrow } = await table.evaluate((it) => ({
      over: it.scrollWidth - it.clientWidth,
      narrow: [...it.querySelectorAll('th, td')].filter((cell) => cell.getBoundingClientRect().width < 100)
        .length,
    }));
    expect(over).toBeGreaterThan(0);
    expect(narrow).toBe(0);
    expect(await page.evaluate(unfit)).toEqual([]);
  });

  test('a view shows its list or the selected item, with a way back; the list scrolls with the page', async () => {
    const views: [to: string, list: string, detail: string, back: string][] = [
      [`/concepts?project=${SAMPLE}`, 'Concepts', 'The concept', 'All concepts'],
      ['/touched', 'Files', 'The file', 'All files'],
      [`/journal?project=${project}`, 'Pages of the journal', 'The page', 'All pages'],
      [`/files?project=${SAMPLE}`, 'Files', 'The file', 'All files'],
    ];
    for (const [to, name, about, title] of views) {
      await opened.open(to);
      const list = page.getByRole('list', { name, exact: true });
      const detail = page.getByRole('region', { name: about, exact: true });
      const back = page.getByRole('link', { name: title });
      await list.getByRole('button').first().waitFor();
      expect(await detail.isVisible(), to).toBe(false);
      expect(await list.evaluate(innerScrollers), to).toBe(0);
      await list.getByRole('button').first().click();
      await detail.waitFor();
      expect(await list.isVisible(), to).toBe(false);
      await expect.poll(() => back.evaluate((it) => it === document.activeElement), to).toBe(true);
      await back.click();
      await list.waitFor();
      expect(await detail.isVisible(), to).toBe(false);
      await list.getByRole('button').first().click();
      await detail.waitFor();
      await page.goBack();
      await list.waitFor();
      await page.setViewportSize(WIDE);
      await detail.waitFor();
      expect(await back.isVisible(), to).toBe(false);
      await page.setViewportSize({ width: 380, height: 760 });
    }
  });

  test('dates below charts have a year, and do not overlap', async () => {
    for (const { width } of [{ width: 380 }, WIDE]) {
      await page.setViewportSize({ width, height: 800 });
      await opened.open('/statistics');
      const chart = page.getByRole('region', { name: 'Activity' });
      await chart.locator('[data-date]').first().waitFor();
      expect(await chart.locator('[data-date]').first().textContent()).toMatch(/Nov .*2025/);
      expect(await chart.locator('[data-unit]').textContent()).toBe('tokens');
      const boxes = await chart
        .locator('[data-date]')
        .evaluateAll((all) =>
          all.map((it) => it.getBoundingClientRect()).map(({ left, right }) => ({ left, right })),
        );
      const right = await chart.evaluate((it) => it.getBoundingClientRect().right);
      expect(boxes.filter((it, at) => it.right > right || it.left < (boxes[at - 1]?.right ?? 0))).toEqual([]);
    }
  });

  test('the note of an older version has its own place on home', async () => {
    const waiting = /\/api\/memory\/waiting/;
    await page.route(waiting, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), outdated: 3 } });
    });
    await opened.open('/memory');
    const note = page.getByRole('region', { name: 'Read by an older version' });
    await note.getByText('3 sessions were read by an older version of Keepsake.').waitFor();
    await note.getByRole('button', { name: 'Sync now' }).waitFor();
    expect(await note.innerText()).not.toMatch(/rebuil/i);
    expect(await page.getByRole('region', { name: 'Deleted soon' }).innerText()).not.toContain('older');
    await page.unroute(waiting);
  });

  test('memory files: no date for a file that does not exist, no ids in headings', async () => {
    await page.setViewportSize(WIDE);
    await opened.open(`/files?project=${project}`);
    await page.getByRole('button', { name: 'Update memory.md' }).click();
    const file = page.getByRole('region', { name: 'The file' });
    await file
      .getByText(/lines \d+ to \d+ of the session/)
      .first()
      .waitFor();
    const headings = await file.getByRole('heading').allInnerTexts();
    expect(headings.filter((it) => /session \S+ lines|_\d{4}|local/.test(it))).toEqual([]);
    expect(headings.join('\n')).toContain('How do we round prices?');
    const unwritten = page.getByRole('list', { name: 'Files' }).getByText(/not written yet/);
    expect(await unwritten.count()).toBeGreaterThan(0);
    for (const text of await unwritten.allInnerTexts()) expect(text).toMatch(/not written yet$/);
  });

  test('dark: raised boxes are lighter than their background, and menus lighter than the page', async () => {
    await page.setViewportSize(WIDE);
    await opened.open('/facts');
    await page.evaluate(() => document.documentElement.setAttribute('data-theme', 'dark'));
    await page.locator('kbd.tag').first().waitFor();
    await page.getByRole('link', { name: 'Statistics' }).hover();
    const lighter = (selector: string) => page.locator(selector).first().evaluate(lighterThanBehind);
    const raised = ['kbd.tag', 'a[href="/statistics"]', '.btn:not(.btn-primary)', 'main .card'];
    for (const selector of raised) expect(await lighter(selector), selector).toBeGreaterThan(0.004);
    await page.getByRole('combobox', { name: 'Kind' }).click();
    expect(await lighter('[data-option][data-highlighted]')).toBeGreaterThan(0.004);
    const [menu = 0, card = 0] = await page.evaluate(() =>
      ['--floating', '--surface'].map((name) => {
        const hex = getComputedStyle(document.documentElement).getPropertyValue(name);
        return Number.parseInt(hex.slice(1, 3), 16);
      }),
    );
    expect(menu).toBeGreaterThan(card);
  });
});

/** Runs in the page: boxes between a list and its page that scroll by themselves. */
function innerScrollers(list: Element): number {
  let found = 0;
  for (let at: Element | null = list; at && at.parentElement?.id !== 'content'; at = at.parentElement)
    if (at.scrollHeight > at.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(at).overflowY)) found++;
  return found;
}

/** Runs in the page: by how much the color of an element is lighter than what is behind it, from 0 to 1. */
function lighterThanBehind(element: Element): number {
  const canvas = Object.assign(document.createElement('canvas'), { width: 1, height: 1 });
  const brush = canvas.getContext('2d', { willReadFrequently: true });
  const layers: string[] = [];
  for (let at: Element | null = element; at; at = at.parentElement)
    layers.unshift(getComputedStyle(at).backgroundColor);
  const light = (colors: readonly string[]) => {
    brush?.clearRect(0, 0, 1, 1);
    for (const color of colors) {
      if (!brush) break;
      brush.fillStyle = color;
      brush.fillRect(0, 0, 1, 1);
    }
    const [red = 0, green = 0, blue = 0] = brush?.getImageData(0, 0, 1, 1).data ?? [];
    return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
  };
  return light(layers) - light(layers.slice(0, -1));
}
