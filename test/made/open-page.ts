import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { type ProjectId, sanitizePath } from '../../src/core/model/ids.ts';
import { type Serving, serve } from '../../src/entrypoints/http/serve.ts';
import { addressOf } from '../../src/entrypoints/http/server-record.ts';
import { siteAt } from '../../src/entrypoints/http/site.ts';
import { openBrowser, PAGE_PATIENCE_MS } from './browser.ts';
import { builtPage } from './built-page.ts';
import { type Turn, transcript } from './conversation.ts';
import { makeWorld, type TestWorld } from './world.ts';

/** A real server on a real archive, and a browser with its page open. */
export type OpenPage = {
  world: TestWorld;
  page: Page;
  context: BrowserContext;
  origin: string;
  /** The server's long work. */
  jobs: Serving['jobs'];
  /** What went wrong in the page: errors, refused scripts and styles. */
  wrong: string[];
  /** Goes to an address inside the page. */
  open(path: string): Promise<void>;
  close(): Promise<void>;
};

export async function openPage(
  browser: string,
  fill: (world: TestWorld) => Promise<void>,
): Promise<OpenPage> {
  const world = makeWorld();
  // Of a copy: a build beside the tests does not pull the page away from under them.
  const site = join(world.places.home, 'site');
  cpSync(builtPage(), site, { recursive: true });
  await fill(world);
  const wrong: string[] = [];
  const serving: Serving = await serve({
    world,
    version: '0.0.0',
    site: siteAt(site),
    port: 0,
    failed: (error) => wrong.push(`server: ${error instanceof Error ? error.stack : String(error)}`),
  });
  const opened: Browser = await openBrowser(browser);
  const context = await opened.newContext({ viewport: { width: 1280, height: 800 } });
  context.setDefaultTimeout(PAGE_PATIENCE_MS);
  const page = await context.newPage();
  // A notice is there twice for a moment: once more for screen readers.
  const getByText = page.getByText.bind(page);
  page.getByText = (...asked) => getByText(...asked).and(page.locator(':not([role=alert][data-hidden])'));
  page.on('pageerror', (error) => wrong.push(`page: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') wrong.push(`console: ${message.text()} ${message.location().url}`);
  });
  await page.goto(addressOf(serving.record));
  const origin = `http://127.0.0.1:${serving.record.port}`;
  return {
    world,
    page,
    context,
    origin,
    jobs: serving.jobs,
    wrong,
    open: async (path) => {
      await page.goto(origin + path);
      // Before that keys are nobody's.
      await page.locator('[data-frame]').waitFor({ state: 'detached' });
    },
    close: async () => {
      await opened.close();
      await serving.close();
      await world.remove();
    },
  };
}

/** Writes a session as the agent would; gives the id of its project. */
export function putSession(world: TestWorld, cwd: string, session: string, turns: Turn[]): ProjectId {
  const folder = join(world.projects, sanitizePath(cwd));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${session}.jsonl`), transcript(cwd, session, turns));
  return sanitizePath(cwd);
}
