import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { transcript } from '../made/conversation.ts';
import { builtCli, LAUNCHER } from './built-cli.ts';
import { CliHome } from './cli-home.ts';

const SHOP = '11111111-aaaa-4aaa-8aaa-000000000001';
const BLOG = '22222222-bbbb-4bbb-8bbb-000000000002';

let home: CliHome;
beforeAll(builtCli);
beforeEach(() => {
  home = new CliHome();
});
afterEach(() => home.remove());

function twoProjects(): void {
  home.session('/home/me/shop', SHOP, [
    { you: 'Add a basket. ##keepit0.90## Prices are kept in cents.', agent: 'Done, the basket keeps cents.' },
    {
      you: 'Thanks, now a test.',
      agent: 'The test is in basket.test.ts.',
      at: '2026-01-06T09:00:00.000Z',
      branch: 'feat/basket',
    },
  ]);
  home.session('/home/me/blog', BLOG, [
    { you: 'Write the first post.', agent: 'Written.', at: '2026-01-07T09:00:00.000Z' },
  ]);
}

test('the command without arguments archives what is new and lists it by project', () => {
  twoProjects();
  const shown = home.ok();
  expect(shown).toContain('2 transcripts');
  expect(shown).toMatch(/^shop {2}\/home\/me\/shop {2}1 session/m);
  expect(shown.indexOf('blog')).toBeLessThan(shown.indexOf('shop'));
  expect(shown).toContain('What next');
  expect(home.ok()).toContain('2 unchanged');
});

test('without transcripts the command without arguments shows the sample, and says how to remove it', () => {
  const ran = home.run([]);
  expect(ran.status).toBe(0);
  expect(ran.stderr).toContain('SAMPLE');
  expect(ran.stdout).toContain('sample');
  expect(home.json('projects').items[0]).toMatchObject({ sample: true });
  expect(home.run([]).stderr, 'as long as it is shown').toContain('SAMPLE');
  expect(home.ok('unregister', '--sample')).toContain('keepsake --sample');
  expect(home.json('projects').items).toEqual([]);
});

test('a removed sample comes back only on request', () => {
  home.ok();
  home.ok('unregister', '--sample');
  expect(home.ok()).toContain('`keepsake --sample`');
  expect(home.json('sessions').items).toEqual([]);
  expect(home.ok('--sample')).toContain('sample project');
  expect(home.json('projects').items).toHaveLength(1);
});

test('the sample is listed after real sessions, and the next step names a real one', () => {
  home.ok('--sample');
  twoProjects();
  const shown = home.ok();
  expect(shown.indexOf('sample project')).toBeGreaterThan(shown.indexOf('shop'));
  expect(shown).toContain('keepsake show 22222222 --messages');
});

test('the command without arguments lists the newest of each project and says how to see the others', () => {
  for (let project = 0; project < 7; project++) {
    for (let index = 0; index < (project === 6 ? 12 : 1); index++) {
      const id = `4444444${project}-dddd-4ddd-8ddd-${String(index).padStart(12, '0')}`;
      const at = `2026-02-1${project}T09:${String(index).padStart(2, '0')}:00.000Z`;
      home.session(`/home/me/p${project}`, id, [{ you: `Question ${index} of p${project}`, at }]);
    }
  }
  const shown = home.ok();
  expect(shown).toContain('Question 11 of p6');
  expect(shown).not.toContain('Question 1 of p6');
  expect(shown).toContain('and 2 more sessions: keepsake sessions --project=p6\n');
  expect(home.json('sessions', '--project=p6').items).toHaveLength(12);
  expect(shown).not.toContain('of p1');
  expect(shown).toContain('And 2 more projects: keepsake projects');
});

test('the bare command names a project by its id where another one has the same name', () => {
  for (let index = 0; index < 12; index++) {
    const id = `44444444-dddd-4ddd-8ddd-${String(index).padStart(12, '0')}`;
    home.session('/home/me/shop', id, [{ you: `Question ${index}`, at: '2026-02-11T09:00:00.000Z' }]);
  }
  home.session('/srv/shop', '55555555-dddd-4ddd-8ddd-000000000000', [{ you: 'And here?' }]);
  expect(home.ok()).toContain('and 2 more sessions: keepsake sessions --project=-home-me-shop\n');
});

