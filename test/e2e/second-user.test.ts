import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, lstatSync, mkdirSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { editText } from '../../src/entrypoints/cli/edit-text.ts';
import { builtCli, LAUNCHER } from './built-cli.ts';
import { CliHome } from './cli-home.ts';

/** Someone else on this machine. Only root can act as two users; as anyone else the rights of the files are looked at. */
const OTHER = 65534;
const isRoot = process.getuid?.() === 0;
const ID = 'cccccccc-1111-4111-8111-111111111111';
const SECRET = 'the lighthouse keeper hides the spare key';

let home: CliHome;
let server: ChildProcess;
let address: { url: string; port: number };

beforeAll(async () => {
  const remove = builtCli();
  // The most careless of machines: everything that is made may be read by all, unless the program sees to it.
  const before = process.umask(0);
  home = new CliHome();
  chmodSync(home.path, 0o755);
  home.session(join(home.path, 'app'), ID, [
    { you: `Always remember: ${SECRET}.`, agent: 'I will remember it.' },
    { you: 'Which way leads to the gallery?', agent: 'The stairs behind the lamp room.' },
  ]);
  const said = `${SECRET} ##keepit1.00## never paint the lamp.`;
  home.session(join(home.path, 'app'), `${ID.slice(0, -1)}2`, [{ you: said, agent: 'Never.' }]);
  home.ok('sync');
  home.ok('compress', ID, '--level', 'aggressive');
  home.ok('compose', 'lamp', '--sessions', ID, '--budget', '2000');
  home.ok('recall', 'lighthouse');
  home.ok('export', '--all', '--out', join(home.path, 'out.tar.gz'));
  server = spawn(process.execPath, [LAUNCHER, 'serve', '--json', '--port', '0'], {
    env: { PATH: process.env.PATH, HOME: home.path, TZ: 'UTC' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  address = await new Promise((resolve) =>
    server.stdout?.once('data', (line) => resolve(JSON.parse(String(line)))),
  );
  process.umask(before);
  return remove;
});
afterAll(() => {
  server?.kill('SIGKILL');
  home?.remove();
});

const inArchive = () => readdirSync(home.archive, { recursive: true, encoding: 'utf8' });

/** A program of the other user's: prints what it got. */
function asOther(script: string, ...args: string[]): string {
  const ran = spawnSync(process.execPath, ['-e', script, ...args], {
    cwd: '/',
    encoding: 'utf8',
    env: { PATH: process.env.PATH },
    uid: OTHER,
    gid: OTHER,
  });
  return `${ran.stdout}${ran.stderr}`;
}

describe('another user of the machine', () => {
  test('has no access to any file or folder of the archive, nor to exports', () => {
    const names = inArchive();
    expect(names.length).toBeGreaterThan(20);
    const open = [
      ...names.map((name) => join(home.archive, name)),
      home.archive,
      join(home.path, 'out.tar.gz'),
    ].filter((path) => !lstatSync(path).isSymbolicLink() && (lstatSync(path).mode & 0o077) !== 0);
    expect(open).toEqual([]);
  });

  test.runIf(isRoot)('reads no file, even by its exact name, and lists no folder', () => {
    const tries = `const fs = require('node:fs'); let got = 0;
      for (const path of JSON.parse(process.argv[1])) {
        try { fs.readFileSync(path); got++; console.log('read', path); } catch (error) { if (error.code !== 'EACCES') console.log(error.code, path); }
        try { fs.readdirSync(path); console.log('listed', path); } catch {}
      } console.log('got', got);`;
    const paths = inArchive().map((name) => join(home.archive, name));
    expect(asOther(tries, JSON.stringify([home.archive, ...paths])).trim()).toBe('got 0');
  });

  test.runIf(isRoot)('gets no answer from the server, whose token it can’t read', () => {
    const tries = `(async () => { for (const path of ['/', '/api/memory/sessions', '/api/memory/search?q=lighthouse', '/api/tickets', '/mcp'])
      for (const method of ['GET', 'POST']) {
        const answer = await fetch(process.argv[1] + path, { method, redirect: 'manual', headers: { 'content-type': 'application/json' } });
        console.log(answer.status, (await answer.text()).includes('lighthouse'));
      } })()`;
    const answers = asOther(tries, new URL(address.url).origin).trim().split('\n');
    expect(answers).toHaveLength(10);
    for (const answer of answers) expect(answer).toMatch(/^(?:200|401|403|404|405) false$/);
    expect(answers.filter((answer) => answer.startsWith('200')).length).toBeLessThanOrEqual(1);
  });

  test.runIf(isRoot)(
    'that plants links in the shared temporary folder changes no file and sees no text',
    async () => {
      const shared = join(home.path, 'shared-tmp');
      mkdirSync(shared);
      chmodSync(shared, 0o1777);
      const bait = home.file(join(home.path, 'bait.txt'), 'as it was');
      const names = [
        'keepsake',
        'keepsake-edit',
        'keepsake-edit-',
        'keepsake-index-',
        'settings.json',
        'index.sqlite',
        'node-compile-cache',
      ];
      for (const name of names) {
        symlinkSync(bait, join(shared, name));
      }
      // The editor is where a temporary file is open for longest.
      const look = `stat -c '%a %F' "$(dirname "$1")" "$1"; setpriv --reuid ${OTHER} --regid ${OTHER} --clear-groups cat "$1" 2>&1 | sed 's/.*: //'; ls "${shared}" | wc -l`;
      const editor = home.file(
        join(home.path, 'editor.sh'),
        `#!/bin/sh\n(${look}) > "${home.path}/seen.txt"\n`,
      );
      chmodSync(editor, 0o755);
      vi.stubEnv('TMPDIR', shared);
      const silent = { warn: () => undefined, confirm: async () => false };
      const host = { environment: { editor } };
      expect(await editText({ console: silent, host }, SECRET, async () => undefined)).toBeUndefined();
      vi.unstubAllEnvs();
      const seen = spawnSync('cat', [join(home.path, 'seen.txt')], { encoding: 'utf8' }).stdout.split('\n');
      expect(seen.slice(0, 3)).toEqual(['700 directory', '600 regular file', 'Permission denied']);
      home.run(['sync'], { TMPDIR: shared });
      home.run(['replay'], { TMPDIR: shared });
      expect(spawnSync('cat', [bait], { encoding: 'utf8' }).stdout).toBe('as it was');
      expect(readdirSync(shared).sort()).toEqual([...names].sort());
      for (const name of names) expect(readlinkSync(join(shared, name))).toBe(bait);
    },
  );

  test.runIf(isRoot)('who created the archive’s folder first is named by doctor', () => {
    const trap = join(home.path, 'trap');
    mkdirSync(trap);
    chownSync(trap, OTHER, OTHER);
    chmodSync(trap, 0o777);
    const { stdout } = home.run(['doctor', '--json'], { CLAUDE_MEMORY_DIR: trap });
    const found: { level: string; message: string }[] = JSON.parse(stdout).items;
    expect(found.filter(({ level }) => level === 'error').map(({ message }) => message)).toContainEqual(
      expect.stringContaining('belongs to another user'),
    );
  });
});
