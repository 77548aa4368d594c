import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import { sync } from '../sync/sync.ts';
import { recallAtHand } from './at-hand.ts';

let world: TestWorld;
let shop = '';
beforeEach(() => {
  world = makeWorld();
  shop = join(world.places.home, 'shop');
  mkdirSync(shop);
  world.places.cwd = shop;
});
afterEach(() => world.remove());

function git(...args: string[]): void {
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'init.defaultBranch=main'];
  const { status, stderr } = spawnSync('git', [...who, ...args], { cwd: shop, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}

/** A session that edits files and commits, a minute a line. */
function session(
  id: string,
  day: string,
  ask: string,
  { files, subject }: { files: string[]; subject: string },
) {
  let minute = 0;
  const line = (type: string, content: unknown) =>
    JSON.stringify({
      type,
      cwd: shop,
      sessionId: id,
      version: '2.1.0',
      userType: 'external',
      isSidechain: false,
      uuid: `${id}-${minute}`,
      timestamp: `${day}T10:${String(minute++).padStart(2, '0')}:00.000Z`,
      message: { role: type, content },
    });
  const call = (name: string, input: object) => {
    const tool = `${id}-call-${minute}`;
    return [
      line('assistant', [{ type: 'tool_use', id: tool, name, input }]),
      line('user', [{ type: 'tool_result', tool_use_id: tool, content: 'ok' }]),
    ];
  };
  const lines = [
    line('user', ask),
    ...files.flatMap((file) =>
      call('Edit', { file_path: join(shop, file), old_string: 'a', new_string: 'b' }),
    ),
    ...call('Bash', { command: `git commit -m "${subject}"` }),
    line('assistant', [{ type: 'text', text: 'Committed.' }]),
  ];
  const folder = join(world.projects, shop.replace(/[^A-Za-z0-9]/g, '-'));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${id}.jsonl`), `${lines.join('\n')}\n`);
}

/** A session that runs commands, all of which pass, and says something at its end. */
function runs(id: string, commands: string[], said = 'Done.') {
  let minute = 0;
  const line = (type: string, content: unknown) =>
    JSON.stringify({
      type,
      cwd: shop,
      sessionId: id,
      version: '2.1.0',
      userType: 'external',
      isSidechain: false,
      uuid: `${id}-${minute}`,
      timestamp: `2026-01-05T10:${String(minute++).padStart(2, '0')}:00.000Z`,
      message: { role: type, content },
    });
  const calls = commands.flatMap((command, at) => [
    line('assistant', [{ type: 'tool_use', id: `${id}-${at}`, name: 'Bash', input: { command } }]),
    line('user', [{ type: 'tool_result', tool_use_id: `${id}-${at}`, content: 'ok' }]),
  ]);
  const lines = [
    line('user', 'Please run them.'),
    ...calls,
    line('assistant', [{ type: 'text', text: said }]),
  ];
  const folder = join(world.projects, shop.replace(/[^A-Za-z0-9]/g, '-'));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${id}.jsonl`), `${lines.join('\n')}\n`);
}

test('why a line is as it is: its commit, the session that made it, and what changed since', async () => {
  const [first, second] = ['11111111-aaaa-4aaa-8aaa-000000000001', '22222222-aaaa-4aaa-8aaa-000000000001'];
  session(first, '2026-01-05', 'Round prices half up.', {
    files: ['price.ts', 'total.ts'],
    subject: 'feat: round prices half up',
  });
  session(second, '2026-01-09', 'Now the totals.', { files: ['total.ts'], subject: 'feat: totals' });
  await sync(world);
  git('init', '-q');
  writeFileSync(join(shop, 'price.ts'), 'export const cents = 1;\nexport const half = 0.5;\n');
  git('add', '.');
  git('commit', '-q', '--date=2026-01-05T10:04:00Z', '-m', 'feat: round prices half up');
  writeFileSync(join(shop, 'price.ts'), 'export const cents = 1;\nexport const half = 0.50;\n');
  git('commit', '-qa', '--date=2026-03-05T10:04:00Z', '-m', 'style: by hand');

  const whole = await recallAtHand(world, { file: 'price.ts' });
  expect(whole.text).toContain('## Commits that its lines are from');
  expect(whole.text).toMatch(
    new RegExp(
      `commit [0-9a-f]{10}, .*, session ${first.slice(0, 8)}, 1 file changed since\\n> feat: round prices half up\\n> line 1`,
    ),
  );
  expect(whole.text).toMatch(/commit [0-9a-f]{10}, .*, no session of this archive\n> style: by hand/);
  const line = await recallAtHand(world, { file: 'price.ts:1' });
  expect(line.text).toContain('## Commit of line 1\n');
  expect(line.text).not.toContain('style: by hand');
  // Its own session is the last that changed it.
  expect((await recallAtHand(world, { file: 'total.ts' })).text).toMatch(
    new RegExp(`session ${second.slice(0, 8)}, [^,\\n]*\\n`),
  );
});