test('sessions are listed newest first, of all projects or of one', () => {
  twoProjects();
  home.ok('sync');
  const all = home.json('sessions');
  expect(all.next).toBeNull();
  expect(all.items.map((item: { sessionId: string }) => item.sessionId)).toEqual([BLOG, SHOP]);
  expect(all.items[1]).toMatchObject({
    projectId: '-home-me-shop',
    projectName: 'shop',
    originalMessages: 4,
    firstTimestamp: '2026-01-05T10:00:00.000Z',
    lastTimestamp: '2026-01-06T09:00:00.000Z',
    metadata: { gitBranch: 'feat/basket', cwd: '/home/me/shop' },
  });
  expect(all.items[1].keepitMarkers).toHaveLength(1);
  for (const project of ['shop', '-home-me-shop', '/home/me/shop']) {
    expect(home.json('sessions', `--project=${project}`).items).toHaveLength(1);
  }
  const lines = home.ok('sessions').split('\n');
  expect(lines[0]).toMatch(/^id +project +started +last +messages +tokens +size +branch +keepits +title$/);
  expect(lines[1]).toMatch(/^22222222 +blog +2026-01-07 09:00/);
});

test('a page ends with a cursor, and the cursor gives the next page', () => {
  twoProjects();
  home.ok('sync');
  const first = home.json('sessions', '--limit', '1');
  expect(first.items).toHaveLength(1);
  const second = home.json('sessions', '--limit', '1', '--after', first.next);
  expect(second.items[0].sessionId).toBe(SHOP);
  expect(second.next).toBeNull();
});

test('a session is shown by a prefix of its id, in five ways', () => {
  twoProjects();
  home.ok('sync');
  expect(home.ok('show', '1111')).toMatch(/session +11111111-aaaa/);
  expect(home.json('show', '1111')).toMatchObject({ sessionId: SHOP, projectName: 'shop' });
  const original = readFileSync(join(home.projects, '-home-me-shop', `${SHOP}.jsonl`), 'utf8');
  expect(home.ok('show', SHOP, '--raw')).toBe(original);
  const messages = home.ok('show', SHOP, '--messages');
  expect(messages).toContain('Add a basket.');
  expect(messages).toContain('The test is in basket.test.ts.');
  expect(home.json('show', SHOP, '--l1').items[0]).toMatchObject({ role: 'user', src: 0 });
  expect(home.json('show', SHOP, '--keepits').items[0]).toMatchObject({ weight: 0.9, origin: 'user' });
  expect(home.ok('show', SHOP, '--keepits')).toContain('0.90');
});

test('an exchange, a range of lines and an id in capitals can be shown', () => {
  twoProjects();
  home.ok('sync');
  expect(home.json('show', SHOP.toUpperCase()).sessionId).toBe(SHOP);
  const [, second] = home.json('exchanges', SHOP).items;
  const shown = home.ok('show', second.id);
  expect(shown).toContain('Thanks, now a test.');
  expect(shown).not.toContain('Add a basket.');
  expect(home.json('show', second.id)).toMatchObject({ sessionId: SHOP, exchange: { l1_range: [3, 4] } });
  expect(home.json('show', second.id).items).toHaveLength(2);
  expect(home.json('show', SHOP, '--lines', '2-3').items).toHaveLength(2);
  expect(home.ok('show', SHOP, '--lines', '4')).toMatch(/^4 .*The test is in basket\.test\.ts\.\n$/);
  expect(home.ok('show', SHOP, '--subagents')).toContain('No subagents');
});

test("a subagent's own work can be read", () => {
  home.ok('--sample');
  const session = home
    .json('sessions')
    .items.find((item: { metadata: { subSessions: object[] } }) => item.metadata.subSessions.length > 0);
  const [sub] = home.json('show', session.sessionId, '--subagents').items;
  const { items } = home.json('show', session.sessionId, '--subagent', sub.agentId.slice(0, 6));
  expect(items[0]).toMatchObject({ role: 'user' });
  expect(items.some((line: { role: string }) => line.role === 'tool')).toBe(true);
});

test('projects and exchanges have pages, and the text says how to get the next one', () => {
  twoProjects();
  home.ok('sync');
  const projects = home.json('projects', '--limit', '1');
  expect(projects.items[0].displayName).toBe('blog');
  expect(home.json('projects', '--after', projects.next).items[0].displayName).toBe('shop');
  const exchanges = home.json('exchanges', SHOP, '--limit', '1');
  expect(exchanges.items[0].l1_range[0]).toBe(1);
  expect(home.json('exchanges', SHOP, '--after', exchanges.next)).toMatchObject({
    items: [{ ask: 'Thanks, now a test.' }],
    next: null,
  });
  const note = home.run(['sessions', '--limit', '1']).stderr;
  const [, cursor] = /1 of 2 shown\. For more:\s+keepsake sessions --limit 1 --after (\S+)/.exec(note) ?? [];
  expect(home.json('sessions', '--limit', '1', '--after', cursor!).items[0].sessionId).toBe(SHOP);
});

