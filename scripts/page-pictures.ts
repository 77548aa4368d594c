// Makes docs/pictures/*.png: the current page with the sample project; all pictures, or the named one.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { chromium, type Page } from 'playwright-core';
import { browserPath } from '../test/made/browser.ts';

const root = join(import.meta.dirname, '..');
const scratch = mkdtempSync(join(tmpdir(), 'keepsake-pictures-'));
const PROJECT = '-home-ada-bakery';
const CWD = '/home/ada/bakery';
const SESSION = 'ff9009f8-669d-416d-ad65-47a03811759d';
const at = (tab: string) => `/memory/${PROJECT}/sessions/${SESSION}/${tab}`;

/** Name, address, and the steps before the picture is taken. */
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
      await page.getByRole('region', { name: 'Text preview' }).waitFor();
      await page.locator('section[aria-label=Preview][aria-busy=false] [data-bars]').waitFor();
    },
  ],
  ['compare', at('compare')],
  ['composition-builder', `/compositions/new?name=bakery-context&budget=4000&sessions=${PROJECT}/${SESSION}`],
  ['composition', `/compositions/${PROJECT}/bakery/text`],
  ['search', '/search?q=pickup+slots&kinds=all'],
  ['facts', `/facts?project=${PROJECT}`],
  ['injections', '/injections'],
  ['replay', `/replay?project=${PROJECT}`],
  ['team', `/team?project=${PROJECT}&who=pickup&state=all`],
  [
    'files',
    `/touched?project=${PROJECT}`,
    (page) =>
      page
        .getByRole('list', { name: 'Files' })
        .getByRole('button', { name: /^slots\.ts/ })
        .click(),
  ],
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
/** Prompts of new sessions that hooks answer from memory. */
const PROMPTS = [
  'How are pickup slots stored when the clocks change?',
  'Why is the database locked during the nightly report?',
];

/** Sends the events of a session as the plugin does. */
async function newSession(session: string, prompt: string): Promise<void> {
  const common = {
    session_id: session,
    cwd: CWD,
    transcript_path: join(scratch, 'claude', 'projects', PROJECT, `${session}.jsonl`),
  };
  for (const event of [
    { hook_event_name: 'SessionStart', source: 'startup' },
    { hook_event_name: 'UserPromptSubmit', prompt },
  ])
    await hooked(JSON.stringify({ ...common, ...event }));
}
function hooked(event: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const run = spawn(process.execPath, [join(root, 'bin', 'keepsake'), 'hook'], {
      env,
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    run.stdin.end(event);
    run.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`keepsake hook: ${code}`))));
  });
}
async function factOf(content: string): Promise<string> {
  const run = keepsake('facts', '--project', PROJECT, '--json');
  const { items } = (await json(run.stdout)) as { items: { id: string; content: string }[] };
  return items.find((it) => it.content === content)?.id ?? '';
}
function ended(...args: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const run = keepsake(...args);
    run.stdout.resume();
    run.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`keepsake ${args[0]}: ${code}`))));
  });
}

await ended('sync');
for (const level of ['moderate', 'aggressive']) await ended('compress', SESSION, '--level', level);
await ended('compose', 'bakery', '--latest', '4', '--budget', '6000', '--project', PROJECT);
await ended('replay', '--project', PROJECT);
const said = 'Prices are stored as whole cents.';
await ended('facts', 'add', said, '--project', PROJECT);
await ended('facts', 'promote', await factOf(said));
for (const [at, prompt] of PROMPTS.entries())
  await newSession(`00000000-0000-4000-8000-00000000000${at}`, prompt);
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
    server.once('exit', () => reject(new Error('The server stopped unexpectedly.')));
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
