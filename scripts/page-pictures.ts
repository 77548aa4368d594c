// docs/pictures/*.png: the page as it is, with the sample project; all, or the one that is named.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { chromium, type Page } from 'playwright-core';
import { browserPath } from '../test/made/browser.ts';

const root = join(import.meta.dirname, '..');
const scratch = mkdtempSync(join(tmpdir(), 'keepsake-pictures-'));
const PROJECT = '-home-ada-bakery';
const SESSION = 'ff9009f8-669d-416d-ad65-47a03811759d';
const at = (tab: string) => `/memory/${PROJECT}/sessions/${SESSION}/${tab}`;

/** Name, address, and what is done there before the picture is taken. */
const PICTURES: [name: string, path: string, act?: (page: Page) => Promise<void>][] = [
  ['project', `/memory/${PROJECT}/overview`],
  ['project-dark', `/memory/${PROJECT}/overview`],
  ['session', at('overview')],
  [
    'keepit',
    at('messages'),
    (page) =>
      page
        .getByRole('button', { name: /edit the keepit/ })
        .first()
        .click(),
  ],
  [
    'compression',
    at('overview'),
    async (page) => {
      await page.getByRole('button', { name: 'Create compression' }).first().click();
      await page.getByRole('region', { name: 'The text it will make' }).waitFor();
    },
  ],
  ['compare', at('compare')],
  ['composition-builder', `/compositions/new?name=bakery-context&budget=4000&sessions=${PROJECT}/${SESSION}`],
  ['facts', `/facts?project=${PROJECT}`],
  ['statistics', '/statistics'],
];

cpSync(join(root, 'sample', 'projects'), join(scratch, 'claude', 'projects'), { recursive: true });
const env = {
  PATH: process.env.PATH,
  HOME: scratch,
  CLAUDE_MEMORY_DIR: join(scratch, 'archive'),
  CLAUDE_CONFIG_DIR: join(scratch, 'claude'),
  TZ: 'UTC',
};
function keepsake(...args: string[]): ChildProcessByStdio<null, Readable, null> {
  const command = [join(root, 'bin', 'keepsake'), ...args];
  return spawn(process.execPath, command, { env, stdio: ['ignore', 'pipe', 'inherit'] });
}
function ended(...args: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const run = keepsake(...args);
    run.stdout.resume();
    run.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`keepsake ${args[0]}: ${code}`))));
  });
}

await ended('sync');
await ended('compress', SESSION, '--level', 'moderate');
const server = keepsake('ui', '--no-open', '--port', '0', '--json');
const browser = await chromium.launch({ executablePath: browserPath() ?? '', args: ['--no-sandbox'] });
try {
  const url = await new Promise<string>((resolve, reject) => {
    let text = '';
    server.stdout.on('data', (part: Buffer) => {
      text += String(part);
      const [, found] = /"url":\s*"([^"]+)"/.exec(text) ?? [];
      if (found) resolve(found);
    });
    server.once('exit', () => reject(new Error('The server ended.')));
  });
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, timezoneId: 'UTC' });
  const page = await context.newPage();
  await page.goto(url);
  for (const [name, path, act] of PICTURES) {
    if (process.argv[2] !== undefined && process.argv[2] !== name) continue;
    await page.emulateMedia({ colorScheme: name.endsWith('-dark') ? 'dark' : 'light' });
    await page.goto(new URL(path, url).href);
    await page.waitForLoadState('networkidle');
    await act?.(page);
    await page.waitForLoadState('networkidle');
    await page.waitForTimeout(1200);
    await page.screenshot({ path: join(root, 'docs', 'pictures', `${name}.png`) });
  }
} finally {
  await browser.close();
  server.kill();
  rmSync(scratch, { recursive: true, force: true });
}
