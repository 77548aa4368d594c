import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';

const BIN = join(import.meta.dirname, '..', '..', 'bin');
const scratch = mkdtempSync(join(tmpdir(), 'keepsake-launcher-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Stands where the built program stands: tells what it runs on, or waits for a signal. */
const PROGRAM = `
const [mode, ...rest] = process.argv.slice(2);
if (mode === 'tell') {
  console.log(JSON.stringify({ node: process.versions.node, rest, ran: process.env.KEEPSAKE_RERUN ?? '' }));
  process.exitCode = Number(rest[0]);
} else {
  if (mode === 'catch') process.on(rest[0], () => { console.log('caught ' + rest[0]); process.exit(5); });
  setInterval(() => {}, 1000);
  console.log('ready');
}
`;

/** A checkout with the real launcher: built or not, with a Node of its own in node_modules or without. */
function checkout({ built = true, bundled = true } = {}): string {
  const root = mkdtempSync(join(scratch, 'checkout-'));
  cpSync(BIN, join(root, 'bin'), { recursive: true });
  if (built) {
    mkdirSync(join(root, 'dist'));
    writeFileSync(join(root, 'dist', 'cli.cjs'), PROGRAM);
  }
  if (bundled) {
    const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
    mkdirSync(join(root, 'node_modules', name, 'bin'), { recursive: true });
    const file = process.platform === 'win32' ? 'node.exe' : 'node';
    symlinkSync(process.execPath, join(root, 'node_modules', name, 'bin', file));
  }
  return join(root, 'bin', 'keepsake');
}

/** The launcher's own check, taken out of its source: a test cannot change the version of the Node it runs on. */
function versionCheck(): (version: string) => boolean {
  const source = readFileSync(join(BIN, 'keepsake'), 'utf8');
  const found = /function goodEnough\(version\) \{[\s\S]*?\n\}/.exec(source);
  expect(found, 'bin/keepsake has a function goodEnough').not.toBeNull();
  return new Function(`${found?.[0]}; return goodEnough;`)();
}

const goodEnough = versionCheck();

/** The machine's own Node, outside any node_modules, if it is too old for Keepsake. */
function findOldNode(): string | undefined {
  for (const dir of (process.env.PATH ?? '').split(delimiter)) {
    const node = join(dir, process.platform === 'win32' ? 'node.exe' : 'node');
    if (dir.includes('node_modules') || !existsSync(node)) continue;
    const { stdout } = spawnSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' });
    return goodEnough(stdout.trim()) ? undefined : node;
  }
  return undefined;
}

const oldNode = findOldNode();

function run(node: string, launcher: string, args: string[], env: NodeJS.ProcessEnv = {}) {
  const clean = { ...process.env, ...env };
  if (!env.KEEPSAKE_RERUN) delete clean.KEEPSAKE_RERUN;
  return spawnSync(node, [launcher, ...args], { encoding: 'utf8', env: clean });
}

async function started(node: string, launcher: string, args: string[]): Promise<ChildProcess> {
  const { KEEPSAKE_RERUN: _, ...env } = process.env;
  const child = spawn(node, [launcher, ...args], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return child;
}

test('versions with a safe SQLite are accepted, all others are not', () => {
  const good = ['22.22.3', '22.23.0', '24.15.0', '24.21.0', '26.0.0', '27.1.0'];
  const bad = ['18.20.8', '20.20.2', '22.13.0', '22.22.2', '23.11.0', '24.14.9', '25.9.0'];
  expect(good.filter((version) => !goodEnough(version))).toEqual([]);
  expect(bad.filter(goodEnough)).toEqual([]);
});

test('a checkout that is not built says what to run, and exits 78', () => {
  const { status, stderr, stdout } = run(process.execPath, checkout({ built: false }), ['sessions']);
  expect(status).toBe(78);
  expect(stderr).toContain('not built yet. Run: npm ci && npm run build');
  expect(stdout).toBe('');
});

test('on a Node that is new enough the program runs in the same process, with its exit code', () => {
  const { status, stdout } = run(process.execPath, checkout({ bundled: false }), [
    'tell',
    '7',
    'a b',
    '--json',
  ]);
  expect(JSON.parse(stdout)).toEqual({ node: process.versions.node, rest: ['7', 'a b', '--json'], ran: '' });
  expect(status).toBe(7);
});

// Nothing to see on a machine whose own Node is new enough; the version check above is tested everywhere.
describe.skipIf(!oldNode)('with a Node that is too old', () => {
  const node = oldNode as string;

  test('the launcher runs itself again on the Node from npm, with the same arguments and exit code', () => {
    const { status, stdout } = run(node, checkout(), ['tell', '7', 'a b', '--json']);
    expect(JSON.parse(stdout)).toEqual({
      node: process.versions.node,
      rest: ['7', 'a b', '--json'],
      ran: '1',
    });
    expect(status).toBe(7);
  });

  test('without another Node it says which version is needed and exits 78', () => {
    const { status, stderr, stdout } = run(node, checkout({ bundled: false }), ['tell', '0']);
    expect(status).toBe(78);
    expect(stderr).toMatch(
      /Node \d+\.\d+\.\d+ is too old\. Keepsake needs Node 22\.22\.3, 24\.15, 26 or newer/,
    );
    expect(stdout).toBe('');
  });

  test('a second run that is still too old stops instead of starting a third', () => {
    const { status, stderr } = run(node, checkout(), ['tell', '0'], { KEEPSAKE_RERUN: '1' });
    expect(status).toBe(78);
    expect(stderr).toContain('too old');
  });

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    '%s reaches the program, which may end in its own way',
    async (signal) => {
      const child = await started(node, checkout(), ['catch', signal]);
      const said = once(child.stdout as NodeJS.ReadableStream, 'data');
      child.kill(signal);
      const [[text], [code]] = await Promise.all([said, once(child, 'exit')]);
      expect([String(text).trim(), code]).toEqual([`caught ${signal}`, 5]);
    },
  );

  test('when a signal ends the program, the same signal ends the launcher', async () => {
    const child = await started(node, checkout(), ['wait']);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([null, 'SIGTERM']);
  });
});
