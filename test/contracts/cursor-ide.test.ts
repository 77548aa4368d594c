import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { cursorIdeFiles } from '../../src/adapters/agents/cursor-ide-files.ts';
import { readLine } from '../../src/core/transcript/read-line.ts';

const CHAT = '11111111-1111-4111-8111-111111111111';
let root: string;
let database: DatabaseSync;

const put = (into: DatabaseSync, table: string, key: string, value: unknown) =>
  into.prepare(`INSERT INTO ${table} VALUES (?, ?)`).run(key, Buffer.from(JSON.stringify(value)));

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'keepsake-cursor-'));
  const user = join(root, 'Cursor', 'User');
  const workspace = join(user, 'workspaceStorage', 'abc');
  mkdirSync(join(user, 'globalStorage'), { recursive: true });
  mkdirSync(workspace, { recursive: true });
  database = new DatabaseSync(join(user, 'globalStorage', 'state.vscdb'));
  database.exec(
    'PRAGMA journal_mode=WAL; CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)',
  );
  const headers = ['a', 'b', 'c'].map((bubbleId) => ({ bubbleId }));
  const chat = {
    composerId: CHAT,
    name: 'Basket',
    createdAt: 1_767_600_000_000,
    fullConversationHeadersOnly: headers,
  };
  put(database, 'cursorDiskKV', `composerData:${CHAT}`, chat);
  put(database, 'cursorDiskKV', 'composerData:empty', {
    composerId: 'empty',
    fullConversationHeadersOnly: [],
  });
  const bubble = (id: string, more: object) =>
    put(database, 'cursorDiskKV', `bubbleId:${CHAT}:${id}`, { bubbleId: id, ...more });
  bubble('a', { type: 1, text: 'Why is the basket empty?' });
  const call = { name: 'run_terminal_cmd', toolCallId: 't', rawArgs: '{"command":"npm test"}' };
  bubble('b', {
    type: 2,
    text: '',
    toolFormerData: { ...call, status: 'completed', result: '{"exitCodeV2":1}' },
  });
  bubble('c', { type: 2, text: 'The cookie is gone.' });
  const other = new DatabaseSync(join(workspace, 'state.vscdb'));
  other.exec('CREATE TABLE ItemTable (key TEXT, value BLOB)');
  put(other, 'ItemTable', 'composer.composerData', { allComposers: [{ composerId: CHAT }] });
  other.close();
  writeFileSync(join(workspace, 'workspace.json'), '{"folder":"file:///srv/shop"}');
});
afterEach(() => {
  database.close();
  rmSync(root, { recursive: true, force: true });
});

const hashes = () =>
  readdirSync(join(root, 'Cursor'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /vscdb|json/.test(name))
    .sort()
    .map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(root, 'Cursor', name)))
        .digest('hex'),
    ]);

test('a chat of the editor is read with its folder and calls while the editor has the database open', async () => {
  const stored = database
    .prepare(`SELECT sum(length(value)) AS bytes FROM cursorDiskKV WHERE key LIKE 'bubbleId:${CHAT}:%'`)
    .get();
  const before = hashes();
  const unreadable: string[] = [];
  const found = await cursorIdeFiles.find!({
    folder: root,
    unreadable,
    now: 0,
    staging: join(root, 'staged'),
  });
  expect(unreadable).toEqual([]);
  expect(found.map(({ home }) => home)).toEqual([{ name: 'cursor', cwd: '/srv/shop' }]);
  expect(found[0]?.size).toBeGreaterThan(Number(stored?.bytes));
  const { path } = await found[0]!.stage!();
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  const entries = lines.flatMap((line) =>
    readLine('cursor-ide', Buffer.from(line), 0, false).objects.flatMap((object) => object.entries),
  );
  expect(entries.map(({ kind }) => kind)).toEqual(['title', 'user', 'tool-call', 'tool-result', 'assistant']);
  expect(entries[3]).toMatchObject({ isError: true });
  expect(hashes()).toEqual(before);
});

test('a file that is no such database is named, and nothing is imported from it', async () => {
  const path = join(root, 'other.vscdb');
  writeFileSync(path, 'nothing');
  const unreadable: string[] = [];
  const found = await cursorIdeFiles.find!({
    folder: path,
    unreadable,
    now: 0,
    staging: join(root, 'staged'),
  });
  expect([found, unreadable]).toEqual([[], [path]]);
});
