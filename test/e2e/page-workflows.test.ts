import { once } from 'node:events';
import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { JobRun } from '../../src/app/jobs.ts';
import { sync } from '../../src/app/sync/sync.ts';
import { Fault } from '../../src/core/model/fault.ts';
import type { ProjectId } from '../../src/core/model/ids.ts';
import { browserPath } from '../made/browser.ts';
import { chooseOption } from '../made/choose-option.ts';
import { transcript } from '../made/conversation.ts';
import { unfit } from '../made/fits.ts';
import { type OpenPage, openPage, putSession } from '../made/open-page.ts';
import { projectCount } from '../made/project-count.ts';

const path = browserPath();
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const talk = (topic: string) =>
  Array.from(
    { length: 14 },
    (_, n) => `The ${topic} has a detail ${n}, in src/${topic}-${n}.ts, worth ${n * 7} cents.`,
  ).join(' ');
const TURNS = [
  { you: 'How do we round prices?\n\n##keepit1.00## Money is integer cents.', agent: talk('rounding') },
  { you: 'And the basket?\n\n##keepit0.30## The button may be blue.', agent: talk('basket') },
  {
    you: 'The tax is another matter.',
    agent: `${talk('tax')}\n\nWe store the rate beside each line of the order.`,
  },
  // The same words again: only their place tells which are meant.
  { you: 'Say it again.', agent: 'We store the rate beside each line of the order.' },
];