test('exchanges are the asks of a session', () => {
  twoProjects();
  home.ok('sync');
  const { items, next } = home.json('exchanges', SHOP);
  expect(next).toBeNull();
  expect(items).toHaveLength(2);
  expect(items[1]).toMatchObject({ ask: 'Thanks, now a test.', l1_range: [3, 4] });
  expect(home.ok('exchanges', SHOP)).toContain('Thanks, now a test.');
});

test('a project can be renamed, by a path or by an id that begins with a dash', () => {
  twoProjects();
  home.ok('sync');
  expect(home.json('projects', 'rename', '/home/me/shop', 'web shop')).toMatchObject({
    displayName: 'web shop',
  });
  home.ok('projects', 'rename', '--', '-home-me-blog', 'notes');
  expect(home.ok('projects')).toMatch(/^notes .*\n(.*\n)*web shop /m);
  expect(home.json('sessions', '--project', 'web shop').items).toHaveLength(1);
});

test('a grown session is synced, and status shows it before', () => {
  twoProjects();
  home.ok('sync');
  expect(home.json('status').transcripts).toMatchObject({ found: 2, notSynced: 0 });
  appendFileSync(
    join(home.projects, '-home-me-blog', `${BLOG}.jsonl`),
    transcript('/home/me/blog', `${BLOG}`, [{}, {}, { you: 'One more.' }]).trimStart(),
  );
  expect(home.json('status').transcripts).toMatchObject({ notSynced: 1 });
  expect(home.ok('status')).toContain('keepsake sync');
  expect(home.json('sync')).toMatchObject({ found: 2, grown: 1, same: 1 });
  expect(home.json('show', BLOG).originalMessages).toBe(3);
});

test('sessions that the agent deletes stay, and can be verified', () => {
  twoProjects();
  home.ok('sync');
  rmSync(join(home.path, '.claude'), { recursive: true });
  expect(home.ok('sync')).toContain('No transcripts in');
  expect(home.ok('show', SHOP, '--messages')).toContain('Add a basket.');
  expect(home.json('verify')).toMatchObject({ sessions: 2, passed: true, problems: [] });
  expect(home.ok('verify', SHOP)).toContain('Verified');
});

test('verify finds a changed original and a changed refined file, and exits 10', () => {
  twoProjects();
  home.ok('sync');
  const { archivedFile } = home.json('show', SHOP);
  const text = readFileSync(archivedFile, 'utf8');
  writeFileSync(archivedFile, text.replace('basket', 'casket'));
  const { l1Path } = home.json('show', BLOG);
  writeFileSync(l1Path, readFileSync(l1Path, 'utf8').replace('first', 'worst'));
  const ran = home.run(['verify', '--json']);
  expect(ran.status).toBe(10);
  const report = JSON.parse(ran.stdout);
  expect(report.passed).toBe(false);
  const messages = report.problems.map((problem: { message: string }) => problem.message).join('\n');
  expect(messages).toContain('hash differs');
  expect(messages).toContain('does not match the original');
  expect(home.run(['verify', SHOP]).status).toBe(10);
});

test('an unregistered session stays archived and does not come back; a purged one is deleted', () => {
  twoProjects();
  home.ok('sync');
  home.ok('unregister', BLOG);
  home.ok('sync');
  expect(home.json('sessions').items).toHaveLength(1);
  expect(home.json('sessions', '--all').items).toHaveLength(1);
  expect(home.json('sessions', '--unregistered').items).toHaveLength(2);
  const { archivedFile } = home.json('show', SHOP);
  const asked = home.run(['unregister', SHOP, '--purge']);
  expect([asked.status, existsSync(archivedFile)]).toEqual([2, true]);
  expect(asked.stderr).toContain('--yes');
  expect(home.json('unregister', SHOP, '--purge', '--yes')).toMatchObject({ purged: true });
  expect(existsSync(archivedFile)).toBe(false);
  home.ok('sync');
  expect(home.run(['show', SHOP]).status).toBe(3);
  expect(home.ok('register', SHOP)).toContain(SHOP);
  expect(home.json('show', SHOP).registered).toBe(true);
});

test('registering again restores the session, says so, and is in the history', () => {
  twoProjects();
  home.ok('sync');
  home.ok('unregister', SHOP);
  expect(home.ok('register', SHOP)).toContain('Already archived');
  expect(home.json('show', SHOP).registered).toBe(true);
  const [latest] = home.json('history', '--project', 'shop').items;
  expect(latest).toMatchObject({ action: 'register', sessionId: SHOP });
  expect(latest.note).toContain('again');
});

