import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compose } from '../../src/app/compose/compose.ts';
import { compressSession } from '../../src/app/compress/compress.ts';
import { sync } from '../../src/app/sync/sync.ts';
import type { ProjectId, SessionId } from '../../src/core/model/ids.ts';
import { browserPath } from '../made/browser.ts';
import { type OpenPage, openPage, putSession } from '../made/open-page.ts';

const path = browserPath();
type Walked = { rows: number; most: number; overlaps: number };
type Many = { items?: object[]; parts?: { versions: object[] }[] };
const MANY = 230;
const MOST = 200;
/** Where the session that is opened lies in its list. */
const FAR = 190;
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);
const minute = (n: number) => new Date(Date.UTC(2026, 0, 5) + n * 60_000).toISOString();

describe.skipIf(path === undefined)('lists of the page (skipped where there is no Chromium)', () => {
  let opened: OpenPage;
  let page: Page;
  let project: ProjectId;

  beforeAll(async () => {
    opened = await openPage(path ?? '', async (world) => {
      const cwd = join(world.places.home, 'big');
      const pages = join(cwd, '_memory', 'conversations');
      mkdirSync(pages, { recursive: true });
      project = putSession(
        world,
        cwd,
        'long',
        upTo(MANY).map((n) => ({
          you: `Always wrap thing ${n} in paper.\n\n##keepit0.40## Basket rule ${n} holds.`,
          agent: `Answer ${n}: the basket holds ${n} things.`,
          at: minute(n),
        })),
      );
      putSession(world, cwd, 'short', [{ you: 'How is the oven heated?', agent: 'By gas.' }]);
      for (const n of upTo(MANY)) writeFileSync(join(pages, `s${n}.md`), `# Page ${n}\n\nHeated by gas.\n`);
      await sync(world);
      await compressSession(world, { project, session: 'short' as SessionId }, { ratio: 2 });
      await compose(world, 'oven', { sessions: ['short'], project, budget: 2000 });
    });
    page = opened.page;
    // Making hundreds would take minutes: the one that there is comes many times.
    const many = async (route: Route) => {
      const url = new URL(route.request().url());
      const from = Number(url.searchParams.get('after') ?? 0);
      url.searchParams.delete('after');
      const response = await route.fetch({ url: url.href });
      const answer = (await response.json()) as Many;
      const next = from < 300 ? `${from + 100}` : null;
      const items = upTo(100).map((n) => {
        const projectId = `p${from + n}`;
        return { ...answer.items?.[0], projectId, folders: [{ originalPath: `/${projectId}`, projectId }] };
      });
      const parts = answer.parts?.map((part) => ({
        ...part,
        versions: upTo(MANY).map((n) => ({ ...part.versions[0], versionId: `part1_v${n}` })),
      }));
      await route.fulfill({
        response,
        json: { ...answer, ...(parts ? { parts } : { items, total: 400, next }) },
      });
    };
    await page.route(/\/api\/memory\/(compositions|facts|history|projects)\?|\/versions\?/, many);
  });
  afterAll(() => opened?.close());

  /** Goes through a list from its top to its end: how many rows it has, how many stood in the page at once, and on one another. */
  async function walk(to: string, list: string): Promise<Walked> {
    await opened.open(to);
    await page.getByRole('list', { name: list, exact: true }).getByRole('listitem').first().waitFor();
    const more = page.getByRole('button', { name: 'Show more' });
    for (let pages = 0; pages < 5 && (await more.count()) > 0; pages++) {
      await more.click();
      await page.locator('button[disabled]:has-text("Show more")').waitFor({ state: 'detached' });
    }
    return page.evaluate(walkThrough, list);
  }
  const at = (tab: string, session: string) => `/memory/${project}/sessions/${session}/${tab}`;

  test('contain all rows, of which at most 200 are in the page', async () => {
    const views: [to: string, list: string, least: number][] = [
      ['/memory', 'Projects', MANY / 2],
      ['/facts', 'Facts', MANY],
      ['/keepits', 'Keepits', MANY],
      [at('versions', 'short'), 'Versions by part', MANY],
      ['/compositions', 'Compositions', MANY],
      ['/search?q=basket', 'Results', 50],
      [`/journal?project=${project}`, 'Pages of the journal', MANY],
      ['/care?tab=history', 'History', MANY],
    ];
    for (const [to, list, least] of views) {
      const { rows, most, overlaps } = await walk(to, list);
      expect(rows, to).toBeGreaterThanOrEqual(least);
      expect(most, to).toBeLessThanOrEqual(MOST);
      expect(overlaps, to).toBe(0);
    }
  });

  test('of very many sessions the newest are shown before all of them are loaded', async () => {
    const whole = Promise.withResolvers<void>();
    const timeline = /\/timeline(\?|$)/;
    await page.route(timeline, async (route) => {
      const limit = Number(new URL(route.request().url()).searchParams.get('limit') ?? MANY);
      if (limit === MANY) await whole.promise;
      const response = await route.fetch();
      const { items = [] } = (await response.json()) as Many;
      const all = upTo(limit).map((n) => ({
        ...items[0],
        sessionId: n === FAR ? 'long' : `s${n}`,
        title: `Session ${n}`,
      }));
      await route.fulfill({ response, json: { items: all, total: MANY, next: null } });
    });
    await opened.open(`/memory/${project}/overview`);
    const list = page.getByRole('listbox', { name: 'Sessions', exact: true });
    await list.getByRole('option', { name: 'Session 3' }).first().waitFor();
    const count = page.getByRole('region', { name: 'Sessions', exact: true }).getByRole('status');
    expect(await count.textContent()).toContain(String(MANY));
    const sizeOfMonth = list.getByText(/sessions, open/);
    expect(await sizeOfMonth.count()).toBe(0);
    whole.resolve();
    await sizeOfMonth.waitFor();
    await list.focus();
    await page.keyboard.press('End');
    await list.getByRole('option', { name: `Session ${MANY - 1}` }).waitFor();
    // A link to a session far down brings its row into view, and names no row that is not there.
    await opened.open(at('overview', 'long'));
    const row = list.getByRole('option', { name: `Session ${FAR}`, selected: true });
    await row.waitFor();
    await expect.poll(() => list.getAttribute('aria-activedescendant')).toBe(await row.getAttribute('id'));
    await page.getByLabel('Filter sessions').focus();
    await list.evaluate((it) => it.scrollTo(0, 0));
    await row.waitFor({ state: 'detached' });
    expect(await list.getAttribute('aria-activedescendant')).toBeNull();
    await page.unroute(timeline);
  });

  test('keep the row that has the focus: text typed there stays, however far the user scrolls', async () => {
    await opened.open('/facts');
    await page.getByRole('button', { name: 'Correct' }).first().click();
    await page.getByLabel('Reword it').fill('Half a thought');
    const { rows } = await page.evaluate(walkThrough, 'Facts');
    expect(rows).toBe(100);
    expect(await page.getByLabel('Reword it').inputValue()).toBe('Half a thought');
  });
});

