import { readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axeCore from 'axe-core';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { compressSession } from '../../src/app/compress/compress.ts';
import { addFact } from '../../src/app/layers/facts-edit.ts';
import { sync } from '../../src/app/sync/sync.ts';
import type { ProjectId, SessionId } from '../../src/core/model/ids.ts';
import { browserPath } from '../made/browser.ts';
import { chooseOption } from '../made/choose-option.ts';
import { type OpenPage, openPage, putSession } from '../made/open-page.ts';

const path = browserPath();
const talk = (about: string) =>
  Array.from({ length: 30 }, (_, n) => `The ${about} has a detail ${n}, in src/${about}-${n}.ts.`).join(
    '\n\n',
  );
const uploads = () => readdirSync(tmpdir()).filter((name) => name.startsWith('keepsake-upload-'));

describe.skipIf(path === undefined)('the controls of the page (skipped where there is no Chromium)', () => {
  let opened: OpenPage;
  let page: Page;
  let project: ProjectId;

  beforeAll(async () => {
    opened = await openPage(path ?? '', async (world) => {
      project = putSession(world, '/home/ada/shop', 'one', [
        { you: 'What is the quimble?', agent: 'The quimble turns the mill.' },
        { you: 'How do we round prices?', agent: talk('rounding') },
        { you: 'And the basket?', agent: talk('basket') },
      ]);
      putSession(world, '/home/ada/mill', 'two', [{ you: 'How is the mill driven?', agent: talk('water') }]);
      await sync(world);
      await compressSession(world, { session: 'one' as SessionId, project }, { ratio: 10 });
      for (let n = 0; n < 30; n++)
        await addFact(world, {
          project,
          kind: 'decision',
          content: `Decision ${n}: shelves have ${n} boards.`,
        });
    });
    page = opened.page;
  });
  afterAll(() => opened?.close());
  beforeEach(() => {
    opened.wrong.length = 0;
    return () => expect(opened.wrong).toEqual([]);
  });
  const at = (tab: string) => `/memory/${project}/sessions/one/${tab}`;
  const button = (name: string | RegExp, inside: Page | Locator = page) =>
    inside.getByRole('button', { name, exact: typeof name === 'string' }).first();
  const axe = async (): Promise<string[]> => {
    await page.evaluate(axeCore.source);
    return page.evaluate(async () => {
      type Found = { violations: { id: string; impact: string }[] };
      const { run } = (window as unknown as { axe: { run(): Promise<Found> } }).axe;
      const { violations } = await run();
      return violations.filter(({ impact }) => /serious|critical/.test(impact)).map(({ id }) => id);
    });
  };

  test('a select is searched by typing and used by keyboard, and no native select is left', async () => {
    await opened.open('/facts');
    const field = page.getByRole('combobox', { name: 'Project', exact: true });
    await field.focus();
    await page.keyboard.press('ArrowDown');
    const search = page.getByRole('combobox', { name: 'Search Project' });
    await search.waitFor();
    expect(await axe()).toEqual([]);
    await page.keyboard.type('mill');
    await expect.poll(() => page.getByRole('option').count()).toBe(1);
    await page.keyboard.press('Enter');
    await page.waitForURL(/project=-home-ada-mill/);
    await field.filter({ hasText: 'mill' }).waitFor();
    await expect.poll(() => field.evaluate((it) => it === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await search.waitFor();
    await page.keyboard.type('nowhere');
    await page.getByText('Nothing found.').waitFor();
    await page.keyboard.press('Escape');
    await search.waitFor({ state: 'detached' });
    for (const view of ['/settings', '/keepits', '/care?tab=models', at('compare')]) {
      await opened.open(view);
      await page.getByRole('combobox').first().waitFor();
      expect(await page.locator('select').count(), view).toBe(0);
    }
  });

  test('selected words of a message offer Keep beside them, by mouse and keyboard', async () => {
    await opened.open(at('messages'));
    const words = page.getByText('The quimble turns the mill.').first();
    await words.scrollIntoViewIfNeeded();
    await words.selectText();
    await button('Keep the selected words').click();
    const editor = page.getByRole('form', { name: 'Keep these words' });
    await editor.getByText('The quimble turns the mill.').waitFor();
    await page.keyboard.press('Escape');
    await editor.waitFor({ state: 'detached' });
    await words.selectText();
    await button('Keep the selected words').waitFor();
    await page.keyboard.press('e');
    await editor.waitFor();
    await page.keyboard.press('Escape');
    await page.evaluate(() => getSelection()?.removeAllRanges());
    await button('Keep the selected words').waitFor({ state: 'detached' });
  });

  test('Create compression offers messages, engine, model and mode, and previews the text', async () => {
    await opened.open(at('overview'));
    await button('Create compression').click();
    const dialog = page.getByRole('dialog', { name: /Create compression/ });
    const text = dialog.getByRole('region', { name: 'Text preview' });
    await text.getByText('How do we round prices?').first().waitFor();
    await dialog.locator('[data-bars]').waitFor();
    // One control says how small; what else has a level says what it is about. The outcome is beside the button.
    await dialog.getByRole('group', { name: 'How small' }).getByRole('spinbutton').waitFor();
    expect(await dialog.getByText('Aggressiveness').count()).toBe(0);
    await dialog.getByRole('combobox', { name: 'Decay of keepits' }).waitFor();
    await expect.poll(() => dialog.locator('[data-result]').innerText()).toMatch(/ to .* tokens$/);
    const before = await text.innerText();
    await button('Aggressive 30:1', dialog).click();
    await expect.poll(() => text.innerText()).not.toBe(before);
    expect(await axe()).toEqual([]);
    await button('Only what is new', dialog).click();
    await dialog.getByText('Delta: nothing is new since part 1.').waitFor();
    await dialog.getByRole('alert').filter({ hasText: 'Nothing new to compress.' }).waitFor();
    await button('Everything', dialog).click();
    await button('Model', dialog).click();
    // Without a model there is none to choose, nothing is asked for, and nothing can be created.
    await dialog.getByText(/^No model is set up\./).waitFor();
    await dialog.getByRole('alert').filter({ hasText: 'No version can be created' }).waitFor();
    expect(await dialog.getByRole('combobox', { name: 'Model' }).count()).toBe(0);
    expect(await button('Create compression', dialog).isDisabled()).toBe(true);
    await button('Offline', dialog).click();
    await text.waitFor();
    await button('Create compression', dialog).click();
    // What is done leads on, in a place of its own below the view.
    await button('Compare').click();
    await page.waitForURL(/\/compare\?to=part1_v002/);
  });

  test('a toast covers nothing: it has its own place below the view', async () => {
    await opened.open('/facts');
    await page
      .getByText(/^Decision \d+: shelves/)
      .first()
      .waitFor();
    await button('Add fact').click();
    await page.getByLabel('Fact', { exact: true }).fill('Shelves are oak.');
    await chooseOption(page.getByRole('dialog').getByRole('combobox', { name: 'Project' }), project);
    await button('Add fact', page.getByRole('dialog')).click();
    const toast = page.getByRole('listitem').filter({ hasText: 'Remembered.' });
    await toast.waitFor();
    const [above, below] = [await page.locator('#content').boundingBox(), await toast.boundingBox()];
    expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual((below?.y ?? 0) + 1);
    await button('Open', toast).click();
    await page.waitForURL(/fact=/);
    await page.locator('article').filter({ hasText: 'Shelves are oak.' }).waitFor();
  });

  test('a composition shows skeletons while it is computed', async () => {
    const seen = Promise.withResolvers<void>();
    await page.route('**/api/memory/compose/preview', async (route) => {
      await seen.promise;
      await route.continue();
    });
    await opened.open(`/compositions/new?name=x&sessions=${project}/one`);
    await page.locator('[data-skeleton]').first().waitFor();
    seen.resolve();
    await page.getByText('up to date').waitFor();
    expect(await page.locator('[data-skeleton]').count()).toBe(0);
    await page.unroute('**/api/memory/compose/preview');
  });

  test('a bundle is exported to a chosen file, dropped on the page and imported; nothing is left behind', async () => {
    const before = uploads();
    await opened.open('/care?tab=move');
    // The browser's own chooser can't be driven: a stand-in takes the bytes.
    await page.evaluate(() => {
      const parts: number[][] = [];
      Object.assign(window, {
        saved: parts,
        showSaveFilePicker: async () => ({
          createWritable: async () =>
            new WritableStream({ write: (part: Uint8Array) => void parts.push([...part]) }),
        }),
      });
    });
    await button('Export everything').click();
    await page.getByText('The file is saved.', { exact: true }).waitFor();
    const bytes = Buffer.from(
      await page.evaluate(() => (window as unknown as { saved: number[][] }).saved.flat()),
    );
    const transfer = await page.evaluateHandle((content) => {
      const data = new DataTransfer();
      const raw = Uint8Array.from(atob(content), (it) => it.charCodeAt(0));
      data.items.add(new File([raw], 'all.keepsake.gz'));
      return data;
    }, bytes.toString('base64'));
    const zone = page.getByText('or drop a .keepsake.gz file here');
    await zone.dispatchEvent('drop', { dataTransfer: transfer });
    await page
      .getByText(/0 new sessions, 1 known/)
      .first()
      .waitFor();
    await button('Import').click();
    await page.getByText('0 sessions imported.', { exact: true }).waitFor();
    await expect.poll(uploads).toEqual(before);
  });

  test('chats are imported with the file chooser, into a new project', async () => {
    await opened.open('/care?tab=move');
    const file = join(opened.world.places.home, 'chat.jsonl');
    const line = (role: string, text: string) => JSON.stringify({ ts: '2026-01-05T10:00:00Z', role, text });
    writeFileSync(file, `${line('user', 'How is bread made?')}\n${line('assistant', 'With flour.')}\n`);
    await page.getByLabel('Choose chat files').and(page.locator('input')).setInputFiles(file);
    await page.getByLabel('Name', { exact: true }).fill('support');
    await button('Import').click();
    await page.getByText('1 new chat, 0 grown.', { exact: true }).waitFor();
    await button('Open').click();
    await page.getByText('How is bread made?').first().waitFor();
  });

  test('pickers select what to purge, without typing an id', async () => {
    await opened.open('/care?tab=purge');
    await page.getByText('A message', { exact: true }).click();
    await chooseOption(page.getByRole('combobox', { name: 'Project' }), project);
    await chooseOption(page.getByRole('combobox', { name: 'Session' }), 'one');
    await page.getByRole('combobox', { name: 'Message' }).click();
    await page.keyboard.type('quimble turns');
    await page.getByRole('option', { name: /quimble turns/ }).waitFor();
    await page.keyboard.press('Enter');
    await button('Find every place').click();
    await page.getByText(/^Found \d+ times? in \d+ files?\.$/).waitFor();
    await button('Purge for good').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Purge for good' }).click();
    await page.getByText(/^Purged: \d+ places? deleted\.$/).waitFor();
  });

  test('author and agent of a search are selected from those in the archive', async () => {
    await opened.open('/search?q=mill');
    await page
      .getByRole('link', { name: /How is the mill driven/ })
      .first()
      .waitFor();
    await page.locator('summary', { hasText: 'Filters' }).click();
    await chooseOption(page.getByRole('combobox', { name: 'Agent' }), 'claude-code');
    await page.waitForURL(/agent=claude-code/);
    await chooseOption(page.getByRole('combobox', { name: 'Person' }), 'me');
    await page.waitForURL(/by=me/);
    await page
      .getByRole('link', { name: /How is the mill driven/ })
      .first()
      .waitFor();
    await button('Everything').click();
    await page.waitForURL(/kinds=all/);
  });

  test('a bar of the timeline is selected by keyboard; an unknown tab of maintenance opens Health', async () => {
    await opened.open(`/memory/${project}/overview`);
    const bar = page
      .getByRole('listbox', { name: /Sessions by/ })
      .getByRole('option')
      .first();
    await bar.focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/days=/);
    expect(await bar.getAttribute('aria-selected')).toBe('true');
    await opened.open('/maintenance?tab=nonsense');
    await page.getByRole('link', { name: 'Health', exact: true, includeHidden: false }).waitFor();
    expect(await page.locator('nav[aria-label=Maintenance] [aria-current=page]').textContent()).toContain(
      'Health',
    );
  });

  test('folded lines of a comparison can be unfolded', async () => {
    await opened.open(at('compare'));
    const more = button('Show all');
    await more.click();
    expect(await button('Show less').getAttribute('aria-expanded')).toBe('true');
  });
});
