// Opens the page in a real Chromium: bytes of the first view, time until it is usable, main-thread time, memory.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { CDPSession, Page } from 'playwright-core';
import { sync } from '../src/app/sync/sync.ts';
import { browserPath } from '../test/made/browser.ts';
import { builtPage } from '../test/made/built-page.ts';
import { openPage, putSession } from '../test/made/open-page.ts';
import type { TestWorld } from '../test/made/world.ts';
import { isMain, mebibytes, table } from './bench-table.ts';
import { makeSessions } from './made-sessions.ts';

const OPENED = 100;
const TURNS = 30;
/** Turns, with two messages each. */
const LONG_TURNS = 10_000;
const PROJECT = '/memory/-srv-bench/overview';

export async function run(args: string[] = []): Promise<void> {
  const browser = browserPath();
  if (!browser) throw new Error('Chromium is not installed.');
  const beside = args.find((it) => it.startsWith('--beside='))?.slice('--beside='.length);
  if (beside) {
    console.log('the other build:');
    const other = spawnSync(process.execPath, ['bench/run.ts', 'page'], { cwd: beside, stdio: 'inherit' });
    if (other.status !== 0) throw new Error('The other build did not run.');
    console.log('\nthis build:');
  }
  const rows: string[][] = [];
  for (const sessions of [1000, 10_000]) rows.push(await firstView(browser, sessions));
  table(
    [
      'sessions',
      'baseline ms',
      'useful ms',
      'whole ms',
      'main thread ms',
      'script ms',
      'rows',
      'transferred kB',
    ],
    rows,
  );
  await longSession(browser);
  await memory(browser);
}

/** The baseline is the smallest page of the same server, in the same browser. */
async function firstView(browser: string, sessions: number): Promise<string[]> {
  const opened = await openPage(browser, async (world) => void (await makeSessions(world.archive, sessions)));
  const { page } = opened;
  try {
    // What the server reads for the first page it shows is not this view's.
    await page.waitForLoadState('networkidle');
    await page.addInitScript(WATCH);
    await page.goto(`${opened.origin}/api/docs.css`);
    const from = performance.now();
    await page.goto(`${opened.origin}/api/docs.css`);
    const floor = performance.now() - from;
    const metrics = await metricsOf(page);
    await opened.open(PROJECT);
    await page.waitForFunction(() => document.querySelectorAll('[role=option]').length > 0);
    await page.waitForFunction(
      (count) =>
        document.querySelector('section [role=status]')?.textContent?.replace(/\D/g, '') === String(count),
      sessions,
    );
    await page.waitForTimeout(1500);
    const useful = await page.evaluate(() => (window as unknown as { useful: number }).useful);
    const whole = await page.evaluate(() =>
      Math.max(
        ...performance
          .getEntriesByType('resource')
          .map((it) => (it as PerformanceResourceTiming).responseEnd),
      ),
    );
    const { TaskDuration = 0, ScriptDuration = 0 } = await metrics();
    const count = await page.locator('[data-row]').count();
    const bytes = await firstBytes(page);
    return [
      sessions,
      floor,
      useful,
      whole,
      TaskDuration * 1000,
      ScriptDuration * 1000,
      count,
      bytes / 1000,
    ].map((it) => it.toFixed(0));
  } finally {
    await opened.close();
  }
}

/** Sets `window.useful` when the first session is visible. */
const WATCH = `new MutationObserver((_, observer) => {
  if (!document.querySelector('[role=option]')) return;
  observer.disconnect();
  requestAnimationFrame(() => setTimeout(() => (window.useful = performance.now())));
}).observe(document, { childList: true, subtree: true });`;

/** The gzip size of the scripts and styles of the open view. */
async function firstBytes(page: Page): Promise<number> {
  const dist = builtPage();
  const names = await page.evaluate(() =>
    performance.getEntriesByType('resource').flatMap(({ name }) => /\/assets\/[^/]+$/.exec(name)?.[0] ?? []),
  );
  return [...new Set(names)].reduce((sum, name) => sum + gzipSync(readFileSync(join(dist, name))).length, 0);
}

async function metricsOf(page: Page): Promise<() => Promise<Record<string, number>>> {
  const session: CDPSession = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const read = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
  };
  const before = await read();
  return async () => {
    await session.send('HeapProfiler.collectGarbage');
    const now = await read();
    // Durations count from the start of the page's process; sizes are absolute.
    return {
      ...now,
      TaskDuration: (now.TaskDuration ?? 0) - (before.TaskDuration ?? 0),
      ScriptDuration: (now.ScriptDuration ?? 0) - (before.ScriptDuration ?? 0),
    };
  };
}

/** Opens one session with very many messages and scrolls through it. */
async function longSession(browser: string): Promise<void> {
  const turns = Array.from({ length: LONG_TURNS }, (_, turn) => ({
    you: `Question ${turn} about the basket?`,
    agent: `The basket has detail ${turn}, in \`src/basket-${turn % 50}.ts\`.`,
  }));
  const fill = async (world: TestWorld) => {
    putSession(world, '/srv/bench', 'long', turns);
    await sync(world);
  };
  const opened = await openPage(browser, fill);
  const { page } = opened;
  try {
    await page.waitForLoadState('networkidle');
    const metrics = await metricsOf(page);
    const from = performance.now();
    await opened.open('/memory/-srv-bench/sessions/long/messages');
    await page.getByRole('article').first().waitFor();
    const useful = performance.now() - from;
    await page.waitForTimeout(1500);
    const { TaskDuration = 0 } = await metrics();
    const rows: number[] = [];
    await page.mouse.move(900, 500);
    for (let n = 0; n < 10; n++) {
      rows.push(await page.locator('[data-row]').count());
      await page.mouse.wheel(0, 40_000);
      await page.waitForTimeout(150);
    }
    console.log(
      `\na session of ${LONG_TURNS * 2} messages: useful after ${useful.toFixed(0)} ms, main thread ${(TaskDuration * 1000).toFixed(0)} ms, at most ${Math.max(...rows)} rows while scrolling`,
    );
  } finally {
    await opened.close();
  }
}

async function memory(browser: string): Promise<void> {
  const fill = async (world: TestWorld) => {
    for (let n = 0; n < OPENED; n++) {
      const turns = Array.from({ length: TURNS }, (_, turn) => ({
        you: `Question ${turn} of session ${n}?`,
        agent: `**Answer** ${turn}: see \`src/file-${turn}.ts\`.\n\n${'Some words about it. '.repeat(20)}`,
      }));
      putSession(world, '/srv/bench', `session-${String(n).padStart(3, '0')}`, turns);
    }
    await sync(world);
  };
  const opened = await openPage(browser, fill);
  const { page } = opened;
  try {
    await opened.open(PROJECT);
    const list = page.getByRole('listbox', { name: 'Sessions', exact: true });
    await list.waitFor();
    const metrics = await metricsOf(page);
    const heaps: number[] = [];
    await list.focus();
    await page.keyboard.press('ArrowDown');
    for (let n = 0; n < OPENED; n++) {
      await list.focus();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      if (n === 0) await page.getByRole('link', { name: 'Messages', exact: true }).click();
      await page.getByRole('article').first().waitFor();
      if (n === 0 || n === OPENED - 1) heaps.push((await metrics()).JSHeapUsedSize ?? 0);
    }
    const [one = 0, all = 0] = heaps;
    console.log(
      `\nheap after 1 session opened: ${mebibytes(one)} MB, after ${OPENED}: ${mebibytes(all)} MB (${(all / one).toFixed(2)}x)`,
    );
  } finally {
    await opened.close();
  }
}

if (isMain(import.meta.url)) await run();