test('without a repository sessions and decisions are still listed', async () => {
  session('33333333-aaaa-4aaa-8aaa-000000000001', '2026-01-05', 'Round.', {
    files: ['price.ts'],
    subject: 'feat: round',
  });
  await sync(world);
  const { text } = await recallAtHand(world, { file: 'src/price.ts:3' });
  expect(text).toContain('## Sessions that changed it');
  expect(text).not.toContain('Commit of line');
});

test('the form of a command that was asked for comes before those that ran more often', async () => {
  runs('b1', ['mise run lint', 'mise run lint', 'mise run test:ci']);
  await sync(world);
  const { text } = await recallAtHand(world, { command: 'mise run test:ci' });
  expect(text.indexOf('mise run test:ci\n')).toBeLessThan(text.indexOf('mise run lint'));
  expect(text).toContain('passed once');
  expect(text).toContain('passed 2 times');
});

test('an error that no other command mended is answered with what was said of it, or not at all', async () => {
  runs('b2', ['make oven'], 'The oven overflows: FlourPortalClosed at gate 7, since the hatch was shut.');
  await sync(world);
  const { text } = await recallAtHand(world, { error: 'Error: FlourPortalClosed at gate 7' });
  expect(text).toContain('since the hatch was shut');
  expect((await recallAtHand(world, { error: 'Error: SaltGateMissing in tower 9' })).text).toBe('');
});

test('words of an error all over an exchange are no answer to it', async () => {
  runs('b3', ['make oven'], 'The hatch timed out. I found the gate.\n\nThe command of the tower is new.');
  await sync(world);
  expect((await recallAtHand(world, { error: 'command not found: hatch' })).text).toBe('');
  expect((await recallAtHand(world, { error: 'x y z' })).text).toBe('');
});

test('a file is not another one whose name ends the same, or of another folder', async () => {
  session('44444444-aaaa-4aaa-8aaa-000000000001', '2026-01-05', 'Round.', {
    files: ['old-price.ts'],
    subject: 'fix: keep old-price.ts and cart/price.ts as they are',
  });
  await sync(world);
  const ask = async (file: string) => (await recallAtHand(world, { file })).text;
  expect(await ask('old-price.ts')).toContain('as they are');
  expect(await ask('cart/price.ts')).toContain('as they are');
  expect(await ask('price.ts')).toContain('as they are');
  expect(await ask('shelf/price.ts')).toBe('');
  expect(await ask('e.ts')).toBe('');
});

test('an error that edits mended is answered with what was changed, also where another file has it', async () => {
  const id = '55555555-aaaa-4aaa-8aaa-000000000001';
  let minute = 0;
  const line = (type: string, content: unknown) =>
    JSON.stringify({
      type,
      cwd: shop,
      sessionId: id,
      version: '2.1.0',
      userType: 'external',
      isSidechain: false,
      uuid: `${id}-${minute}`,
      timestamp: `2026-01-05T10:${String(minute++).padStart(2, '0')}:00.000Z`,
      message: { role: type, content },
    });
  const call = (name: string, input: object, failed?: string) => [
    line('assistant', [{ type: 'tool_use', id: `${id}-${minute + 1}`, name, input }]),
    line('user', [
      {
        type: 'tool_result',
        tool_use_id: `${id}-${minute}`,
        content: failed ?? 'ok',
        ...(failed === undefined ? {} : { is_error: true }),
      },
    ]),
  ];
  const error = (file: string) => `${file}:12:2: result of heat() call is not checked (errcheck)`;
  const change = { old_string: 'heat(3)', new_string: 'const hot = heat(3)' };
  const lines = [
    line('user', 'Make the linter happy.'),
    ...call('Bash', { command: 'make lint' }, `Exit code 1\n${error('src/oven.go')}`),
    ...call('Edit', { file_path: join(shop, 'src/oven.go'), ...change }),
    ...call('Bash', { command: 'make lint' }),
    line('assistant', [{ type: 'text', text: 'It passes.' }]),
  ];
  const folder = join(world.projects, shop.replace(/[^A-Za-z0-9]/g, '-'));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${id}.jsonl`), `${lines.join('\n')}\n`);
  await sync(world);
  for (const file of ['src/oven.go', 'src/kettle.go']) {
    const { text } = await recallAtHand(world, { error: `ok\n${error(file)}\n2 problems` });
    expect(text).toContain('## What fixed this error\n');
    expect(text).toContain(`session ${id.slice(0, 8)}`);
    expect(text).toContain('edited: src/oven.go');
    expect(text).toContain('+const hot = heat(3)');
  }
  const other = await recallAtHand(world, { error: 'src/oven.go:12:2: unused import of the lid (unused)' });
  expect(other.text).not.toContain('What fixed this error');
});