/** Runs in the page. */
async function walkThrough(name: string): Promise<Walked> {
  const list = document.querySelector(`[role=list][aria-label="${name}"]`);
  let scroller = list;
  while (scroller && !/auto|scroll/.test(getComputedStyle(scroller).overflowY))
    scroller = scroller.parentElement;
  const places = () =>
    [...(list?.querySelectorAll('[data-row]') ?? [])].map((row) => row.getBoundingClientRect());
  // Rows are measured when they come into view, and move then: a busy machine takes many frames for that.
  async function restingBoxes(): Promise<DOMRect[]> {
    let still = 0;
    let boxes = places();
    for (let frame = 0; still < 3 && frame < 300; frame++) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      const now = places();
      const same = now.length === boxes.length && now.every(({ top }, n) => top === boxes[n]?.top);
      still = same ? still + 1 : 0;
      boxes = now;
    }
    return boxes;
  }
  let most = 0;
  let overlaps = 0;
  for (let before = -1; scroller && scroller.scrollTop > before; ) {
    most = Math.max(
      most,
      document.querySelectorAll('main :is(li, [role=listitem], article, tbody tr)').length,
    );
    const boxes = await restingBoxes();
    overlaps += boxes.filter(({ top }, n) => top < (boxes[n - 1]?.bottom ?? top) - 1).length;
    before = scroller.scrollTop;
    scroller.scrollTop += scroller.clientHeight;
  }
  const last = [...(list?.querySelectorAll('[role=listitem]') ?? [])].at(-1);
  return { rows: Number(last?.getAttribute('aria-posinset')), most, overlaps };
}
