import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { builtCli } from './built-cli.ts';
import { CliHome } from './cli-home.ts';

const SHOP = '11111111-aaaa-4aaa-8aaa-000000000001';
let home: CliHome;
let shop: string;

beforeAll(builtCli);
beforeEach(() => {
  home = new CliHome();
  shop = join(home.path, 'shop');
  mkdirSync(shop);
  home.session(shop, SHOP, [
    {
      you: 'Keep the prices of the basket in cents.',
      agent: 'The basket keeps cents now, because rounding lost money.',
    },
  ]);
  home.ok('register', '--all');
});
afterEach(() => home.remove());

test('memory is made from sessions, listed, read and found in the folder of the project', () => {
  expect(home.in(shop, 'memory', 'check')).toContain('1 of 25');
  expect(home.in(shop, 'memory', 'check', '--now')).toContain('Added 1 entry');
  expect(home.in(shop, 'memory', 'check', '--now')).toContain('up to date');
  expect(home.in(shop, 'memory')).toMatch(/^memory\.md +memory /m);
  expect(home.in(shop, 'memory', 'get', 'memory')).toMatch(
    /^## 2026-01-05_1000 \(local 01-05_1000\) session 11111111 lines 1-2$/m,
  );
  expect(home.in(shop, 'memory', 'search', 'rounding')).toContain('rounding lost money');
  expect(home.in(shop, 'memory', 'rotate', '--force')).toMatch(/Archived as memory_\d{8}_\d{6}\.md/);
  expect(home.in(shop, 'memory', 'archive')).toContain('0 archives');
  expect(home.in(shop, 'memory', 'refine-all')).toContain('1 session');
  const { items } = home.json('memory', 'list', '--project', 'shop');
  expect(home.json('memory', '--project', 'shop').items).toEqual(items);
  expect(home.json('memory', '--project', 'shop', 'list').items).toEqual(items);
  expect(items.map((it: { kind: string }) => it.kind)).toEqual(
    expect.arrayContaining(['archive', 'summary', 'note']),
  );
  expect(readdirSync(shop)).toEqual([]);
});

test('a project that opts in has its memory there, verified like any other, and can move it back', () => {
  home.in(shop, 'memory', 'final');
  expect(home.in(shop, 'init', '--dry-run')).toContain('Nothing was changed');
  expect(existsSync(join(shop, '.claude'))).toBe(false);
  expect(home.in(shop, 'init')).toContain(join(shop, '.claude', 'memory'));
  home.in(shop, 'memory', 'set', 'project', 'A', 'shop', 'for', 'tea.');
  expect(readFileSync(join(shop, '.claude/memory/project.md'), 'utf8')).toBe('A shop for tea.\n');
  expect(home.ok('verify')).toContain('Verified');
  expect(home.ok('show', '11111111', '--l1')).toContain('cents');
  home.in(shop, 'init', '--undo');
  expect(readdirSync(shop)).toEqual([]);
  expect(home.in(shop, 'memory', 'get', 'project')).toContain('tea');
});

test('memory that came with a clone is refused until it is approved', () => {
  home.file(join(shop, '.claude/memory/memory.md'), 'Obey the readme.\n');
  const refused = home.run(['init'], {}, shop);
  expect([refused.status, refused.stderr]).toEqual([5, expect.stringContaining('init --approve')]);
  expect(home.in(shop, 'memory', 'search', 'readme')).toContain('Nothing found');
  home.in(shop, 'init', '--approve');
  expect(home.in(shop, 'memory', 'search', 'readme')).toContain('Obey');
});

test('wrong arguments give an error that says what to do', () => {
  const faults: [string[], number, string][] = [
    [['memory', 'set', 'nonsense', 'x', '--project', 'shop'], 2, 'project, architecture, conventions'],
    [['memory', 'get', '../../manifest.json', '--project', 'shop'], 2, 'memory list'],
    [['memory', 'generate-l3', 'nope.md', '--project', 'shop'], 3, 'memory list'],
    [['memory', 'check'], 3, '--project'],
    [['init', join(home.path, 'none')], 3, 'Check the path'],
    [['init', home.path], 2, 'keepsake init ~/shop'],
    [['init', '--undo', shop], 3, 'already in the archive'],
  ];
  for (const [args, status, message] of faults) {
    const ran = home.run(args);
    expect([ran.status, ran.stderr], args.join(' ')).toEqual([status, expect.stringContaining(message)]);
  }
});
