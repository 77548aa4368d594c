import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addFact } from '../../src/app/layers/facts-edit.ts';
import { sync } from '../../src/app/sync/sync.ts';
import { listTeamFacts } from '../../src/app/team/team-facts.ts';
import { browserPath } from '../made/browser.ts';
import { type OpenPage, openPage, putSession } from '../made/open-page.ts';

const path = browserPath();
const OFFERS = [
  'Invoices have gaps in their numbers.',
  'The nightly job takes 40 minutes.',
  'The orders table has 40 million rows.',
  'Always run the deploy script before a commit.',
];

describe.skipIf(path === undefined)('the page of a team (skipped where there is no Chromium)', () => {
  let opened: OpenPage;
  let page: Page;
  const card = (text: string) => page.getByRole('article').filter({ hasText: text });
  const states = async () =>
    Object.fromEntries((await listTeamFacts(opened.world)).map(({ content, state }) => [content, state]));

  beforeAll(async () => {
    opened = await openPage(path ?? '', async (world) => {
      const cwd = join(world.places.home, 'shop');
      const project = putSession(world, cwd, 'session-1', [
        { you: 'How is the price rounded?', agent: 'In price.ts, to cents.', at: '2026-01-01T10:00:00.000Z' },
      ]);
      putSession(world, cwd, 'session-2', [
        { you: 'Where is the harbor map?', agent: 'In maps/harbor.svg.', at: '2026-01-02T10:00:00.000Z' },
      ]);
      await sync(world);
      // As imports leave it: a session and offers of anna's.
      await world.archive.change(project, [{ at: ['sessions', 'session-2'], merge: { by: 'anna' } }], []);
      for (const [at, content] of OFFERS.entries()) {
        const edit = {
          editId: `fe_${at}aaaaaa`,
          at: world.clock.now(),
          factId: `m_${at}`,
          by: 'user',
          author: 'anna',
          action: 'promote',
          kind: 'fact',
          content,
        };
        await world.archive.change(project, [{ at: ['factEdits'], append: edit, unique: 'editId' }], []);
      }
      await addFact(world, { content: 'Prices are stored in cents.', kind: 'decision', project });
    });
    page = opened.page;
  });
  afterAll(() => opened?.close());

  test('offers of colleagues are accepted, corrected and refused', async () => {
    await opened.open('/team');
    expect(await card(OFFERS[3]!).innerText()).toContain('never injected');
    await card(OFFERS[0]!).getByRole('button', { name: 'Accept' }).click();
    await card(OFFERS[0]!).waitFor({ state: 'detached' });
    await card(OFFERS[1]!).getByRole('button', { name: 'Correct' }).click();
    await page.getByLabel('The right words').fill('The nightly job takes 50 minutes.');
    await page.getByRole('button', { name: 'Accept in these words' }).click();
    await card(OFFERS[1]!).waitFor({ state: 'detached' });
    await card(OFFERS[2]!).getByRole('button', { name: 'Refuse' }).click();
    await page.getByLabel('Why it is not right').fill('It was cut.');
    await page.getByRole('button', { name: 'Refuse it' }).click();
    await card(OFFERS[2]!).waitFor({ state: 'detached' });
    expect(await states()).toEqual({
      [OFFERS[0]!]: 'accepted',
      'The nightly job takes 50 minutes.': 'accepted',
      [OFFERS[2]!]: 'refused',
      [OFFERS[3]!]: 'offered',
    });
    await page.getByRole('button', { name: 'All', exact: true }).click();
    await card('The nightly job takes 50 minutes.')
      .getByText(/accepted by you/)
      .waitFor();
    expect(await card(OFFERS[2]!).innerText()).toContain('It was cut.');
    expect(opened.wrong).toEqual([]);
  });

  test("the user's own fact is offered from its menu, and its author cannot review it", async () => {
    await opened.open('/facts');
    await card('Prices are stored in cents.').getByRole('button', { name: 'More about this fact' }).click();
    await page.getByRole('menuitem', { name: 'Offer to the team' }).click();
    await page.getByText('Offered to the team: it leaves with the next sync.', { exact: true }).waitFor();
    await opened.open('/team?state=all');
    const own = card('Prices are stored in cents.');
    await own.getByText('by you').waitFor();
    expect(await own.getByRole('button').count()).toBe(0);
    expect(opened.wrong).toEqual([]);
  });

  test('who knows a topic: people with their sessions, and what was decided', async () => {
    await opened.open('/team');
    await page.getByLabel('Topic or file').fill('harbor map');
    const people = page.getByRole('list', { name: 'People' });
    await people.getByText('anna').waitFor();
    await page.getByLabel('Topic or file').fill('price');
    await people.getByText('You', { exact: true }).waitFor();
    await page.getByRole('heading', { name: 'Decisions' }).waitFor();
    await page.getByText('Prices are stored in cents.').first().waitFor();
    await people.getByRole('link').first().click();
    await page.waitForURL(/\/sessions\/session-1\/overview/);
    expect(opened.wrong).toEqual([]);
  });
});
