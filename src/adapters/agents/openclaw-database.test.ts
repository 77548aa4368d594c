import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { zstdCompressSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { pi } from '../../../test/made/writers/pi.ts';
import { agentSources } from './agent-sources.ts';

const THEN = Date.UTC(2026, 0, 5);
let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keepsake-openclaw-'));
  path = join(folder, 'agents', 'main', 'agent', 'openclaw-agent.sqlite');
  mkdirSync(dirname(path), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

const EVENTS = pi([
  { kind: 'ask', text: 'Why is the basket empty?' },
  { kind: 'answer', text: 'The cookie is gone.' },
]).map((line) => ({ ...line, ...('cwd' in line ? { id: 's-one' } : {}) }));

function filled(events: (string | Buffer)[], table = 'transcript_events'): DatabaseSync {
  const database = new DatabaseSync(path);
  database.exec(
    `CREATE TABLE ${table} (session_id TEXT, seq INTEGER, event_json TEXT, created_at INTEGER, event_zstd BLOB)`,
  );
  const add = database.prepare(`INSERT INTO ${table} VALUES ('s-one', ?, ?, ?, ?)`);
  events.forEach((event, seq) => {
    const isText = typeof event === 'string';
    add.run(seq, isText ? event : null, THEN + seq, isText ? null : event);
  });
  return database;
}

async function read(unreadable: string[] = []): Promise<[path: string, lines: unknown[]][]> {
  const found = await agentSources(join(folder, 'staged')).find('pi', folder, unreadable, THEN);
  const all: [string, unknown[]][] = [];
  for (const file of found) {
    const staged = await file.stage?.();
    const text = readFileSync(staged?.path ?? file.path, 'utf8');
    all.push([
      file.path,
      text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    ]);
    await staged?.remove();
  }
  return all;
}

test('sessions of a newer openclaw are the lines that are rows of its database', async () => {
  const [head, asked, answered] = EVENTS.map((event) => JSON.stringify(event)) as [string, string, string];
  const packed = zstdCompressSync(answered);
  filled([head, asked, packed]).close();
  const before = readFileSync(path);
  expect(await read()).toEqual([[`${path}#s-one`, EVENTS]]);
  const [found] = await agentSources(join(folder, 'staged')).find('pi', folder, [], THEN);
  const size = Buffer.byteLength(head + asked) + packed.length;
  expect(found).toMatchObject({ size, mtimeMs: THEN + 2, known: { session: 's-one', cwd: '/srv/shop' } });
  expect([readFileSync(path).equals(before), readdirSync(dirname(path))]).toEqual([
    true,
    ['openclaw-agent.sqlite'],
  ]);
});

test('what is written while openclaw runs is read, and nothing is left beside its database', async () => {
  const database = filled([]);
  database.exec('PRAGMA journal_mode = WAL');
  const add = database.prepare("INSERT INTO transcript_events VALUES ('s-one', ?, ?, ?, NULL)");
  for (const [seq, event] of EVENTS.entries()) add.run(seq, JSON.stringify(event), THEN);
  const before = readdirSync(dirname(path));
  expect(before).toContain('openclaw-agent.sqlite-wal');
  expect(await read()).toEqual([[`${path}#s-one`, EVENTS]]);
  expect(readdirSync(dirname(path))).toEqual(before);
  database.close();
});

test('an event that cannot be unpacked is there to be counted', async () => {
  filled([JSON.stringify(EVENTS[0]), Buffer.from('no zstd'), '{"type":"mess']).close();
  expect(await read()).toEqual([
    [`${path}#s-one`, [EVENTS[0], { type: 'event that could not be read' }, '{"type":"mess']],
  ]);
});

test('a file of a session that was brought over into the database is not read as well', async () => {
  filled(EVENTS.map((event) => JSON.stringify(event))).close();
  const sessions = join(folder, 'agents', 'main', 'sessions');
  mkdirSync(sessions);
  for (const name of ['s-one', 's-two']) writeFileSync(join(sessions, `${name}.jsonl`), '');
  expect((await read()).map(([it]) => it)).toEqual([join(sessions, 's-two.jsonl'), `${path}#s-one`]);
});

test.each([
  ['credentials', []],
  ['transcript_lines', ['openclaw-agent.sqlite']],
])('a database with only the table %s is reported if it may hold sessions', async (table, reported) => {
  filled([], table).close();
  const unreadable: string[] = [];
  expect(await read(unreadable)).toEqual([]);
  expect(unreadable.map((it) => basename(it))).toEqual(reported);
});
