import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { preparePurge } from '../../src/app/purge/purge.ts';
import { addRemote } from '../../src/app/remote/add-remote.ts';
import { approveRemote, shareProjects } from '../../src/app/remote/share.ts';
import { syncRemote } from '../../src/app/remote/sync-remote.ts';
import { sync } from '../../src/app/sync/sync.ts';
import { browserPath } from '../made/browser.ts';
import { type OpenPage, openPage, putSession } from '../made/open-page.ts';
import { makeWorld } from '../made/world.ts';

const path = browserPath();
const TOKEN = `ghp_${'a1B2c3D4e5'.repeat(4)}`.slice(0, 40);

/** Another machine of the same user that sent a session and purged a text of it. */
async function secondMachine(store: string, key: string): Promise<void> {
  const world = makeWorld();
  const { machineName: _, ...remotes } = await world.remotes!();
  const second = { ...world, remotes: async () => ({ ...remotes, machineName: () => 'second' }) };
  try {
    const cwd = join(world.places.home, 'ferry');
    putSession(world, cwd, 'session-2', [
      { you: 'The pilot is Brunhilde.', agent: 'Noted.', at: '2026-01-02T10:00:00.000Z' },
    ]);
    await sync(second);
    await addRemote(second, { address: store, key });
    await shareProjects(second, { all: true });
    await approveRemote(second);
    await syncRemote(second, 'home');
    await (await preparePurge(second, { kind: 'text', text: 'Brunhilde' })).carryOut();
    await syncRemote(second, 'home');
  } finally {
    await world.remove();
  }
}

describe.skipIf(path === undefined)('the page and remotes (skipped where there is no Chromium)', () => {
  let opened: OpenPage;
  let page: Page;
  const button = (name: string) => page.getByRole('button', { name, exact: true });

  beforeAll(async () => {
    opened = await openPage(path ?? '', async (world) => {
      const cwd = join(world.places.home, 'shop');
      mkdirSync(cwd, { recursive: true });
      putSession(world, cwd, 'session-1', [
        { you: `Deploy with ${TOKEN}.`, agent: 'Done.', at: '2026-01-01T10:00:00.000Z' },
      ]);
      await sync(world);
      const store = join(world.places.home, 'store');
      const { key } = await addRemote(world, { address: store });
      await shareProjects(world, { all: true });
      await secondMachine(store, key ?? '');
    });
    page = opened.page;
  });
  afterAll(() => opened?.close());

  test('shows what would be sent, with masked places, sends it after a confirmation, and names the machines', async () => {
    await opened.open('/care?tab=remotes');
    const machines = page.getByRole('list', { name: 'Machines of home' });
    await machines.getByText('(this machine): sent nothing yet').waitFor();
    await page.getByText('waiting for approval').waitFor();
    await button('Preview').click();
    const leaving = page.getByRole('list', { name: 'Leaving to home' });
    await leaving.getByText('1 masked place').waitFor();
    expect(await leaving.innerText()).toContain('Deploy with');
    expect(await page.content()).not.toContain(TOKEN);
    await button('Approve').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await page.getByText('waiting for approval').waitFor({ state: 'detached' });
    await button('Sync').click();
    await machines.getByText('(this machine): last sent').waitFor();
    await page.getByRole('list', { name: 'Purges of home' }).getByText('2 of 2 machines confirmed').waitFor();
    expect(opened.wrong).toEqual([]);
  });
});
