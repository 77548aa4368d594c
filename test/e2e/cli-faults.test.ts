import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { transcript } from '../made/conversation.ts';
import { builtCli } from './built-cli.ts';
import { CliHome } from './cli-home.ts';

const ONE = '11111111-aaaa-4aaa-8aaa-000000000001';
const TWO = '11111111-aaaa-4aaa-8aaa-000000000002';
/** Nothing is unreadable to root, so there the program runs as nobody. */
const NOBODY = process.getuid?.() === 0 ? 65534 : undefined;

let home: CliHome;
beforeAll(builtCli);
beforeEach(() => {
  home = new CliHome();
});
afterEach(() => home.remove());

function twoSessions(): void {
  home.session('/home/me/shop', ONE, [{ you: 'One' }]);
  home.session('/home/me/shop', TWO, [{ you: 'Two' }]);
  home.ok('sync');
}

/** Exit status and the sentence on stderr; nothing on stdout. */
function fails(args: string[], status: number, sentence: string | RegExp): string {
  const ran = home.run(args);
  expect([ran.status, ran.stdout], ran.stderr).toEqual([status, '']);
  expect(ran.stderr).toMatch(/^keepsake: /m);
  expect(ran.stderr).toMatch(sentence);
  expect(ran.stderr).not.toContain('    at ');
  return ran.stderr;
}

