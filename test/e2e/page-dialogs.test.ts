import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { compose } from '../../src/app/compose/compose.ts';
import { compressSession } from '../../src/app/compress/compress.ts';
import { allSessions } from '../../src/app/find/sessions.ts';
import { useSample } from '../../src/app/sync/use-sample.ts';
import { browserPath } from '../made/browser.ts';
import { unfit } from '../made/fits.ts';
import { type OpenPage, openPage } from '../made/open-page.ts';

const path = browserPath();
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const SAMPLE = '-home-ada-bakery';
const SIZES = [
  { width: 1280, height: 800 },
  { width: 380, height: 760 },
];

describe.skipIf(path === undefined)('dialogs of the page (skipped where there is no Chromium)', () => {
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
      await compose(world, 'oven', { sessions: [session], project: row.projectId, budget: 2000 });
    });
    page = opened.page;
  });
  afterAll(() => opened?.close());
  beforeEach(() => {
    opened.wrong.length = 0;
    return () => expect(opened.wrong).toEqual([]);
  });
  type Found = { violations: { id: string; impact: string; nodes: { html: string }[] }[] };
  /** All that axe finds, light and dark, and what is wider than its room. */
  async function findings(): Promise<string[]> {
    await page.evaluate(AXE);
    const found = await page.evaluate(unfit);
    for (const theme of ['dark', 'light']) {
      await page.evaluate((name) => document.documentElement.setAttribute('data-theme', name), theme);
      const { violations } = await page.evaluate(() =>
        (window as unknown as { axe: { run(): Promise<Found> } }).axe.run(),
      );
      for (const { id, nodes } of violations)
        found.push(`${theme} ${id}: ${nodes.map(({ html }) => html.slice(0, 150)).join(' | ')}`);
    }
    return found;
  }
  const at = (tab: string) => `/memory/${SAMPLE}/sessions/${session}/${tab}`;
  const press = (name: string | RegExp) =>
    page.getByRole('button', { name }).filter({ visible: true }).first().click();
  const item = (name: RegExp) => page.getByRole('menuitem', { name }).click();
  const ofFact = async (name: RegExp) => {
    await press('More about this fact');
    await item(name);
  };

  const OPENED: [what: string, view: () => string, open: () => Promise<void>][] = [
    ['Add fact', () => `/facts?project=${SAMPLE}`, () => press('Add fact')],
    ['Forget', () => `/facts?project=${SAMPLE}`, () => ofFact(/Forget/)],
    [
      'Merge concepts',
      () => `/concepts?project=${SAMPLE}`,
      async () => {
        const choices = page.getByRole('checkbox', { name: /^Choose / });
        await choices.nth(0).check();
        await choices.nth(1).check();
        await press(/^Merge 2/);
      },
    ],
    ['Join another project', () => `/memory/${SAMPLE}/overview`, () => press('Join another project')],
    ['Link a session', () => `/memory/${SAMPLE}/overview`, () => press('Link a session')],
    ['Manage versions', () => at('versions'), () => press('Manage')],
    ['Resume', () => `/compositions/${SAMPLE}/oven/text`, () => press('Resume')],
  ];
  test.each(OPENED)(
    '%s: axe finds nothing, it fits 1,280 and 380 pixels, Escape closes it',
    async (_, view, open) => {
      for (const size of SIZES) {
        await page.setViewportSize(size);
        await opened.open(view());
        await open();
        await page.getByRole('dialog').waitFor();
        expect(await findings()).toEqual([]);
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
      }
    },
  );

  test('open parts of a view fit, too: the form of a fact, a keepit, filters, the menu on a phone', async () => {
    const open: [view: string, act: () => Promise<void>][] = [
      [
        `/facts?project=${SAMPLE}`,
        async () => {
          await ofFact(/Correct/);
          await page.getByLabel('Reword it').waitFor();
          expect(await page.getByRole('button', { name: 'More about this fact' }).count()).toBeGreaterThan(0);
        },
      ],
      [at('messages'), () => press(/edit the keepit/)],
      ['/search?q=slots&kinds=all', () => page.getByText(/^Filters/).click()],
    ];
    for (const size of SIZES)
      for (const [view, act] of open) {
        await page.setViewportSize(size);
        await opened.open(view);
        await act();
        expect(await findings(), view).toEqual([]);
      }
  });
});
