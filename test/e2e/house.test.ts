import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { once } from '../../src/core/text/once.ts';
import { moduleState } from '../made/module-state.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const scratch = mkdtempSync(join(tmpdir(), 'keepsake-house-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const manifest = JSON.parse(read('package.json'));
const withoutFences = (markdown: string) => markdown.replace(/^```[\s\S]*?^```/gm, '');
const fences = (markdown: string) =>
  [...markdown.matchAll(/^```\w*\n([\s\S]*?)^```/gm)].map((m) => m[1] ?? '');

function committedFiles(): string[] {
  // The checkout may belong to another user than the one who runs the tests.
  const git = spawnSync('git', ['-c', 'safe.directory=*', 'ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' });
  expect(git.status, git.stderr).toBe(0);
  return git.stdout.split('\0').filter((path) => path !== '' && existsSync(join(ROOT, path)));
}

test('differences between systems are in one file: others only pass it the name of the system', () => {
  const others = committedFiles().filter((path) => /^src\/.*(?<!\.test)\.ts$/.test(path));
  const known = /(?:platformOf|browserCommand|editorCommand|editorDataFolder)\(\s*process\.platform\b/g;
  const apart = others.filter((path) => /process\.platform/.test(read(path).replace(known, '')));
  expect(others.some((path) => /process\.platform/.test(read(path)))).toBe(true);
  expect(apart).toEqual([]);
});

describe('ARCHITECTURE.md', () => {
  const text = read('ARCHITECTURE.md');
  const quoted = [...withoutFences(text).matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? '');
  const paths = quoted.filter((word) =>
    /^\.?[a-z][\w.-]*(\/[\w.-]+)+\/?$|^\.?[\w-]+(\.[\w-]+)*\.(ts|c?js|mjs|json|md)$/i.test(word),
  );

  test('names only paths that exist', () => {
    expect(paths.length).toBeGreaterThan(20);
    expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  test('names every folder of src', () => {
    const folders = committedFiles()
      .filter((path) => path.startsWith('src/'))
      .map((path) => dirname(path))
      .map((path) => path.split('/').slice(0, 3).join('/'));
    expect(
      [...new Set(folders)].filter((folder) => folder !== 'src' && !text.includes(`\`${folder}`)),
    ).toEqual([]);
  });

  test('shows data only where there are folders', () => {
    const folders = fences(text).flatMap(
      (fence) => fence.match(/\b(?:adapters|app|core)\/[\w-]+(?:\/[\w-]+)*/g) ?? [],
    );
    expect(folders.length).toBeGreaterThan(10);
    expect(folders.filter((path) => !existsSync(join(ROOT, 'src', path)))).toEqual([]);
  });

  test('lists the rooms in the order of the import rule', () => {
    const listed = [...text.matchAll(/^\| `src\/app\/([\w-]+)\/` \|/gm)].map((row) => row[1]);
    const rooms = /ROOMS = \[([^\]]+)\]/.exec(read('.dependency-cruiser.cjs'))?.[1] ?? '';
    expect(listed).toEqual([...rooms.matchAll(/'([\w-]+)'/g)].map((room) => room[1]));
    expect(listed.length).toBeGreaterThan(10);
  });

  test('has at most 300 lines', () => {
    expect(text.split('\n').length).toBeLessThanOrEqual(300);
  });
});

describe('import rules', () => {
  /** The live tree's source and rules, in a place where a rule can be broken. */
  function copyOfTheTree(): string {
    const tree = mkdtempSync(join(scratch, 'tree-'));
    const parts = [
      'src',
      'scripts',
      'test/made',
      'test/faults',
      'test/contracts',
      'package.json',
      'tsconfig.json',
      '.dependency-cruiser.cjs',
    ];
    for (const path of parts) {
      cpSync(join(ROOT, path), join(tree, path), { recursive: true });
    }
    symlinkSync(join(ROOT, 'node_modules'), join(tree, 'node_modules'), 'junction');
    return tree;
  }

  function cruise(tree: string): { exit: number | null; broken: string[] } {
    const program = join(ROOT, 'node_modules', 'dependency-cruiser', 'bin', 'dependency-cruiser.mjs');
    const args = [program, 'src', '--config', '.dependency-cruiser.cjs', '--output-type', 'err'];
    const run = spawnSync(process.execPath, args, {
      cwd: tree,
      encoding: 'utf8',
      env: { ...process.env, NO_COLOR: '1' },
    });
    expect(run.stdout, run.stderr).toMatch(/\d+ modules, \d+ dependencies cruised/);
    const broken = [...run.stdout.matchAll(/^ *error ([\w-]+): (\S+)/gm)].map(
      ([, rule, from]) => `${from}: ${rule}`,
    );
    return { exit: run.status, broken };
  }

  const planted: Record<string, string> = {
    'src/adapters/one/one.ts': `export const one = 1;`,
    'src/adapters/two/two.ts': `export { one } from '../one/one.ts';`,
    'src/core/text/reaches-out.ts': `export { one } from '../../adapters/one/one.ts';`,
    'src/core/text/reads-files.ts': `export { readFileSync } from 'node:fs';`,
    'src/core/keepit/stage.ts': `export { stage } from '../layers/planted-stage.ts';`,
    'src/core/layers/planted-stage.ts': `export const stage = 1;`,
    'src/app/knows-an-adapter.ts': `export { one } from '../adapters/one/one.ts';`,
    'src/entrypoints/knows-an-adapter.ts': `export { one } from '../adapters/one/one.ts';`,
    'src/app/circle.ts': `export { other } from './other.ts';`,
    'src/app/other.ts': `import './circle.ts';\nexport const other = 1;`,
    'src/app/inject/planted.ts': `export const planted = 1;`,
    'src/app/find/looks-ahead.ts': `export { planted } from '../inject/planted.ts';`,
    'src/app/knows-a-room.ts': `export { planted } from './inject/planted.ts';`,
    'src/app/unlisted/room.ts': `export { other } from '../other.ts';`,
  };
  /** One look at both, which is most of what it takes: all that is broken in what was not planted is wrong in the tree. */
  const cruised = once(() => {
    const tree = copyOfTheTree();
    for (const [path, text] of Object.entries(planted)) {
      mkdirSync(dirname(join(tree, path)), { recursive: true });
      writeFileSync(join(tree, path), `${text}\n`);
    }
    return cruise(tree);
  });
  const isPlanted = (finding: string) => Object.hasOwn(planted, finding.slice(0, finding.indexOf(':')));

  test('the current tree passes', () => {
    expect(cruised().broken.filter((finding) => !isPlanted(finding))).toEqual([]);
  });

  test('each broken rule is named, and the check fails', () => {
    const { exit, broken } = cruised();
    expect(exit).not.toBe(0);
    expect(broken).toEqual(
      expect.arrayContaining([
        'src/core/text/reaches-out.ts: core-is-pure',
        'src/core/text/reads-files.ts: core-has-no-io',
        'src/core/keepit/stage.ts: stages-do-not-reach-into-each-other',
        'src/adapters/two/two.ts: adapters-stand-alone',
        'src/app/knows-an-adapter.ts: app-joins-core-and-ports',
        'src/entrypoints/knows-an-adapter.ts: doors-open-on-the-app',
        'src/app/circle.ts: no-circles',
        'src/app/find/looks-ahead.ts: rooms-in-order',
        'src/app/knows-a-room.ts: frame-holds-the-rooms',
        'src/app/unlisted/room.ts: rooms-are-listed',
      ]),
    );
  });
});

describe('lint rules', () => {
  /** Lints files that are not in the tree, by its rules: `path:line` of each finding. */
  function lint(planted: Record<string, string[]>): string[] {
    const tree = mkdtempSync(join(scratch, 'lint-'));
    for (const path of ['biome.json', '.gitignore', 'scripts/lint']) {
      cpSync(join(ROOT, path), join(tree, path), { recursive: true });
    }
    for (const [path, lines] of Object.entries(planted)) {
      mkdirSync(dirname(join(tree, path)), { recursive: true });
      writeFileSync(join(tree, path), `${lines.join('\n')}\n`);
    }
    const program = join(ROOT, 'node_modules', '@biomejs', 'biome', 'bin', 'biome');
    const args = [program, 'lint', '--reporter=json', '--max-diagnostics=none', ...Object.keys(planted)];
    const run = spawnSync(process.execPath, args, { cwd: tree, encoding: 'utf8' });
    const { summary, diagnostics } = JSON.parse(run.stdout);
    expect(summary.unchanged, run.stderr).toBe(Object.keys(planted).length);
    const places = diagnostics.map(
      ({ location }: { location: { path: string; start: { line: number } } }) =>
        `${location.path}:${location.start.line}`,
    );
    return [...new Set<string>(places)].toSorted();
  }

  const everyLine = (path: string, lines: string[]) => lines.map((_, index) => `${path}:${index + 1}`);

  test('the core and the use cases use no clock, no randomness, no network and no machine', () => {
    const impure = [
      `import { randomUUID } from 'node:crypto';`,
      'export const id = randomUUID();',
      'export const now = Date.now();',
      'export const times = [1].map(Date.now);',
      'export const today = new Date();',
      'export const text = Date();',
      'export const chance = Math.random();',
      'export const page = fetch("http://127.0.0.1");',
      'export const pid = process.pid;',
      'export const ticks = performance.now();',
      'export const uuid = crypto.randomUUID();',
      'export const all = globalThis;',
      'export const later = setTimeout(() => 1, 1);',
      'export const often = setInterval(() => 1, 1);',
      'export const soon = setImmediate(() => 1);',
      'console.log(1);',
    ];
    const pure = [
      `import { createHash } from 'node:crypto';`,
      `export const hash = createHash('sha256');`,
      'export const time = new Date(0).toISOString();',
      `export const millis = Date.parse('2026-01-01T00:00:00Z');`,
      'export const most = Math.max(1, 2);',
    ];
    const found = lint({
      'src/core/text/impure.ts': impure,
      'src/core/text/pure.ts': pure,
      'src/core/text/impure.test.ts': impure,
      'src/app/search/impure.ts': impure,
      'src/adapters/clock/impure.ts': impure,
    });
    // Its second line only uses what the first one imports.
    const wrong = (path: string) => everyLine(path, impure).filter((place) => !place.endsWith(':2'));
    expect(found).toEqual(
      [...wrong('src/core/text/impure.ts'), ...wrong('src/app/search/impure.ts')].toSorted(),
    );
  });

  test('no function has more than four parameters', () => {
    const wrong = [
      'export const a = (b: 1, c: 1, d: 1, e: 1, f = 1) => [b, c, d, e, f];',
      'export function g(b: 1, c: 1, d: 1, e: 1, f?: 1) { return [b, c, d, e, f]; }',
      'export class H { i(b: 1, c: 1, d: 1, e: 1, f: 1) { return [b, c, d, e, f, this]; } }',
    ];
    const right = ['export const a = (b: 1, c: 1, d: 1, e = 1) => [b, c, d, e];'];
    const folders = ['src/app/search', 'ui/src/text', 'bench', 'test/e2e'];
    const planted = folders.flatMap((folder) => [
      [`${folder}/wrong.ts`, wrong],
      [`${folder}/right.ts`, right],
    ]);
    expect(lint(Object.fromEntries(planted))).toEqual(
      folders.flatMap((folder) => everyLine(`${folder}/wrong.ts`, wrong)).toSorted(),
    );
  });

  test('no decision depends on a sentence', () => {
    const wrong = [
      `export const a = (error: Error) => error.message.includes('is gone');`,
      `export const b = (error: Error) => error?.message.startsWith('There is no more');`,
      `export const c = (error: unknown) => (error as Error).message.match(/gone/);`,
      `export const d = ({ hint }: { hint?: string }) => hint?.includes('--force');`,
      'export const e = (finding: { message: string }) => /is missing/.test(finding.message);',
      `export const f = (it: { reason: string }) => it.reason === 'It did not fit into the budget.';`,
      `export const g = (notes: string[]) => notes.some((note) => note.endsWith('once.'));`,
    ];
    const right = [
      `export const a = (error: { code: string }) => error.code === 'conflict';`,
      `export const b = (it: { reason: 'aged' | 'asked' }) => it.reason === 'aged';`,
      'export const c = ({ hint }: { hint?: string }) => (hint === undefined ? [] : [hint]);',
      `export const d = (path: string) => path.endsWith('.md');`,
    ];
    const folders = ['src/core/text', 'src/app/search', 'src/entrypoints/cli', 'ui/src/text'];
    const planted = folders.flatMap((folder) => [
      [`${folder}/wrong.ts`, wrong],
      [`${folder}/right.ts`, right],
    ]);
    expect(lint(Object.fromEntries(planted))).toEqual(
      folders.flatMap((folder) => everyLine(`${folder}/wrong.ts`, wrong)).toSorted(),
    );
  });

  test('the core and the use cases parse JSON in one place and catch in few', () => {
    const wrong = [
      `export const a = JSON.parse('{}');`,
      `export const b = ['{}'].map((it) => JSON.parse(it));`,
      'export const c = async (work: Promise<void>) => work.catch(() => undefined);',
      'export const d = async (work: Promise<number>) => work.then((it) => it, () => 0);',
      'export const e = (all: Promise<void>[]) => Promise.allSettled(all);',
      'export function f() { try { return 1; } catch { return 2; } }',
    ];
    const right = [
      `export const a = JSON.stringify({});`,
      'export const b = async (work: Promise<number>) => work.then((it) => it + 1);',
      'export function c(end: () => void) { try { return 1; } finally { end(); } }',
    ];
    const allowed = { 'src/app/or-fault.ts': wrong.slice(2), 'src/core/model/parse-stored.ts': wrong };
    const found = lint({
      'src/core/text/wrong.ts': wrong,
      'src/core/text/right.ts': right,
      'src/app/search/wrong.ts': wrong,
      'src/app/wrong.test.ts': wrong,
      'src/adapters/clock/wrong.ts': wrong,
      ...allowed,
    });
    expect(found).toEqual(
      ['src/core/text/wrong.ts', 'src/app/search/wrong.ts']
        .flatMap((path) => everyLine(path, wrong))
        .toSorted(),
    );
  });
});

describe('the rooms of src/app', () => {
  const MOST_IN_A_ROOM = 25;
  const MOST_IN_THE_FRAME = 15;

  test('stay small', () => {
    const sizes = new Map<string, number>();
    for (const path of committedFiles()) {
      if (!path.startsWith('src/app/') || path.endsWith('.test.ts')) continue;
      sizes.set(dirname(path), (sizes.get(dirname(path)) ?? 0) + 1);
    }
    expect(sizes.size).toBeGreaterThan(10);
    expect(sizes.get('src/app')).toBeLessThanOrEqual(MOST_IN_THE_FRAME);
    expect([...sizes].filter(([, files]) => files > MOST_IN_A_ROOM)).toEqual([]);
  });
});

describe('state of the core between two calls', () => {
  test('is in bounded caches; everything else is named here, with its reason', () => {
    const modules = committedFiles().filter((path) => /^src\/core\/.*(?<!\.test)\.ts$/.test(path));
    expect(modules.length).toBeGreaterThan(200);
    const found = modules.flatMap((path) => moduleState(read(path)).map((name) => `${path}: ${name}`));
    expect(found).toEqual([
      // The last run of signs that is no secret: it has many anchors, and a run of another text changes no result.
      'src/core/text/redact/prefixed.ts: last',
      // The heads of the last four lines: reading is a third faster, and another reader's lines change no result.
      'src/core/transcript/claude-code/envelope.ts: recentHeads',
    ]);
  });

  test('is found', () => {
    const planted = [
      'let last = 0;',
      'const known = new Map<string, number>();',
      'const list: number[] = [];',
      'const memo: Record<string, number> = {};',
      'const total = { sum: 0 };',
      'const words = new Set(["a"]);',
      'const cache = new BoundedCache<string, number>(10);',
      'const pattern = /a/g;',
      'words.add("b");',
      'export function keep(key: string): number {',
      '  known.set(key, 1);',
      '  list[0]! += 1;',
      '  memo[key] = 1;',
      '  total.sum++;',
      '  cache.set(key, 1);',
      '  pattern.lastIndex = 0;',
      '  const own = new Map([[key, 1]]);',
      '  own.set(key, 2);',
      '  return words.size;',
      '}',
    ];
    expect(moduleState(planted.join('\n'))).toEqual(['last', 'known', 'list', 'memo', 'total']);
  });
});

describe('the package', () => {
  test('contains everything it ships (after npm run build)', () => {
    expect(manifest.files.filter((path: string) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  test('the entry of hooks is one small file: most events end there (after npm run build)', () => {
    const entry = read(join('plugin', 'dist', 'hook.cjs'));
    expect(entry).not.toMatch(/require\(["'`]\./);
    expect(entry.length).toBeLessThan(12_000);
    for (const name of ['main', 'store']) {
      const [file = ''] = new RegExp(`\\b${name}-[\\w-]+\\.cjs`).exec(entry) ?? [];
      expect(existsSync(join(ROOT, 'plugin', 'dist', file))).toBe(true);
    }
  });

  test('docs/dependencies.md gives a reason for every dependency, and for nothing else', () => {
    // What the program uses is in the build: an installed package needs nothing else.
    expect(manifest.dependencies).toBeUndefined();
    const wanted = ['devDependencies', 'optionalDependencies'].flatMap((kind) => Object.keys(manifest[kind]));
    const rows = [...read('docs/dependencies.md').matchAll(/^\| `([^`]+)` \| \S.*\|$/gm)].map(
      (row) => row[1],
    );
    expect(rows.toSorted()).toEqual(wanted.toSorted());
  });

  test('the README gives two commands: the one for the tests is what CI runs, the other runs scripts that exist', () => {
    const commands = fences(read('README.md'))
      .flatMap((fence) => fence.split('\n'))
      .map((line) => line.replace(/^\$ /, '').trim())
      .filter((line) => line.startsWith('npm ci'));
    const [main, tests, ...more] = commands;
    expect([commands.length, more]).toEqual([2, []]);
    expect(read('.ci/run').split('\n')).toContain(tests);
    expect(tests).toMatch(/ npm test$/);
    const scripts = [...`${main}`.matchAll(/npm (?:run )?(?!ci\b)([a-z]+)/g)].map((match) => match[1] ?? '');
    expect(scripts.length).toBeGreaterThan(0);
    expect(scripts.filter((script) => !(script in manifest.scripts))).toEqual([]);
  });
});

describe('committed files', () => {
  const files = committedFiles();
  const sources = files.filter((path) => /^(src|test|bench|scripts|ui)\/.*\.(ts|vue)$/.test(path));

  test('name no registry host and no folder of the machine on which they were written', () => {
    const pattern = new RegExp(
      [
        String.raw`\bregistry\.[a-z0-9-]+\.[a-z]{2,}`,
        '"resolved":',
        // Invented people only: the sample's developer, and the short names that tests make up.
        String.raw`/(?:home|Users)/(?!(?:ada|[a-z]|dev|you|me|user)\b)[A-Za-z]`,
        String.raw`/work/(?:main|shared)\b`,
        String.raw`\.\./shared\b`,
      ].join('|'),
      'g',
    );
    const found = files
      .filter((path) => path !== 'test/e2e/house.test.ts' && statSync(join(ROOT, path)).size < 4_000_000)
      .flatMap((path) => [...read(path).matchAll(pattern)].map((match) => `${path}: ${match[0]}`));
    expect(found).toEqual([]);
  });

  test('the sample is about its own developer only', () => {
    const sample = files.filter((path) => path.startsWith('sample/')).map(read);
    const homes = sample.flatMap((text) => text.match(/\/(?:home|Users)\/\w+/g) ?? []);
    expect([...new Set(homes)]).toEqual(['/home/ada']);
  });

  test('source files are short: 300 lines, tests 500', () => {
    const long = (path: string) =>
      read(path).split('\n').length > (/^test\/|\.test\.ts$/.test(path) ? 500 : 300);
    expect(sources.filter(long)).toEqual([]);
  });

  test('source files are named in kebab case after what they do', () => {
    // A Vue file is named as its component is.
    const names = sources
      .filter((path) => path.endsWith('.ts'))
      .map((path) => basename(path).replace(/(\.d|\.test|\.config)?\.ts$/, ''));
    const vague = /(^|-)(manager|helpers?|utils?|services?|common|shared)(-|$)/;
    expect(names.filter((name) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name) || vague.test(name))).toEqual([]);
  });
});