test('an unknown command or option suggests the nearest', () => {
  expect(fails(['sesions'], 2, 'Unknown command "sesions"')).toContain('`keepsake sessions`');
  fails(['sessions', '--limmit', '3'], 2, '--limit');
  fails(['--nope'], 2, '--nope');
  fails(['show'], 2, 'Missing required argument');
  fails(['sessions', 'extra'], 2, /too many arguments/i);
  fails(['import', '.'], 65, 'contains no chats');
  const chat = home.file(
    join(home.path, 'chat.jsonl'),
    '{"ts":"2026-01-05T10:00:00Z","role":"user","text":"Hello."}\n',
  );
  fails(['import', chat], 2, '--project');
  fails(['import', 'not-there'], 3, 'No such file or folder');
  fails(['sessions', '--limit', 'many'], 2, /--limit can't be "many": .*whole number from 1 on\.$/m);
  fails(['sessions', '--after', 'nonsense'], 2, 'cursor');
  fails(['show', ONE, '--raw', '--l1'], 2, 'Use only one of');
  fails(['register'], 2, 'missing session id, path or --all');
});

test.each(['../../etc/passwd', '__proto__', 'a/b', '..', 'constructor', 'x\u0000y'.replace('\u0000', '%00')])(
  '%s is no session id',
  (id) => {
    twoSessions();
    fails(['show', id], 2, 'is not a session id');
    fails(['unregister', id, '--purge', '--yes'], 2, 'is not a session id');
    expect(home.json('sessions').items).toHaveLength(2);
  },
);

test('a prefix of two ids names both, an unknown one the nearest', () => {
  twoSessions();
  expect(fails(['show', '1111'], 4, 'matches 2 sessions')).toContain(TWO);
  expect(fails(['show', ONE.replace('aaaa', 'aaab')], 3, 'No session')).toContain(ONE);
  fails(['show', '99999999'], 3, 'keepsake sessions');
  expect(fails(['sessions', '--project', 'shpo'], 3, 'No project')).toContain('shop');
});

test('two projects with one folder name are shown differently', () => {
  home.session('/home/me/a/app', ONE, [{ you: 'One' }]);
  home.session('/home/me/b/app', TWO, [{ you: 'Two' }]);
  home.ok('sync');
  const message = fails(['sessions', '--project', 'app'], 4, '2 projects are named "app"');
  expect(message).toContain('--project=-home-me-a-app');
  expect(fails(['projects', 'rename', 'app', 'x y'], 4, '2 projects')).toContain(
    'keepsake projects rename -- -home-me-a-app "x y"',
  );
  expect(home.json('sessions', '--project=-home-me-b-app').items[0].sessionId).toBe(TWO);
});

test('two paths with one sanitized name are two projects', () => {
  home.session('/home/me/x.y', ONE, [{ you: 'One' }]);
  home.session('/home/me/x-y', TWO, [{ you: 'Two' }]);
  home.ok('sync');
  const paths = home.json('projects').items.map((item: { originalPath: string }) => item.originalPath);
  expect(paths.sort()).toEqual(['/home/me/x-y', '/home/me/x.y']);
});

test('missing folders and files are named, with what to do', () => {
  fails(['sync', '--from', 'nowhere'], 3, 'nowhere');
  fails(['register', './nowhere.jsonl'], 3, 'nowhere.jsonl');
  fails(['import', 'nowhere', '--project', 'x'], 3, 'nowhere');
  fails(['verify', '--project', 'none'], 3, 'No project "none"');
});

test('a file that is no transcript is skipped and reported', () => {
  home.file(join(home.path, 'stuff', 'notes.jsonl'), 'not json\nat all\n');
  const path = join(home.path, 'stuff', 'notes.jsonl');
  fails(['register', path], 65, 'notes.jsonl');
  fails(['import', 'stuff', '--project', 'x'], 65, /no chats that Keepsake can import|notes/);
  home.file(join(home.path, 'stuff', 'good.jsonl'), transcript('/home/me/shop', ONE, [{ you: 'One' }]));
  const ran = home.run(['sync', '--from', 'stuff', '--json']);
  expect(JSON.parse(ran.stdout)).toMatchObject({ found: 2, added: 1, skipped: 1 });
  expect(JSON.parse(ran.stdout).notes.join()).toContain('notes.jsonl');
  expect(ran.status, 'a stray file is no failure').toBe(0);
  expect(readFileSync(path, 'utf8')).toBe('not json\nat all\n');
});

test('an unreadable file is named, and the others are archived', () => {
  const path = home.session('/home/me/shop', ONE, [{ you: 'One' }]);
  home.session('/home/me/shop', TWO, [{ you: 'Two' }]);
  chmodSync(path, 0);
  home.give(NOBODY);
  const ran = home.run(['sync']);
  expect(ran.status).toBe(66);
  expect(ran.stderr).toContain(ONE);
  expect(home.json('sessions').items).toHaveLength(1);
});

test('a read-only archive is a clear fault, and can still be read', () => {
  twoSessions();
  appendFileSync(
    join(home.projects, '-home-me-shop', `${ONE}.jsonl`),
    transcript('/home/me/shop', ONE, [{}, { you: 'More' }]),
  );
  home.give(NOBODY);
  const folders = readdirSync(home.archive, { recursive: true, withFileTypes: true });
  for (const entry of folders)
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o500 : 0o400);
  chmodSync(home.archive, 0o500);
  fails(['sync'], 73, '.claude-memory');
  expect(home.json('sessions').items).toHaveLength(2);
  const doctor = home.run(['doctor']);
  expect([doctor.status, doctor.stdout]).toEqual([10, expect.stringContaining('is not writable')]);
});

test('with --json a fault is JSON on stderr, and stdout stays empty', () => {
  const ran = home.run(['show', 'nothing', '--json']);
  expect([ran.status, ran.stdout]).toEqual([3, '']);
  expect(JSON.parse(ran.stderr)).toEqual({
    error: { code: 'not-found', message: 'No session "nothing".', hint: expect.any(String) },
  });
});

test('a broken settings file is named with its line and never overwritten', () => {
  mkdirSync(home.archive, { recursive: true });
  const file = join(home.archive, 'config.json');
  writeFileSync(file, '{\n  "levels": {\n    light: 5\n  }\n}\n');
  home.session('/home/me/shop', ONE, [{ you: 'One' }]);
  fails(['config', 'list'], 78, 'line 3, column 5');
  fails(['config', 'set', 'levels.light', '6'], 78, 'config edit');
  fails(['sync'], 78, 'config.json');
  const sessions = home.run(['sessions']);
  expect([sessions.status, sessions.stderr]).toEqual([0, expect.stringContaining('line 3, column 5')]);
  expect(sessions.stderr).toContain('settings are ignored');
  expect(readFileSync(file, 'utf8')).toContain('light: 5');
  const doctor = home.run(['doctor']);
  expect([doctor.status, doctor.stdout]).toEqual([10, expect.stringContaining('line 3, column 5')]);
});

