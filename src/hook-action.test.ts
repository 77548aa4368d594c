import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sanitizePath } from './core/model/ids.ts';
import { injectionsFile } from './core/model/injection.ts';
import { answerAction } from './hook-action.ts';

const ID = '11111111-aaaa-4aaa-8aaa-000000000001';
const PROJECT = '-srv-shop';
const KEY = 'c hk install hk';
let root: string;
let cwd: string;
let log: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'keepsake-action-'));
  cwd = join(root, 'shop');
  log = join(root, 'projects', PROJECT, injectionsFile(ID));
  const actions = join(root, 'cache', 'hooks', 'actions');
  for (const folder of [cwd, actions, dirname(log)]) mkdirSync(folder, { recursive: true });
  const form = { kind: 'missing', program: 'hk', subcommand: 'install', word: 'hk' };
  const note = { key: KEY, ...form, text: '> `hk` was not found here', session: 'alpha001' };
  const stored = { version: 1, project: PROJECT, root: cwd, tokens: 120 };
  writeFileSync(
    join(actions, `${sanitizePath(cwd)}.commands.json`),
    JSON.stringify({ ...stored, notes: { commands: [note], errors: {} } }),
  );
});
afterEach(() => rmSync(root, { recursive: true }));

const row = (id: string) =>
  JSON.stringify({ text: `what ${id} says`, sources: [{ session: 'alpha001', id }] });
const runs = (command: string) =>
  answerAction(
    JSON.stringify({
      ...{ session_id: ID, transcript_path: '', cwd, hook_event_name: 'PreToolUse' },
      ...{ tool_name: 'Bash', tool_input: { command } },
    }),
    root,
    () => new Date('2026-01-05T10:00:00Z'),
  );
const logged = () => readFileSync(log, 'utf8').split('\n');

test.each([
  ['before', [row('other').slice(0, 30), row(KEY)]],
  ['after', [row(KEY), row('other').slice(0, 30)]],
])('what was said is not said again where the log has a torn line: %s', (_, lines) => {
  const before = `${lines.join('\n')}\n`;
  writeFileSync(log, before);
  expect(runs('hk install')).toBe(true);
  expect(readFileSync(log, 'utf8')).toBe(before);
});

test('what is said after torn lines has its own line, and is said once', () => {
  const torn = row('other').slice(0, 30);
  writeFileSync(log, `null\n{}\n${torn}`);
  runs('hk install');
  runs('hk install');
  const [before, said = '', ...rest] = logged().slice(2);
  expect(before).toBe(torn);
  expect(JSON.parse(said)).toMatchObject({ on: 'action', sources: [{ id: KEY }] });
  expect(rest).toEqual(['']);
});
