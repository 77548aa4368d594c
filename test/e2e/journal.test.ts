import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { builtCli } from './built-cli.ts';
import { CliHome } from './cli-home.ts';

const ONE = '11111111-aaaa-4aaa-8aaa-000000000001';
const TWO = '22222222-aaaa-4aaa-8aaa-000000000002';
const TEA =
  "Let's keep the prices of the tea basket in cents rather than in floats, since rounding loses money.";
let home: CliHome;
let shop: string;
const memory = (...parts: string[]) => join(shop, '_memory', ...parts);

beforeAll(builtCli);
beforeEach(() => {
  home = new CliHome();
  shop = join(home.path, 'shop');
  mkdirSync(shop);
  home.session(shop, ONE, [
    { you: TEA, agent: 'The basket keeps cents now; the root cause was `toFixed` in `price.ts`.' },
  ]);
});
afterEach(() => home.remove());

test('from sessions to the journal of a project, with nothing written without a request', () => {
  expect(home.in(shop, 'summarize', '--print')).toContain(`**Decision:** "${TEA}`);
  expect(readdirSync(shop)).toEqual([]);
  expect(home.in(shop, 'summarize')).toContain(`Saved ${memory('conversations', `${ONE}.md`)}`);
  expect(home.in(shop, 'summarize')).toContain('No changes');
  expect(home.in(shop, 'synthesize', '--dry-run', '--diff')).toContain('+ # Project Memory');
  expect(existsSync(memory('master.md'))).toBe(false);
  expect(home.in(shop, 'synthesize')).toContain('1 conversation (1 new)');
  expect(home.in(shop, 'synthesize')).toContain('Unchanged');
  const text = readFileSync(memory('master.md'), 'utf8');
  expect(text).toMatch(/## Key Decisions\n- "Let's keep the prices.*" → .* \(2026-01-05 11111111\)/);
  expect(home.in(shop, 'recall')).toContain('_memory/master.md, made on');
  const { saved, conversations } = JSON.parse(home.in(shop, 'synthesize', '--json'));
  expect([saved, conversations]).toEqual([false, 1]);
  home.ok('verify');
});

test('synthesis runs automatically if that is switched on, and sections follow the content', () => {
  home.ok('config', 'set', 'synthesis.autoAfter', '2');
  home.ok('config', 'set', 'synthesis.sections', 'content');
  home.in(shop, 'summarize');
  expect(existsSync(memory('master.md'))).toBe(false);
  home.session(shop, TWO, [
    {
      you: 'Please put the tea kinds into `kinds.json` rather than into code.',
      agent: 'Moved the kinds of tea from the code into `kinds.json`.',
    },
  ]);
  expect(home.in(shop, 'summarize', TWO)).toContain('_memory/master.md');
  expect(readFileSync(memory('master.md'), 'utf8')).not.toContain('## Key Decisions');
});

test('the user’s own text is read from a file; anything else is refused with a reason', () => {
  const text = home.file(
    join(home.path, 'mine.md'),
    '# Tea\n\n## Context\nPrices.\n\n## Tracking Points\n- **Decision:** cents\n',
  );
  home.in(shop, 'summarize', ONE, '--from', text);
  expect(readFileSync(memory('conversations', `${ONE}.md`), 'utf8')).toContain('- **Decision:** cents');
  const bad = home.file(join(home.path, 'bad.md'), 'x'.repeat(2_000_000));
  for (const args of [
    ['--from', bad],
    ['--from', join(home.path, 'none.md')],
    ['--scope', '../up'],
    ['--from', '-'],
  ]) {
    const { status, stderr } = home.run(['summarize', ONE, ...args], {}, shop);
    expect(status).not.toBe(0);
    expect(stderr).not.toContain('    at ');
  }
  const over = home.run(['summarize', ONE], {}, shop);
  expect(over.stderr).toContain('--replace');
});

test('a page of a project that has no folder here is shown, and saved nowhere', () => {
  const elsewhere = join(home.path, 'elsewhere');
  mkdirSync(elsewhere);
  home.ok('sync');
  rmSync(shop, { recursive: true });
  const refused = home.run(['summarize', ONE], {}, elsewhere);
  expect([refused.status, refused.stdout]).toEqual([3, '']);
  expect(refused.stderr).toContain(`is not on this machine: ${shop}`);
  expect(refused.stderr).toContain('--print');
  expect(home.in(elsewhere, 'summarize', ONE, '--print')).toMatch(/^# /);
  expect(home.in(elsewhere, 'summarize', '--project', 'shop', '--print')).toMatch(/^# /);
  expect(readdirSync(elsewhere)).toEqual([]);
  expect(home.in(elsewhere, 'recall')).toMatch(/^# Memory of all projects/);
});

test('a journal that came with a clone waits for the user, and CLAUDE.md is only changed on request', () => {
  home.in(shop, 'summarize');
  home.in(shop, 'synthesize');
  rmSync(memory('.keepsake'));
  const refused = home.run(['synthesize'], {}, shop);
  expect(refused.status).not.toBe(0);
  expect(refused.stderr).toContain('--approve');
  expect(home.in(shop, 'recall')).not.toContain('_memory/master.md, made on');
  expect(home.run(['init', '--claude-md'], {}, shop).status).not.toBe(0);
  home.in(shop, 'synthesize', '--approve');
  writeFileSync(join(shop, 'CLAUDE.md'), 'Mine.');
  home.in(shop, 'init', '--claude-md');
  expect(readFileSync(join(shop, 'CLAUDE.md'), 'utf8')).toBe('Mine.\n@_memory/master.md\n');
});
