import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { compressSession } from '../../src/app/compress/compress.ts';
import { sync } from '../../src/app/sync/sync.ts';
import { type ProjectId, type SessionId, sanitizePath } from '../../src/core/model/ids.ts';
import { browserPath } from '../made/browser.ts';
import { chooseOption } from '../made/choose-option.ts';
import { unfit } from '../made/fits.ts';
import { type OpenPage, openPage, putSession } from '../made/open-page.ts';
import { xssPayloads } from '../made/xss-payloads.ts';

const path = browserPath();
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const PAYLOADS = xssPayloads('http://evil.example').filter((_, n) => n % 10 === 0);
const talk = (topic: string) =>
  Array.from(
    { length: 12 },
    (_, n) => `The ${topic} has a detail ${n}, in src/${topic}-${n}.ts, worth ${n * 7} cents.`,
  ).join(' ');

describe.skipIf(path === undefined)('the page and memory (skipped where there is no Chromium)', () => {
  let opened: OpenPage;
  let page: Page;
  let project: ProjectId;
  let shop: string;
  const button = (name: string | RegExp, inside: Page | Locator = page) =>
    inside.getByRole('button', { name });
  const shows = (text: string | RegExp) => page.getByText(text).first().waitFor();
  const dialog = () => page.getByRole('dialog');
  const folder = (...parts: string[]) => join(opened.world.places.archive, 'projects', project, ...parts);
  const read = (...parts: string[]) => readFileSync(folder(...parts), 'utf8');

  beforeAll(async () => {
    opened = await openPage(path ?? '', async (world) => {
      shop = join(world.places.home, 'shop');
      mkdirSync(shop);
      project = putSession(world, shop, 'one', [
        { you: 'How do we round prices?\n\n##keepit1.00## Money is integer cents.', agent: talk('rounding') },
        { you: 'The invoice number is wr0ngnumber-4711, never show it.', agent: talk('invoice') },
      ]);
      putSession(world, shop, 'two', [
        { you: 'How is the oven heated?', agent: talk('oven'), at: '2026-01-07T10:00:00.000Z' },
      ]);
      putSession(world, shop, 'three', [
        ...PAYLOADS.map((text) => ({ you: `Always remember this: ${text}`, agent: text })),
        { you: `Let us heat the oven with ${PAYLOADS[0]}`, agent: talk('heat') },
      ]);
      putSession(world, join(world.places.home, 'van'), 'four', [
        { you: 'How do we deliver bread?', agent: talk('roads'), at: '2026-01-04T10:00:00.000Z' },
      ]);
      await sync(world);
      await compressSession(world, { project, session: 'two' as SessionId }, { ratio: 2 });
    });
    page = opened.page;
    page.on('dialog', (it) => {
      opened.wrong.push(`dialog: ${it.message()}`);
      void it.dismiss();
    });
    await page.addInitScript('window.pwned = (n) => (window.ran ??= []).push(n);');
  });
  afterAll(() => opened?.close());
  beforeEach(() => {
    opened.wrong.length = 0;
    return () => expect(opened.wrong).toEqual([]);
  });

  test('search finds text, highlights it, filters it, and links to the message; the address restores it', async () => {
    await page.getByRole('link', { name: 'Search', exact: true }).click();
    await page.getByLabel('Search words').fill('oven heated');
    await page.keyboard.press('Enter');
    await page.locator('mark').first().waitFor();
    expect(await page.locator('[data-missing]').count()).toBe(0);
    await page.getByLabel('Search words').fill('oven heronsgate');
    await page.keyboard.press('Enter');
    await shows('No result contains “heronsgate”.');
    await page.getByLabel('Search words').fill('oven heated');
    await page.keyboard.press('Enter');
    await page.locator('[data-missing]').waitFor({ state: 'detached' });
    await page.getByText('Filters', { exact: true }).click();
    await chooseOption(page.getByLabel('Speaker'), 'user');
    await page.waitForURL(/role=user/);
    await page.reload();
    const hit = page.locator('article').filter({ hasText: 'How is the oven heated?' }).first();
    await hit.waitFor();
    expect(await page.locator('article').filter({ hasText: 'Agent' }).count()).toBe(0);
    await page.getByLabel('Search words').focus();
    await page.keyboard.press('ArrowDown');
    expect(await page.evaluate(() => document.activeElement?.hasAttribute('data-hit'))).toBe(true);
    await hit.getByRole('link').first().press('Enter');
    await page.waitForURL(/\/sessions\/two\/messages\?src=/);
    await page.locator('article[class*="ring-2"]').filter({ hasText: 'How is the oven heated?' }).waitFor();
  });

  test('composes: sessions, order, budget, version, preview; then the files, an export, a session to resume', async () => {
    await opened.open('/compositions');
    await page.getByRole('link', { name: 'New composition' }).first().click();
    await button('Add session').click();
    await chooseOption(dialog().getByLabel('Project', { exact: true }), project);
    for (const title of ['round prices', 'oven heated'])
      await dialog().getByRole('checkbox', { name: title }).check();
    await button('Add 2 sessions', dialog()).click();
    await page.getByLabel('Token budget').and(page.locator('input')).fill('900');
    await page.keyboard.press('Tab');
    await shows('up to date');
    await page.keyboard.press('Control+Enter');
    await shows('Enter a name first.');
    await page.getByLabel('Name', { exact: true }).fill('feature x');
    const titles = () => page.locator('[aria-label="Composition timeline"] li').allInnerTexts();
    expect((await titles())[0]).toContain('round');
    await button('Move 1 down').focus();
    await page.keyboard.press('Alt+ArrowDown');
    await expect.poll(async () => (await titles())[0]).toContain('oven');
    await page
      .locator('[aria-label="Composition timeline"] li div')
      .last()
      .dragTo(page.locator('[aria-label="Composition timeline"] li div').first());
    await expect.poll(async () => (await titles())[0]).toContain('round');
    await chooseOption(page.getByLabel('Version').nth(1), 'part1_v001');
    // The preview waits for the last change, then for the server.
    await expect.poll(titles).toEqual([expect.anything(), expect.stringContaining('part1_v001')]);
    await shows(/% of a context window of 200,000 tokens/);
    const shown = await page.getByRole('meter', { name: 'Token budget' }).getAttribute('aria-valuetext');
    expect(Number(shown?.split(' ')[0])).toBeLessThanOrEqual(900);
    const saved = page.waitForEvent('download');
    await button('Export Markdown').click();
    expect((await saved).suggestedFilename()).toBe('feature x.md');
    await button('Compose')
      .and(page.getByText('Compose', { exact: true }))
      .click();
    await page.waitForURL(/\/compositions\/.+\/text/);
    await page.getByRole('heading', { name: 'Sessions', exact: true }).waitFor();
    expect(readdirSync(folder('composed'))).toHaveLength(1);
    const text = read('composed', readdirSync(folder('composed'))[0] ?? '', 'composed.md');
    expect(text).toContain('Money is integer cents.');
    const file = page.waitForEvent('download');
    await button('More').click();
    await page.getByRole('menuitem', { name: 'Download Markdown' }).click();
    expect(readFileSync(await (await file).path(), 'utf8')).toBe(text);

    await button('Resume').click();
    await button('Write the session', dialog()).click();
    const command = (await dialog().locator('[data-command]').innerText()).replace('claude --resume ', '');
    expect(existsSync(join(opened.world.projects, project, `${command}.jsonl`))).toBe(true);
    await page.keyboard.press('Escape');
    await button('More').click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await button('Delete', dialog()).click();
    await page.waitForURL(/\/compositions$/);
    expect(existsSync(folder('composed', 'feature x', 'composed.md'))).toBe(false);
  });

  test('adds a fact, corrects it, undoes that, and forgets it for good', async () => {
    await opened.open(`/facts?project=${project}`);
    await button('Add fact').click();
    await dialog().getByLabel('Fact', { exact: true }).fill('Always round half to even.');
    await button('Add fact', dialog()).click();
    const fact = page.locator('article').filter({ hasText: 'half to even' });
    await button('Correct', fact).click();
    await page.getByLabel('Reword it').fill('Always round half up.');
    await page.keyboard.press('Control+Enter');
    await shows('Always round half up.');
    expect(read('memory', 'facts.json')).toContain('half up');
    await button('Undo').click();
    await fact.waitFor();
    await button('Confirm').first().click();
    await shows('Confirmed: it is your word now.');
    await button('Forget', fact).click();
    await button('Forget', dialog()).click();
    await fact.waitFor({ state: 'detached' });
    expect(read('memory', 'facts.json')).not.toContain('half to even');
  });

  test('renames a concept, splits it and merges it again', async () => {
    await opened.open(`/concepts?project=${project}`);
    const concepts = page.locator('[aria-label="Concepts"] button');
    await concepts.first().focus();
    await page.keyboard.press('ArrowDown');
    expect(await concepts.nth(1).evaluate((it) => it === document.activeElement)).toBe(true);
    await concepts.first().click();
    await button('Rename').click();
    await dialog().getByLabel('Name').fill('Prices and cents');
    await button('Rename', dialog()).click();
    await page.getByRole('heading', { name: 'Prices and cents' }).waitFor();
    const names = () => page.getByRole('list', { name: 'Concepts' }).getByRole('listitem').count();
    const before = await names();
    await page.locator('[aria-label="The concept"] input[type=checkbox]').first().check();
    await button(/Split off/).click();
    await dialog().getByLabel('Name').fill('Split by hand');
    await button('Split off', dialog()).click();
    await page.getByRole('heading', { name: 'Split by hand' }).waitFor();
    expect(await names()).toBe(before + 1);
    for (const name of ['Prices and cents', 'Split by hand']) await page.getByLabel(`Choose ${name}`).check();
    await button('Merge 2').click();
    await dialog().getByLabel('Name').fill('Whole again');
    await button('Merge', dialog()).click();
    await page.getByRole('heading', { name: 'Whole again' }).waitFor();
    expect(read('memory', 'concepts.json')).toContain('Whole again');
  });

  test('writes a page of the journal and a synthesis only after they are approved', async () => {
    await opened.open(`/journal?project=${project}`);
    await button('Summarize a conversation').first().click();
    await dialog().getByLabel('Filter conversations').fill('round');
    await dialog()
      .getByRole('list', { name: 'Conversations' })
      .getByRole('button', { name: /round prices/ })
      .click();
    await dialog().getByText(/added/).first().waitFor();
    expect(existsSync(join(shop, '_memory'))).toBe(false);
    await button('Approve and save', dialog()).click();
    await page.locator('[aria-label="The page"] .prose').waitFor();
    expect(readdirSync(join(shop, '_memory', 'conversations'))).toEqual(['one.md']);
    // The file names exchanges by their ids, the page leads to them.
    expect(readFileSync(join(shop, '_memory', 'conversations', 'one.md'), 'utf8')).toMatch(/ex_[0-9a-f]{12}/);
    const shownPage = page.getByRole('region', { name: 'The page' });
    const exchange = shownPage.getByRole('link', { name: 'exchange' }).first();
    expect(await exchange.getAttribute('href')).toMatch(/\/exchanges\/ex_[0-9a-f]{12}\//);
    expect(await shownPage.innerText()).not.toMatch(/ex_[0-9a-f]{12}/);
    await button('Synthesize').click();
    await dialog().getByText(/added/).first().waitFor();
    expect(existsSync(join(shop, '_memory', 'master.md'))).toBe(false);
    await button('Approve and save', dialog()).click();
    await shows('_memory/master.md');
    const master = () =>
      readFileSync(join(shop, '_memory', 'master.md'), 'utf8').replace(/<!-- keepsake:.*-->/, '');
    const before = master();
    expect(before).toContain('cents');
    await button('Synthesize').click();
    await dialog().getByText('Edit it before saving').click();
    await dialog()
      .getByLabel('Text of master.md')
      .fill('# Project Memory\n\n## Current Status\n\n- Bread.\n');
    await button('Approve and save', dialog()).click();
    await expect.poll(master).toContain('Bread.');
    await button('Undo').last().click();
    await expect.poll(master).toBe(before);
  });

  test('links a session of another project, and removes the link with undo', async () => {
    await opened.open(`/memory/${project}/overview`);
    await button('Link a session').click();
    await dialog().getByLabel('Filter sessions').fill('deliver');
    await dialog()
      .getByRole('button', { name: /deliver/ })
      .click();
    await dialog().getByLabel('Why it helps here').fill('the same roads');
    await button('Link it', dialog()).click();
    const link = page.getByRole('list', { name: 'Links' }).getByRole('listitem').filter({ hasText: 'roads' });
    await link.getByText('from van').waitFor();
    const recorded = ['manifest.json', 'manifest.log'].filter((name) => existsSync(folder(name)));
    expect(recorded.map((name) => read(name)).join()).toContain('the same roads');
    await button(/Delete the link/, link).click();
    await button('Delete', dialog()).click();
    await link.waitFor({ state: 'detached' });
    await button('Undo').click();
    await link.waitFor();
    await opened.open(`/memory/${sanitizePath(join(opened.world.places.home, 'van'))}/overview`);
    await page.getByText('offered to shop').waitFor();
  });

  test('writes a note that is injected into every session, and shows memory.md', async () => {
    await opened.open(`/files?project=${project}`);
    await button('Update memory.md').click();
    await button(/project.md/).click();
    await button('Edit').click();
    await page.getByLabel('Text of project.md').fill('# The shop\n\nSells bread.');
    await button('Save').click();
    await shows('Sells bread.');
    expect(read('memory', 'project.md')).toContain('Sells bread.');
    await button('Edit').click();
    await page.getByLabel('Text of project.md').fill('# The shop\n\nSells cake.');
    writeFileSync(folder('memory', 'project.md'), 'Sells tea, says another tab.');
    await button('Save').click();
    await shows('Someone changed it since you read it.');
    // The browser itself notes the refusal.
    expect(opened.wrong.splice(0).join()).toMatch(/^console: .*412/);
    expect(read('memory', 'project.md')).toContain('Sells tea');
    await button('Reload').click();
    await shows('Sells tea, says another tab.');
    await button('Save').click();
    await expect.poll(() => read('memory', 'project.md')).toContain('Sells cake.');
  });

  test('changes a setting, refuses an invalid one, resets one', async () => {
    await opened.open('/settings?name=levels');
    await page.getByLabel('Light ratio').fill('0.5');
    await page.keyboard.press('Tab');
    await page.getByRole('alert').first().waitFor();
    // The browser itself notes the refusal.
    expect(opened.wrong.splice(0).join()).toMatch(/^console: .*400/);
    await page.getByLabel('Light ratio').fill('5');
    await page.keyboard.press('Tab');
    await shows('set for all');
    const config = () => readFileSync(join(opened.world.places.archive, 'config.json'), 'utf8');
    expect(JSON.parse(config())).toMatchObject({ levels: { light: 5 } });
    await button('Undo').click();
    await expect.poll(() => JSON.parse(config()).levels?.light).toBeUndefined();
  });

  test('its own settings take effect at once', async () => {
    await opened.open('/settings?name=showTokenEstimates');
    await page.getByLabel('Show token estimates').uncheck();
    await shows('set for all');
    await page.getByRole('link', { name: 'Compositions', exact: true }).click();
    await page.getByRole('link', { name: 'New composition' }).first().click();
    await button('Preview').waitFor();
    await opened.open('/settings?name=showTokenEstimates');
    await button(/Reset/).click();
    await shows('back to its default');
  });

  test('applies retention by a plan, undoes it, verifies, and exports everything', async () => {
    await opened.open('/care?tab=age');
    await button('Accept the plan').click();
    await shows(/\d created, 0 deleted/);
    expect(readdirSync(folder('summaries', 'three')).some((name) => name.endsWith('.md'))).toBe(true);
    await button('Undo the last run').click();
    await shows(/restored, \d+ deleted/);
    expect(
      existsSync(folder('summaries', 'three'))
        ? readdirSync(folder('summaries', 'three')).filter((it) => it.endsWith('.md'))
        : [],
    ).toEqual([]);
    await page.getByRole('link', { name: 'Health' }).click();
    await button('Verify now').click();
    await shows(/All files are intact/);
    await page.reload();
    await shows(/All files are intact/);
    await page.getByRole('link', { name: 'Export and import' }).click();
    // Without the browser's own chooser, which nothing can drive, it is a download.
    await page.evaluate(() => Object.assign(window, { showSaveFilePicker: undefined }));
    const file = page.waitForEvent('download');
    await button('Export everything').click();
    const bundle = await file;
    expect(bundle.suggestedFilename()).toMatch(/\.keepsake\.gz$/);
    const copy = join(opened.world.places.home, 'all.keepsake.gz');
    await bundle.saveAs(copy);
    await page.getByLabel('Choose a bundle').and(page.locator('input')).setInputFiles(copy);
    await shows(/0 new sessions, [1-9] known/);
  });

  test('purges a text, also from the original, and proves it', async () => {
    expect(read('originals', 'one.jsonl')).toContain('wr0ngnumber-4711');
    await opened.open('/care?tab=purge');
    await page.locator('#purge-what').fill('wr0ngnumber-4711');
    await button('Find every place').click();
    await shows(/Found \d+ times/);
    await button('Purge for good').click();
    await button('Purge for good', dialog()).click();
    await shows(/^Purged: \d+ places? deleted\./);
    expect(read('originals', 'one.jsonl')).not.toContain('wr0ngnumber-4711');
  });

  const views = (): [view: string, heading: string][] => [
    ['/search?q=remember&kinds=all', 'Search'],
    [`/compositions/new?name=x&sessions=${project}/two,${project}/three:original`, 'Composition builder'],
    ['/compositions', 'Compositions'],
    ['/facts', 'Facts'],
    [`/concepts?project=${project}`, 'Concepts'],
    [`/journal?project=${project}`, 'Journal'],
    [`/files?project=${project}`, 'Memory files'],
    ['/statistics', 'Statistics'],
    ['/settings', 'Settings'],
    ['/care', 'Health'],
    ['/care?tab=age', 'Retention'],
    ['/care?tab=move', 'Export and import'],
    ['/care?tab=remotes', 'Remotes'],
    ['/care?tab=purge', 'Purge'],
    ['/care?tab=models', 'Models'],
    ['/care?tab=history', 'History'],
  ];

  test('every view: nothing hostile runs, axe finds nothing serious, it fits 380 pixels', async () => {
    const found: string[] = [];
    await page.evaluate(AXE);
    for (const [n, [view, heading]] of views().entries()) {
      // As a link inside the page does, so that axe is loaded once.
      await page.evaluate((to) => {
        history.pushState(null, '', to);
        dispatchEvent(new PopStateEvent('popstate', { state: null }));
      }, view);
      await page
        .locator('main h1, main nav [aria-current=page]')
        .getByText(heading, { exact: true })
        .waitFor();
      await page.locator('main [role=status]:has-text("Loading")').first().waitFor({ state: 'detached' });
      const theme = n % 2 === 0 ? 'dark' : 'light';
      await page.evaluate((name) => document.documentElement.setAttribute('data-theme', name), theme);
      found.push(...(await page.evaluate(seriousFindings)).map((it) => `${theme} ${view}: ${it}`));
      found.push(...(await page.evaluate(slipped)).map((it) => `${view}: ${it}`));
      found.push(...(await page.evaluate(unfit)).map((it) => `${view}: ${it}`));
      await page.setViewportSize({ width: 380, height: 760 });
      found.push(...(await page.evaluate(unfit)).map((it) => `${view} at 380: ${it}`));
      await page.setViewportSize({ width: 1280, height: 800 });
    }
    expect(found).toEqual([]);
  });
});

type Violation = { id: string; impact: string; nodes: { html: string; failureSummary: string }[] };
type Axe = { run(on: Document, options: object): Promise<{ violations: Violation[] }> };

/** Runs in the page. */
async function seriousFindings(): Promise<string[]> {
  const { axe } = window as unknown as { axe: Axe };
  const { violations } = await axe.run(document, {
    resultTypes: ['violations'],
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'],
  });
  return violations
    .filter((it) => it.impact === 'serious' || it.impact === 'critical')
    .flatMap((it) =>
      it.nodes
        .slice(0, 3)
        .map((node) => `${it.id}: ${node.html.slice(0, 200)} ${node.failureSummary.slice(0, 250)}`),
    );
}

/** Runs in the page: what of the payloads became part of it, instead of text in it. */
function slipped(): string[] {
  const strange = document.querySelectorAll(
    'iframe, object, embed, base, form[action], body style, body script:not([src^="/assets/"]), img:not([src="/keepsake.svg"]), [onerror], [onload], [onfocus], [ontoggle], [srcdoc]',
  );
  const links = [...document.querySelectorAll<HTMLAnchorElement>('a[href]')].filter(
    (it) => !/^(https?:|mailto:)/.test(it.href),
  );
  const { ran = [] } = window as { ran?: unknown[] };
  return [...[...strange, ...links].map((it) => it.outerHTML.slice(0, 200)), ...ran.map(String)];
}