test('a purged project is not in the lists, and not in the archive once nothing can bring it back', () => {
  twoProjects();
  home.ok('sync');
  home.ok('unregister', '--project', 'shop', '--purge', '--yes');
  expect(home.json('projects').items.map((item: { displayName: string }) => item.displayName)).toEqual([
    'blog',
  ]);
  home.ok('sync');
  expect(home.json('sessions').items, 'the agent still has its file').toHaveLength(1);
  rmSync(join(home.projects, '-home-me-shop'), { recursive: true });
  expect(home.json('unregister', '--project', 'shop', '--purge')).toMatchObject({ projectRemoved: true });
  expect(existsSync(join(home.archive, 'projects', '-home-me-shop'))).toBe(false);
});

test('register accepts an id, a file, a folder or everything', () => {
  twoProjects();
  expect(home.json('register', BLOG)).toMatchObject({
    added: 1,
    sessions: [{ projectId: '-home-me-blog', sessionId: BLOG }],
  });
  const elsewhere = home.file(
    join(home.path, 'old', 'x.jsonl'),
    transcript('/home/me/old', 'old-1', [{ you: 'Hello' }]),
  );
  expect(home.json('register', './old/x.jsonl').sessions).toEqual([
    { projectId: '-home-me-old', sessionId: 'old-1' },
  ]);
  expect(home.json('show', 'old-1').originalFile).toBe(elsewhere);
  expect(home.json('register', 'old').same).toBe(1);
  expect(home.json('register', '--all').sessions).toHaveLength(2);
  expect(home.json('sync', '--from', 'old')).toMatchObject({ found: 1, same: 1 });
});

test('chats of other programs are imported, each file a session', () => {
  home.file(
    join(home.path, 'chats', 'monday talk.jsonl'),
    '{"ts":"2026-01-05T10:00:00Z","role":"user","name":"Ada","text":"Hi"}\n',
  );
  const report = home.json('import', 'chats', '--project', 'support');
  expect(report.added).toBe(1);
  const [row] = home.json('sessions', '--project', 'support').items;
  expect(row.sessionId).toMatch(/^monday-talk/);
  expect(home.ok('show', row.sessionId, '--messages')).toContain('Ada');
});

test('settings are typed, layered, and say where they come from', () => {
  twoProjects();
  home.ok('sync');
  expect(home.ok('config', 'get', 'levels.light')).toBe('4\n');
  expect(home.json('config', 'set', 'levels.light', '5')).toMatchObject({
    key: 'levels.light',
    value: 5,
    source: 'global',
  });
  home.ok('config', 'set', 'levels.light', '6', '--project', 'shop');
  expect(home.json('config', 'get', 'levels.light', '--project', 'shop')).toMatchObject({
    value: 6,
    source: 'project',
  });
  expect(home.json('config', 'get', 'levels').items).toHaveLength(3);
  home.ok('config', 'unset', 'levels.light', '--project', 'shop');
  expect(home.json('config', 'get', 'levels.light', '--project', 'shop')).toMatchObject({
    value: 5,
    source: 'global',
  });
  const list = home.json('config', 'list').items;
  expect(list.every((row: { about: string }) => row.about.length > 10)).toBe(true);
  expect(readFileSync(join(home.archive, 'config.json'), 'utf8')).toBe(
    '{\n  "levels": {\n    "light": 5\n  }\n}\n',
  );
});

test('history lists what was done, newest first', () => {
  twoProjects();
  home.ok('sync');
  home.ok('projects', 'rename', 'shop', 'store');
  const { items } = home.json('history', '--project', 'store');
  expect(items[0]).toMatchObject({ action: 'rename', projectId: '-home-me-shop' });
  expect(items.map((item: { action: string }) => item.action)).toContain('register');
  expect(home.json('history', '--limit', '1').next).toEqual(expect.any(String));
});

test('doctor reports a good archive as healthy, and says what to do about a bad one', () => {
  twoProjects();
  home.ok('sync');
  expect(home.json('doctor')).toMatchObject({ ok: true, next: null });
  rmSync(home.json('show', SHOP).archivedFile);
  const ran = home.run(['doctor']);
  expect(ran.status).toBe(10);
  expect(ran.stdout).toMatch(/error +originals: The original of 11111111.* is missing/);
  expect(ran.stdout).toContain('keepsake register');
});

