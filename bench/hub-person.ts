// Measures a person without an archive (time to the hub's first page with hits) and a new laptop (pull of a repository, time to the first hit).
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLock } from '../src/adapters/archive-fs/lock.ts';
import { hubStore } from '../src/adapters/remote-hub/hub-store.ts';
import { openRemotes } from '../src/adapters/remotes/open-remotes.ts';
import { inviteMember, issueToken, setMemberRole } from '../src/app/hub/members.ts';
import { addRemote } from '../src/app/remote/add-remote.ts';
import { syncRemote } from '../src/app/remote/sync-remote.ts';
import { search } from '../src/app/search/search.ts';
import { browserPath, openBrowser } from '../test/made/browser.ts';
import { builtPage } from '../test/made/built-page.ts';
import { type TestHub, testHub, testMember } from '../test/made/hub-server.ts';
import { talkLines, talkOf } from '../test/made/talk-lines.ts';
import { makeWorld } from '../test/made/world.ts';
import { table } from './bench-table.ts';

const REPO = 'a'.repeat(32);

export async function personBench(from: string): Promise<void> {
  const hub = await testHub({ site: builtPage() });
  try {
    const anna = await testMember(hub, 'anna');
    const talks = await talkOf(from);
    let sent = 0;
    for (const [at, talk] of talks.entries()) {
      const { name, bytes } = anna.sealLines(REPO, at + 1, talkLines(talk, '-srv-shop'), { lane: 'talk' });
      await anna.store.put(name, bytes);
      sent += bytes.length;
    }
    await setMemberRole(hub.hub, { name: 'anna', repo: '*', role: 'reader' });
    const { token } = await issueToken(hub.hub, { name: 'anna', days: 1 });
    console.log(`${talks.length} sessions, ${(sent / 1e6).toFixed(1)} MB packed`);
    const rows = [...(await pages(hub, token)), ...(await laptop(hub))];
    table(['', 'ms'], rows);
  } finally {
    await hub.close();
  }
}

/** Time from opening a search URL to the first visible hit, before and after the index is built. */
async function pages(hub: TestHub, token: string): Promise<string[][]> {
  const path = browserPath();
  if (path === undefined) return [['first page: no Chromium here', '-']];
  const browser = await openBrowser(path);
  try {
    const rows: string[][] = [];
    for (const what of ['first page with hits, index not built', 'first page with hits']) {
      const page = await browser.newPage();
      await page.goto(`${hub.address}/`);
      await page.evaluate(`sessionStorage.setItem('keepsake-hub-token', ${JSON.stringify(token)})`);
      const started = performance.now();
      await page.goto(`${hub.address}/r/${REPO}/search?q=test`);
      await page.getByRole('article').first().waitFor({ timeout: 120_000 });
      rows.push([what, (performance.now() - started).toFixed(0)]);
      await page.close();
    }
    return rows;
  } finally {
    await browser.close();
  }
}

async function laptop(hub: TestHub): Promise<string[][]> {
  const root = mkdtempSync(join(tmpdir(), 'keepsake-bench-laptop-'));
  const made = makeWorld(root);
  const tokens = new Map<string, string>();
  const store = async (address: string) =>
    hubStore(address, {
      read: async (of) => tokens.get(of),
      write: async (of, token) => void tokens.set(of, token),
    });
  const lock = openLock(join(root, 'archive', 'remotes', 'lock.sqlite'), 5000);
  const remotes = openRemotes(
    { archive: join(root, 'archive'), cwd: root, home: root },
    { folder: store, schemes: { http: store } },
    (work) => lock.hold(work),
  );
  const world = { ...made, remotes: async () => remotes };
  try {
    const { invitation } = await inviteMember(hub.hub, `ben ${randomBytes(3).toString('hex')}`);
    const started = performance.now();
    const before = process.cpuUsage();
    const { remote } = await addRemote(world, { address: hub.address, invite: invitation, light: true });
    const name = remote.member ?? '';
    await setMemberRole(hub.hub, { name, repo: '*', role: 'reader' });
    const { pulled } = await syncRemote(world, remote.name, { direction: 'pull' });
    const pulledMs = performance.now() - started;
    const { hits } = await search(world, { query: 'test', limit: 10 });
    const { user, system } = process.cpuUsage(before);
    const cpu = ((user + system) / 1000).toFixed(0);
    return [
      [
        `pull by a new laptop: ${pulled.sessions} sessions, with facts and index (${cpu} ms of CPU, the hub's included)`,
        pulledMs.toFixed(0),
      ],
      [`its first ${hits.length} hits, including the pull`, (performance.now() - started).toFixed(0)],
    ];
  } finally {
    await made.remove();
    rmSync(root, { recursive: true, force: true });
  }
}