describe.skipIf(path === undefined)('the page (skipped where there is no Chromium)', () => {
  let opened: OpenPage;
  let page: Page;
  let project: ProjectId;
  const shop = '/home/ada/shop';
  const at = (tab: string, session = 'one') => `/memory/${project}/sessions/${session}/${tab}`;
  const button = (name: string | RegExp, inside: Page | Locator = page) =>
    inside.getByRole('button', { name });
  // Exactly: the chart "Sessions by day" is a list of options, too.
  const sessionList = () => page.getByRole('listbox', { name: 'Sessions', exact: true });
  const shows = (text: string | RegExp) => page.getByText(text).first().waitFor();

  beforeAll(async () => {
    opened = await openPage(path ?? '', async (world) => {
      project = putSession(world, shop, 'one', TURNS);
      putSession(world, shop, 'two', [{ you: 'How is the oven heated?', agent: talk('oven') }]);
      putSession(world, `/home/ada/${'a-folder-with-a-long-name/'.repeat(4)}oven`, 'far', [
        { you: 'How hot? ##keepit0.5## Ovens are hot.', agent: 'Very.' },
      ]);
      await sync(world);
      // Written after the sync: the agent's file waits to be added.
      putSession(world, shop, 'late', [{ you: '##keepit0.80## Late, but here.', agent: talk('late') }]);
    });
    page = opened.page;
  });
  afterAll(() => opened?.close());
  beforeEach(() => {
    opened.wrong.length = 0;
    return () => expect(opened.wrong).toEqual([]);
  });
  const folder = (...parts: string[]) => join(opened.world.places.archive, 'projects', project, ...parts);
  /** All that is recorded of the project: the manifest, and what is not in it yet. */
  const recorded = () =>
    ['manifest.json', 'manifest.log']
      .filter((name) => existsSync(folder(name)))
      .map((name) => readFileSync(folder(name), 'utf8'))
      .join('');
  const versionFiles = (session = 'one') =>
    existsSync(folder('summaries', session))
      ? readdirSync(folder('summaries', session))
          .filter((name) => name.endsWith('.md'))
          .sort()
      : [];

  test('shows projects, then sessions by month, then the content of one; the token is no longer in the address', async () => {
    await page.getByRole('link', { name: /shop/ }).click();
    await page
      .getByRole('option', { name: /In memory/ })
      .first()
      .waitFor();
    expect(page.url()).not.toContain('token');
    await shows('January 2026');
    await shows('What a new session would start with');
    await sessionList().getByRole('option').filter({ hasText: 'round' }).click();
    await page.waitForURL(/\/sessions\/\w+\/overview/);
    await shows(/^Keepits: \d/);
  });

  test("adds a session to memory, from the agent's file to a copy in the archive", async () => {
    await opened.open(`/memory/${project}/overview`);
    expect(existsSync(folder('originals', 'late.jsonl'))).toBe(false);
    await button('Add to memory').first().click();
    const dialog = page.getByRole('dialog');
    // The only one there is: called by its words, and chosen already.
    const late = dialog.getByRole('checkbox', { name: /Late, but here/ });
    await late.waitFor();
    expect(await late.isChecked()).toBe(true);
    await dialog.getByText('Detected keepit markers: 1').waitFor();
    await dialog.getByText('##keepit0.80##').waitFor();
    await button('Add to memory', dialog).click();
    await shows('1 session added to memory.');
    expect(existsSync(folder('originals', 'late.jsonl'))).toBe(true);
    await projectCount(page, project, 3);
    await page.getByText('0 of 3', { exact: true }).waitFor();
    await opened.open(at('overview', 'late'));
    await shows('Keepits: 1, 1 of 0.80');
  });

  test('shows the progress of long work, also after a reload, stays usable meanwhile, and reports its end', async () => {
    let report: JobRun['onProgress'] = () => undefined;
    let end = () => {};
    const { done } = opened.jobs.start({ kind: 'verify', subject: 'archive' }, ({ onProgress }) => {
      report = onProgress;
      report({ done: 1, total: 4 });
      return new Promise<void>((resolve) => {
        end = resolve;
      });
    });
    const progress = page.getByRole('progressbar', { name: 'Verifying archive: runs' });
    try {
      await opened.open(`/memory/${project}/overview`);
      const isAt = (share: number) =>
        page
          .locator(`[role=progressbar][aria-label="Verifying archive: runs"][aria-valuenow="${share}"]`)
          .waitFor();
      await isAt(25);
      report({ done: 2, total: 4 });
      await isAt(50);
      await page.reload();
      await isAt(50);
      await sessionList().getByRole('option').last().click();
      await page.waitForURL(/\/sessions\/\w+\/overview/);
      report({ done: 3, total: 4 });
      await isAt(75);
    } finally {
      // A server with work in progress would not close.
      end();
    }
    await done;
    await shows('Done: verifying archive.');
    await progress.waitFor({ state: 'detached' });
    const stopped = opened.jobs.start({ kind: 'sync', subject: 'archive' }, async ({ signal }) => {
      await once(signal, 'abort');
      throw new Fault('cancelled', 'Stopped half-way.');
    });
    stopped.done.catch(() => undefined);
    await page.reload();
    await button('Stop', page.getByRole('region', { name: 'Work in progress' })).click();
    await shows('Stopped half-way.');
    expect(opened.jobs.get(stopped.job.jobId).state).toBe('cancelled');
  });

  test('unregisters a session after a question, and undoes it', async () => {
    await opened.open(at('overview', 'two'));
    await button('More').click();
    await page.getByRole('menuitem', { name: 'Remove from memory' }).click();
    await button('Remove', page.getByRole('dialog')).click();
    await shows('Removed from memory.');
    await page.getByText('not in memory', { exact: true }).waitFor();
    await page.getByText('2 in memory, 1 not').waitFor();
    await projectCount(page, project, 2);
    await button('Undo').click();
    await page.getByText('not in memory', { exact: true }).waitFor({ state: 'detached' });
    expect(readFileSync(folder('history.jsonl'), 'utf8')).toContain('unregister');
  });

  test('creates a compression with a preview of what it keeps, and its file is on the disk', async () => {
    await opened.open(at('overview'));
    await button('Create compression').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Aggressive 30:1').click();
    await dialog.getByText(/Will preserve\s*1/).waitFor();
    await dialog
      .getByText(/\d+ tokens/)
      .last()
      .waitFor();
    expect(versionFiles()).toEqual([]);
    await button('Create compression', dialog).click();
    await shows(/part1_v001: [\d,]+ tokens/);
    expect(versionFiles()).toHaveLength(1);
    await opened.open(`${at('versions')}?version=part1_v001`);
    await shows('Keepits 1 of 2');
    await page.locator('.prose').getByText('Money is integer cents.').first().waitFor();
  });

  test('the + of a part creates another version of it, by tiers', async () => {
    await opened.open(at('overview'));
    await button('Another version of part 1').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Tiered', { exact: true }).click();
    await chooseOption(dialog.getByLabel('Preset'), 'gentle');
    await button('Create compression', dialog).click();
    await shows(/part1_v002: [\d,]+ tokens/);
    expect(versionFiles()).toHaveLength(2);
  });

  test('compares a version with the original and marks what was removed', async () => {
    await opened.open(`${at('compare')}?to=part1_v001`);
    await shows(/\d+ gone/);
    await chooseOption(page.getByLabel('Show', { exact: true }), 'changed');
    await expect.poll(() => page.url()).toContain('show=changed');
    await page.getByText('not here').first().waitFor();
  });

  test('marks selected words of a message as kept; the overlay is in the archive and undo removes it', async () => {
    await opened.open(at('messages'));
    const find = page.getByLabel('Find in this session');
    await find.fill('The Rate');
    await shows('1 of 2');
    expect(await page.locator('.found').first().textContent()).toBe('the rate');
    await find.press('Enter');
    await shows('2 of 2');
    await find.fill('');
    await page.locator('.found').first().waitFor({ state: 'detached' });
    const words = page.getByText('We store the rate beside each line of the order.').first();
    await words.scrollIntoViewIfNeeded();
    const article = page.getByRole('article').filter({ hasText: 'We store the rate' }).first();
    await words.selectText();
    await button('Keep', article).click();
    const editor = page.getByRole('form', { name: 'Keep these words' });
    await editor.getByRole('group', { name: 'Decay preview' }).waitFor();
    await button('Critical', editor).click();
    expect(await editor.getByText('survives').count()).toBeGreaterThan(5);
    await button(/^Keep$/, editor).click();
    await shows('Kept with the weight 0.90.');
    await page.locator('mark', { hasText: 'We store the rate' }).waitFor();
    expect(await page.locator('mark', { hasText: 'We store the rate' }).count()).toBe(1);
    expect(recorded()).toContain('We store the rate beside each line of the order.');
    await button('Undo').click();
    await page.locator('mark', { hasText: 'We store the rate' }).waitFor({ state: 'detached' });
  });

  test('changes the weight of a keepit in its message, and in the overview of all keepits', async () => {
    await opened.open(at('messages'));
    const badge = button('0.30 minor: edit the keepit');
    await badge.click();
    const editor = page.getByRole('form', { name: 'Edit the keepit' });
    expect(await editor.getByLabel('Weight').inputValue()).toBe('0.30');
    await page.keyboard.press('Escape');
    await editor.waitFor({ state: 'detached' });
    expect(await badge.evaluate((element) => element === document.activeElement)).toBe(true);
    // Keep on what is kept leads to the same keepit, not to a second one.
    await button('Kept', page.getByRole('article').filter({ has: badge })).click();
    await editor.getByText('Already kept, weight 0.30').waitFor();
    await editor.getByLabel('Weight').fill('0.55');
    await button('Save the weight', editor).click();
    await shows(/The weight is 0.55 now/);
    await opened.open(`/keepits?project=${project}`);
    const row = page.getByRole('listitem').filter({ hasText: 'The button may be blue.' });
    await row.getByText('written as 0.30').waitFor();
    await button(/Change the keepit/, row).click();
    await page.getByRole('menuitem', { name: /critical/ }).click();
    await row.getByText('0.90 critical').waitFor();
  });

  test('names the markers that keep nothing, and what to write instead', async () => {
    await opened.open('/keepits');
    const hint = page.getByRole('region', { name: 'Not keepits' });
    await hint.getByText('##keepit0.5##').waitFor();
    await hint.getByText('##keepit0.50##').waitFor();
    await hint.getByRole('link').click();
    await page.waitForURL(/\/sessions\/far\/messages/);
    await opened.open(`/keepits?project=${project}`);
    await page.getByRole('listitem').first().waitFor();
    expect(await hint.count()).toBe(0);
  });

  test('cuts by hand: drop, shrink, undo, and a new version with the original untouched', async () => {
    const before = readFileSync(folder('originals', 'one.jsonl'), 'utf8');
    await opened.open(at('surgery'));
    const exchange = (n: number) => page.getByRole('group', { name: `Exchange ${n}` });
    await button('Drop', exchange(2)).click();
    await button('Shrink', exchange(3)).click();
    await shows(/2 kept, 1 shrunk, 1 dropped/);
    await page.keyboard.press('Control+z');
    await shows(/3 kept, 0 shrunk, 1 dropped/);
    await button('Create version').click();
    await shows(/part1_v003: [\d,]+ tokens/);
    expect(versionFiles()).toHaveLength(3);
    const [text] = versionFiles()
      .filter((name) => name.includes('v003'))
      .map((name) => readFileSync(folder('summaries', 'one', name), 'utf8'));
    expect(text).toContain('rounding');
    expect(text).not.toContain('detail 9, in src/basket-9.ts');
    expect(readFileSync(folder('originals', 'one.jsonl'), 'utf8')).toBe(before);
  });

  test('syncs what the agent has written since, and compresses only that', async () => {
    const file = join(opened.world.projects, project, 'one.jsonl');
    const more = transcript(shop, 'one', [
      ...TURNS,
      { you: 'One more: the receipt?', agent: talk('receipt') },
      { you: 'Thanks.', agent: 'Done.' },
    ]);
    appendFileSync(file, more.slice(transcript(shop, 'one', TURNS).length));
    await opened.open(at('overview'));
    await button('Sync').click();
    await shows('New messages were added to memory.');
    await shows(/new messages? /);
    await button('Compress what is new').click();
    await shows(/Part 2: [\d,]+ tokens/);
    expect(versionFiles().some((name) => name.startsWith('part2_v001'))).toBe(true);
  });

  test('deletes selected versions after a warning, and undo restores them byte for byte', async () => {
    await opened.open(at('overview'));
    await button('Manage').click();
    await page.getByRole('dialog').getByRole('checkbox', { name: /v003/ }).check();
    await shows(/Selected: 1 version/);
    const textOf = (name: string) => readFileSync(folder('summaries', 'one', name), 'utf8');
    const before = versionFiles()
      .filter((name) => name.startsWith('part1_v003'))
      .map(textOf);
    await button('Delete selected').click();
    // Asked in front of the dialog that it came from: a click by its name alone would reach it behind, too.
    const sure = button(/^Delete$/);
    await sure.waitFor();
    const isInFront = (it: Locator) =>
      it.evaluate((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        return element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
      });
    expect(await isInFront(sure)).toBe(true);
    await page.keyboard.press('Control+k');
    const find = page.getByRole('combobox', { name: 'Find' });
    await find.waitFor();
    expect(await isInFront(find)).toBe(true);
    await page.keyboard.press('Escape');
    await find.waitFor({ state: 'detached' });
    await sure.click();
    await shows('1 version deleted.');
    const deleted = () => versionFiles().filter((name) => name.startsWith('part1_v003'));
    expect(deleted()).toEqual([]);
    await button('Undo').click();
    await shows('1 version back.');
    expect(deleted().map(textOf)).toEqual(before);
  });

  test('a month has its menu; a bar of the timeline and typed words narrow the list at once', async () => {
    await opened.open(`/memory/${project}/overview`);
    const month = sessionList().getByRole('option', { name: /^\w+ 2026/ });
    const sessions = sessionList().getByRole('option', { name: /memory:/ });
    await month.click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Fold this month' }).click();
    await expect.poll(() => sessions.count()).toBe(0);
    await month.click();
    await sessions.nth(2).waitFor();
    await page
      .getByRole('listbox', { name: /Sessions by day/ })
      .getByRole('option')
      .first()
      .click();
    await page.waitForURL(/days=2026-01-\d\d/);
    await button(/Show all days/).click();
    await page.getByLabel('Filter sessions').pressSequentially('heated');
    await page.waitForURL(/find=heated/);
    await expect.poll(() => sessions.count()).toBe(1);
  });

  test('works by keyboard: Ctrl+Shift+M, the palette, arrows in the list, ? for help', async () => {
    await opened.open('/keepits');
    await page.getByRole('heading', { name: 'Keepits' }).waitFor();
    await page.keyboard.press('Control+Shift+M');
    await page.waitForURL(/\/memory$/);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Find' }).fill('shop');
    // Before the projects are there, the first row is the search for the word.
    await page.getByRole('option', { name: /shop Project$/, selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/overview$/);
    const list = sessionList();
    // A key that is pressed before its view is there is lost.
    await list.getByRole('option').nth(1).waitFor();
    await list.focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/sessions\/\w+\/overview/);
    await button('Create compression').waitFor();
    await page.keyboard.press('2');
    await page.waitForURL(/\/messages/);
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await help.getByText('Create compression').waitFor();
    await help.getByRole('row', { name: 'g then k Go to Keepits' }).waitFor();
    await page.keyboard.press('Escape');
    await help.waitFor({ state: 'detached' });
    await page.keyboard.press('g');
    await page.keyboard.press('k');
    await page.waitForURL(/\/keepits$/);
    // A session of a project that is not open, and what no name holds.
    const late = Promise.withResolvers<void>();
    await page.route(/\/timeline\?words=/, (route) => late.promise.then(() => route.continue()));
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Find' }).fill('oven');
    await page.keyboard.press('ArrowUp');
    const everything = page.getByRole('option', { name: /^Search everything/, selected: true });
    await everything.waitFor();
    late.resolve();
    const found = page.getByRole('option', { name: /How is the oven heated.*Session in shop/ });
    await found.waitFor();
    // What came later did not take the choice.
    expect(await everything.count()).toBe(1);
    await found.click();
    await page.waitForURL(/\/sessions\/two\/overview/);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Find' }).fill('register');
    await page.getByRole('option', { name: /Add to memory/ }).waitFor();
    await page.getByRole('option', { name: 'Search everything for “register”' }).click();
    await page.waitForURL(/\/search\?q=register/);
  });

  const views = () => [
    '/memory',
    `/memory/${project}/overview`,
    ...['overview', 'messages', 'versions', 'keepits', 'surgery', 'compare'].map((tab) => at(tab)),
    '/keepits',
  ];
  async function settle(view: string): Promise<void> {
    await opened.open(view);
    await page.locator('main h1').first().waitFor({ state: 'attached' });
    await page.locator('[role=status]:has-text("Loading")').first().waitFor({ state: 'detached' });
  }

  test('a screen reader can use every view, light and dark: axe finds nothing serious', async () => {
    const found: string[] = [];
    for (const view of views()) {
      await settle(view);
      await page.evaluate(AXE);
      for (const theme of ['light', 'dark']) {
        await page.evaluate((name) => document.documentElement.setAttribute('data-theme', name), theme);
        const serious = await page.evaluate(
          seriousFindings,
          theme === 'light' ? undefined : ['color-contrast'],
        );
        found.push(...serious.map((it) => `${theme} ${view}: ${it}`));
      }
    }
    expect(found).toEqual([]);
  });

  test('every view fits a screen of 380 pixels', async () => {
    await page.setViewportSize({ width: 380, height: 760 });
    const wide: string[] = [];
    for (const view of [...views(), `/memory/${project}/overview?pane=sessions`, '/statistics']) {
      await settle(view);
      wide.push(...(await page.evaluate(unfit)).map((it) => `${view}: ${it}`));
    }
    expect(wide).toEqual([]);
    await page.getByRole('button', { name: 'Navigation' }).click();
    await page.getByRole('dialog').getByRole('link', { name: 'Memory', exact: true }).click();
    await page.waitForURL(/\/memory$/);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test('an empty archive offers a sync and the sample, which one click adds', async () => {
    const none = { items: [], next: null, total: 0 };
    await page.route(/\/api\/memory\/projects\?/, (route) => route.fulfill({ json: none }));
    await opened.open('/journal');
    await button('Sync now').waitFor();
    await opened.open('/memory');
    await button('Try the sample project').waitFor();
    await page.unroute(/\/api\/memory\/projects\?/);
    await button('Try the sample project').click();
    await page.getByRole('link', { name: /sample/ }).waitFor();
  });
});

type Axe = {
  run(
    where: Document,
    options: unknown,
  ): Promise<{
    violations: { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[];
  }>;
};

/** Runs in the page. */
async function seriousFindings(rules: string[] | undefined): Promise<string[]> {
  const { axe } = window as unknown as { axe: Axe };
  const { violations } = await axe.run(document, {
    resultTypes: ['violations'],
    ...(rules ? { runOnly: rules } : {}),
  });
  return violations
    .filter((it) => it.impact === 'serious' || it.impact === 'critical')
    .flatMap((it) =>
      it.nodes
        .slice(0, 3)
        .map((node) => `${it.id}: ${node.html.slice(0, 200)} ${node.failureSummary.slice(0, 250)}`),
    );
}