test('invalid settings are refused, unknown ones are kept with a warning', () => {
  expect(fails(['config', 'set', 'levels.light', 'many'], 2, 'expected a number')).toContain('Default: 4');
  fails(['config', 'set', 'levels.light', '-1'], 2, 'from 1 to 100');
  fails(['config', 'set', 'levels.light', '500'], 2, 'from 1 to 100');
  fails(['config', 'set', 'version', '2'], 2, 'written by Keepsake');
  fails(['config', 'edit'], 2, 'config set');
  expect(fails(['config', 'get', 'level.light'], 2, 'No setting')).toContain('levels.light');
  fails(['config', 'set', '__proto__', '1'], 2, 'No setting');
  mkdirSync(home.archive, { recursive: true });
  writeFileSync(join(home.archive, 'config.json'), '{"future": true}');
  const ran = home.run(['config', 'set', 'levels.light', '5']);
  expect([ran.status, ran.stderr]).toEqual([0, expect.stringContaining('future')]);
  expect(JSON.parse(readFileSync(join(home.archive, 'config.json'), 'utf8'))).toEqual({
    future: true,
    levels: { light: 5 },
  });
});

test('verify says what happened to an original that was only a link', () => {
  home.ok('config', 'set', 'storage.originals', 'symlink');
  const path = home.session('/home/me/shop', ONE, [{ you: 'One' }]);
  home.ok('sync');
  expect(home.ok('doctor')).toMatch(/warning +originals: 1 original is only a link/);
  expect(home.ok('status')).toContain('only a link');
  rmSync(path);
  fails(['show', ONE, '--raw'], 3, 'was a link to');
  expect(home.ok('status')).toContain('1 original is GONE');
  expect(home.run(['doctor']).stdout.match(/^error/gm)).toHaveLength(1);
});

test('a manifest of a newer version is left alone', () => {
  twoSessions();
  const file = join(home.archive, 'projects', '-home-me-shop', 'manifest.json');
  const text = readFileSync(file, 'utf8').replace(/"version": ?"1\.0\.0"/, '"version":"9.0.0"');
  writeFileSync(file, text);
  fails(['sessions'], 77, /newer/i);
  expect(readFileSync(file, 'utf8')).toBe(text);
});

test('an archive that is a file, not a folder, is a clear fault', () => {
  writeFileSync(home.archive, 'oops');
  home.session('/home/me/shop', ONE, [{ you: 'One' }]);
  const ran = home.run(['sync']);
  expect(ran.status).toBeGreaterThan(60);
  expect(ran.status).not.toBe(70);
  expect(ran.stderr).toContain('.claude-memory');
});

test('a composition that uses a session prevents its deletion, except with --force', () => {
  twoSessions();
  home.ok('compose', 'review', '--budget', '2000', '--sessions', ONE);
  fails(['unregister', ONE], 6, 'review');
  home.ok('unregister', ONE, '--force');
});

test('a file of an unsupported agent is refused by name and counted by a sync', () => {
  const lines = '{"type":"session","version":3,"id":"019e19b4","cwd":"/home/me/shop"}\n';
  const path = join(home.path, 'pi.jsonl');
  writeFileSync(path, lines);
  fails(['register', path], 65, 'Claude Code, Codex CLI, Gemini CLI, OpenCode');
  fails(['import', path, '--project', 'shop'], 65, 'Claude Code, Codex CLI, Gemini CLI, OpenCode');
  home.session('/home/me/shop', ONE, [{ you: 'One' }]);
  writeFileSync(join(home.projects, '-home-me-shop', 'pi.jsonl'), lines);
  expect(home.ok('sync')).toContain('1 new, 1 left out (1 of unknown agents).');
  expect(home.run(['doctor']).stdout).toContain('1 file is not from an agent that Keepsake supports');
});
