// Makes docs/pictures/*.png: the current page with the sample project; all pictures, or the named one.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { chromium, type Page } from 'playwright-core';
import { browserPath } from '../test/made/browser.ts';

const root = join(import.meta.dirname, '..');
const scratch = mkdtempSync(join(tmpdir(), 'keepsake-pictures-'));
/** The sample is in a real folder, since a journal is written into one; pictures show its own path. */
const HOME = '/home/ada';
const home = join(scratch, HOME);
const CWD = join(home, 'bakery');
const PROJECT = '-home-ada-bakery';
const REAL_PROJECT = CWD.replaceAll(/[^a-zA-Z0-9]/g, '-');
const SESSION = '0f394f57-10c4-494f-a1b6-9dd70dd0cb65';
const at = (tab: string) => `/memory/${PROJECT}/sessions/${SESSION}/${tab}`;

/** Name, address, and the steps before the picture is taken. */
const PICTURES: [name: string, path: string, act?: (page: Page) => Promise<void>][] = [
  ['home', '/memory'],
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
  ['keepits', '/keepits'],
  ['facts', `/facts?project=${PROJECT}`],
  [
    'concepts',
    `/concepts?project=${PROJECT}`,
    (page) =>
      page
        .getByRole('main')
        .getByRole('button', { name: /^Outbox table/ })
        .click(),
  ],
  ['journal', `/journal?project=${PROJECT}`],
  ['memory-files', `/files?project=${PROJECT}`],
  ['injections', '/injections'],
  ['replay', `/replay?project=${PROJECT}`],
  ['team', `/team?project=${PROJECT}&who=pickup&state=all`],
  [
    'files',
    `/touched?project=${PROJECT}`,
    async (page) => {
      const filter = page.getByPlaceholder('Part of a path');
      await filter.fill('slot');
      await page
        .getByRole('list', { name: 'Files' })
        .getByRole('button', { name: /^slots\.ts/ })
        .click();
      await filter.blur();
    },
  ],
  ['statistics', '/statistics'],
  ['retention', '/maintenance?tab=age'],
  ['remotes', '/maintenance?tab=remotes'],
  ['history', '/maintenance?tab=history'],
];

/** What somebody asks in sessions that continue now: hooks answer it from memory. */
const PROMPTS: [session: string, prompt: string][] = [
  [SESSION, 'How are pickup slots stored when the clocks change?'],
  ['1cfbcbc0-628e-4618-a62d-7c69247ddf3b', 'Why was the database locked while the backup ran?'],
];
/** As if the agent had written its oldest files weeks ago. */
const WEEKS_AGO = new Date(Date.now() - 25 * 86_400_000);

const transcripts = join(scratch, 'claude', 'projects', PROJECT);
cpSync(join(root, 'sample', 'projects', '-home-ada-bakery'), transcripts, { recursive: true });
for (const file of readdirSync(transcripts, { recursive: true, encoding: 'utf8' }))
  if (file.endsWith('.jsonl')) {
    const path = join(transcripts, file);
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(`${HOME}/`, `${home}/`));
    if (/^(?:c1c88688|e65bbd50|64dbca98)/.test(file)) utimesSync(path, WEEKS_AGO, WEEKS_AGO);
  }
mkdirSync(CWD, { recursive: true });
const env = {
  PATH: process.env.PATH,
  HOME: home,
  CLAUDE_MEMORY_DIR: join(home, '.claude-memory'),
  CLAUDE_CONFIG_DIR: join(scratch, 'claude'),
  TZ: 'UTC',
};
function keepsake(...args: string[]): ChildProcessByStdio<null, Readable, null> {
  const command = [join(root, 'bin', 'keepsake'), ...args];
  return spawn(process.execPath, command, { cwd: CWD, env, stdio: ['ignore', 'pipe', 'inherit'] });
}
/** An answer as the sample's own machine would give it. */
function asInSample(text: string): string {
  return text
    .replaceAll(home, HOME)
    .replaceAll(REAL_PROJECT, PROJECT)
    .replaceAll(JSON.stringify(hostname()), '"laptop"');
}
/** Sends the events of a session as the plugin does. */
async function newSession(session: string, prompt: string): Promise<void> {
  const common = {
    session_id: session,
    cwd: CWD,
    transcript_path: join(transcripts, `${session}.jsonl`),
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
  const run = keepsake('facts', '--project', 'bakery', '--json');
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
await ended('compose', 'bakery', '--latest', '4', '--budget', '6000', '--project', 'bakery');
await ended('replay', '--project', 'bakery');
await ended('facts', 'promote', await factOf('From now on never print .env, read the names only.'));
for (const file of readdirSync(transcripts))
  if (file.endsWith('.jsonl')) await ended('summarize', file.slice(0, -'.jsonl'.length), '--yes');
await ended('synthesize', '--yes');
await ended('remote', 'add', join(home, 'Sync', 'memory'));
await ended('remote', 'share', 'bakery');
await ended('remote', 'approve');
await ended('remote', 'sync');
for (const [session, prompt] of PROMPTS) await newSession(session, prompt);
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
  await page.route('**/api/memory/**', async (route) => {
    const request = route.request();
    const postData = request.postData()?.replaceAll(PROJECT, REAL_PROJECT);
    const asked = { url: request.url().replaceAll(PROJECT, REAL_PROJECT), ...(postData ? { postData } : {}) };
    const response = await route.fetch(asked);
    if (!response.headers()['content-type']?.includes('json')) return route.fulfill({ response });
    await route.fulfill({ response, body: asInSample(await response.text()) });
  });
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