test('every command has a help with an example and --json', () => {
  const names = [...home.ok('--help').matchAll(/^ {2}([a-z]+) {2,}/gm)].map((found) => found[1]!);
  expect(names).toContain('verify');
  expect(names.length).toBeGreaterThanOrEqual(13);
  const helps = helpsOf(
    names.flatMap((name) => [
      [name, '--help'],
      ['help', name],
    ]),
  );
  for (const [at, name] of names.entries()) {
    const [help, same] = helps.slice(2 * at);
    expect(help, name).toMatch(/Examples?:\n {2}\$ (EDITOR=\S+ )?keepsake/);
    expect(help, name).toContain('--json');
    expect(same).toBe(help);
  }
  expect(home.ok('verify', '--help'), 'of the built program').toBe(helps[2 * names.indexOf('verify')]);
  expect(home.ok('config', 'set', '--help')).toContain('--json');
});

/** In one process: a hundred of them would take longer than all other tests of this file. */
function helpsOf(lines: string[][]): string[] {
  const script = join(import.meta.dirname, 'many-helps.ts');
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, JSON.stringify(lines)], {
    encoding: 'utf8',
    env: { ...process.env, HOME: home.path },
  });
  expect(status, stderr).toBe(0);
  const printed = stdout.split('\0');
  const statuses = printed.filter((_, at) => at % 2 === 1);
  expect(statuses).toEqual(lines.map(() => '0'));
  return printed.filter((_, at) => at % 2 === 0).slice(0, -1);
}

test('color is only for terminals, except on request', () => {
  twoProjects();
  const sequence = '\u001b[';
  expect(home.ok('sync')).not.toContain(sequence);
  expect(home.ok('sessions')).not.toContain(sequence);
  expect(home.run(['sessions'], { FORCE_COLOR: '1' }).stdout).toContain(sequence);
  expect(home.run(['sessions'], { FORCE_COLOR: '1', NO_COLOR: '1' }).stdout).not.toContain(sequence);
  expect(home.run(['sessions', '--no-color'], { FORCE_COLOR: '1' }).stdout).not.toContain(sequence);
  expect(home.run(['sessions', '--json'], { FORCE_COLOR: '1' }).stdout).not.toContain(sequence);
});

test('escapes in a transcript do not reach the terminal', () => {
  home.session('/home/me/shop', SHOP, [{ you: 'red \u001b[31malert\u001b[0m \u001b]0;owned\u0007 text' }]);
  home.ok('sync');
  for (const args of [
    ['sessions'],
    ['show', SHOP],
    ['show', SHOP, '--messages'],
    ['show', SHOP, '--l1'],
    ['exchanges', SHOP],
  ]) {
    expect(home.ok(...args)).not.toMatch(/[\u001b\u0007]/);
  }
  expect(home.ok('show', SHOP, '--messages')).toContain('red alert');
});

test('when the reader of a pipe ends early, the command ends quietly', () => {
  const turns = Array.from({ length: 800 }, (_, index) => ({ you: `Question ${index} ${'x'.repeat(200)}` }));
  home.session('/home/me/shop', SHOP, turns);
  home.ok('sync');
  const script = `"${process.execPath}" "${LAUNCHER}" show ${SHOP} --raw | head -1 | wc -l`;
  const env = { PATH: process.env.PATH, HOME: home.path };
  const ran = spawnSync('sh', ['-c', script], { encoding: 'utf8', env });
  expect(ran.stderr).toBe('');
  expect(ran.stdout.trim()).toBe('1');
});

test('Ctrl-C stops a sync with 130 and keeps what was archived, and the next one continues', async () => {
  for (let index = 0; index < 40; index++) {
    const id = `33333333-cccc-4ccc-8ccc-${String(index).padStart(12, '0')}`;
    const turns = Array.from({ length: 100 }, (_, turn) => ({
      you: `Question ${turn} ${'word '.repeat(40)}`,
    }));
    home.session('/home/me/big', id, turns);
  }
  const child = spawn(process.execPath, [LAUNCHER, 'sync'], {
    env: { PATH: process.env.PATH, HOME: home.path },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (text) => {
    errors += text;
  });
  const ended = once(child, 'close');
  while (
    child.exitCode === null &&
    !existsSync(join(home.archive, 'projects', '-home-me-big', 'originals'))
  ) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  // One press, heard twice: by the terminal's group and through a launcher that passes it on.
  child.kill('SIGINT');
  child.kill('SIGINT');
  const [status] = await ended;
  expect(status).toBe(130);
  const [, kept] = /Stopped: (\d+) of 40 archived\. Run `keepsake sync` to continue\./.exec(errors) ?? [];
  expect(Number(kept)).toBeGreaterThan(0);
  expect(home.json('sessions').items).toHaveLength(Number(kept));
  home.ok('sync');
  expect(home.json('verify')).toMatchObject({ sessions: 40, passed: true });
});
