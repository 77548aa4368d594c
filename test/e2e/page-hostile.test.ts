import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compressSession } from '../../src/app/compress/compress.ts';
import { renameProject } from '../../src/app/find/rename-project.ts';
import { sync } from '../../src/app/sync/sync.ts';
import { type ProjectId, type SessionId, sanitizePath } from '../../src/core/model/ids.ts';
import { browserPath } from '../made/browser.ts';
import { type OpenPage, openPage } from '../made/open-page.ts';
import { type Step, workSession } from '../made/work.ts';
import { xssPayloads } from '../made/xss-payloads.ts';

const path = browserPath();
const HOME = 'http://evil.example';
const PAYLOADS = xssPayloads(HOME);

/** Payloads as what was said, what was kept, titles, file names, commands, branches. */
function hostileSession(cwd: string): string {
  const steps: Step[] = PAYLOADS.flatMap((text, n): Step[] => [
    { you: `${text}\n\n##keepit${n % 5 === 0 ? '1.00' : '0.40'}## ${text}` },
    { tool: 'Read', input: { file_path: `${cwd}/${text}` }, gives: text },
    { agent: text },
  ]);
  return workSession(
    'hostile',
    [...steps, { line: { type: 'custom-title', customTitle: PAYLOADS[1] } }],
    '2026-01-05',
    cwd,
  );
}

/** Runs in the page. */
async function slipped(): Promise<string[]> {
  const found = new Set<string>();
  const look = () => {
    const strange = document.querySelectorAll(
      'iframe, object, embed, base, form[action], body style, body script:not([src^="/assets/"]), img:not([src="/keepsake.svg"]), [onerror], [onload], [onfocus], [ontoggle], [srcdoc]',
    );
    for (const element of strange) found.add(element.outerHTML.slice(0, 200));
    for (const link of document.querySelectorAll<HTMLAnchorElement>('a[href]'))
      if (!/^(https?:|mailto:)/.test(link.href)) found.add(link.outerHTML.slice(0, 200));
    for (const link of document.querySelectorAll('link'))
      if (!link.href.startsWith(location.origin)) found.add(link.outerHTML.slice(0, 200));
    // Lists are virtual: few rows, however many messages.
    const rows = document.querySelectorAll('[data-row]').length;
    if (rows > 200) found.add(`${rows} rows`);
    const { ran = [], refused = [] } = window as { ran?: unknown[]; refused?: unknown[] };
    for (const it of [...ran, ...refused]) found.add(String(it));
  };
  const lists = [...document.querySelectorAll('main [tabindex]')].filter(
    (it) => it.scrollHeight > it.clientHeight + 4,
  );
  const list = lists.sort((a, b) => b.scrollHeight - a.scrollHeight)[0];
  for (let before = -1; list && list.scrollTop > before; ) {
    look();
    before = list.scrollTop;
    list.scrollTop += list.clientHeight + 600;
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  }
  look();
  return [...found];
}

describe.skipIf(path === undefined)(
  'the page and what others wrote (skipped where there is no Chromium)',
  () => {
    let opened: OpenPage;
    let page: Page;
    let project: ProjectId;
    const requests: string[] = [];

    beforeAll(async () => {
      opened = await openPage(path ?? '', async (world) => {
        const cwd = `/home/ada/${PAYLOADS[1]?.replaceAll('/', '')}`;
        project = sanitizePath(cwd);
        mkdirSync(join(world.projects, project), { recursive: true });
        writeFileSync(join(world.projects, project, 'hostile.jsonl'), hostileSession(cwd));
        await sync(world);
        await renameProject(world, project, PAYLOADS[13] ?? '');
        await compressSession(
          world,
          { project, session: 'hostile' as SessionId },
          { ratio: 2, keepit: 'preserve-all' },
        );
      });
      page = opened.page;
      page.on('request', (request) => requests.push(request.url()));
      page.on('dialog', (dialog) => {
        opened.wrong.push(`dialog: ${dialog.message()}`);
        void dialog.dismiss();
      });
      await page.addInitScript(`
      window.pwned = (n) => (document.title = 'pwned ' + n, (window.ran ??= []).push(n));
      addEventListener('securitypolicyviolation', (event) => (window.refused ??= []).push(event.violatedDirective + ' ' + event.sample));
    `);
    });
    afterAll(() => opened?.close());

    /** Looks at a view from its top to its end: what of the payloads became part of the page, instead of text in it. */
    async function lookAt(to: string, ready: string): Promise<void> {
      await opened.open(to);
      await page.locator(ready).first().waitFor();
      expect(await page.evaluate(slipped), to).toEqual([]);
    }

    test('200 payloads as text, titles, file, branch and project names: none runs, nothing is fetched', async () => {
      expect(new Set(PAYLOADS).size).toBe(200);
      const at = (tab: string) => `/memory/${project}/sessions/hostile/${tab}`;
      await lookAt('/memory', 'main [role=list] a');
      await lookAt(`/memory/${project}/overview`, '.prose');
      await lookAt(at('overview'), 'text=/^Keepits: /');
      await lookAt(`${at('messages')}?tools=yes`, 'article');
      await lookAt(at('versions'), '.prose');
      await lookAt(at('compare'), 'text=/\\d+ shorter/');
      await lookAt(at('surgery'), '[aria-label="Exchange 1"]');
      await lookAt('/keepits', 'main [role=listitem]');
      expect(requests.filter((url) => !url.startsWith(opened.origin))).toEqual([]);
      expect(opened.wrong).toEqual([]);
    });

    test("the page's key leaves the address at once, works in other tabs, and is requested again when it is lost", async () => {
      const key = () => page.evaluate("localStorage.getItem('keepsake-key')");
      const stood = await key();
      expect(stood).toMatch(/^[\w-]{43}$/);
      await opened.open(`/memory#key=${stood}`);
      await page.locator('main [role=list] a').first().waitFor();
      expect(page.url()).toBe(`${opened.origin}/memory`);
      const tab = await opened.context.newPage();
      await tab.goto(`${opened.origin}/memory`);
      await tab.locator('main [role=list] a').first().waitFor();
      await tab.evaluate('localStorage.clear()');
      await tab.reload();
      await tab.getByText('keepsake ui').first().waitFor();
      await tab.evaluate(`localStorage.setItem('keepsake-key', ${JSON.stringify(stood)})`);
      await tab.close();
    });

    test('the text is there, letter for letter', async () => {
      await opened.open(`/memory/${project}/sessions/hostile/messages`);
      await page.getByText('<script>pwned(0)</script>').first().waitFor();
      expect(await page.title()).not.toMatch(/^pwned \d/);
    });
  },
);
