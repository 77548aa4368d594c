import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { FoundTranscript } from '../../ports/transcripts.ts';
import type { AgentFinder, FindAsk } from './agent-finder.ts';
import { holdsFolder, staged } from './json-value.ts';
import { stageLines } from './stage-lines.ts';

type Row = Record<string, unknown>;

/** `claude-mem.db` in its folder, or such a file by its path; laid out as its package on npm does it (13.25.3, and older). */
export const claudeMemFiles: AgentFinder = {
  find: async (ask) => {
    const path = /\.(?:db|sqlite3?)$/.test(ask.folder) ? ask.folder : join(ask.folder, 'claude-mem.db');
    if (!(await stat(path).catch(() => undefined))?.isFile()) return [];
    try {
      return await findSessions(path, ask);
    } catch {
      // Damaged, or no database of claude-mem.
      ask.unreadable.push(path);
      return [];
    }
  },
};

async function findSessions(path: string, { staging, unreadable }: FindAsk): Promise<FoundTranscript[]> {
  const { readDatabase } = await import('./read-database.ts');
  return readDatabase(path, staging, (database) => {
    const folders = foldersOf(database, (table) => unreadable.push(`${path}#${table}`));
    const rows = database.prepare('SELECT * FROM sdk_sessions ORDER BY id').all() as Row[];
    const odd = TABLES.filter((table) => isOfNobody(database, table, rows));
    unreadable.push(...odd.map(({ table }) => `${path}#${table}`));
    return rows.flatMap((row): FoundTranscript[] => {
      const content = contentId(row);
      if (content === '') return [];
      const cwd = folders.get(content);
      const own = `mem_${content.replace(/[^\w.-]+/g, '-')}`;
      const session = { ...row, session: own, ...(cwd ? { cwd } : {}) };
      const lines = () => readDatabase(path, staging, (it) => [...sessionRows(it, session)]);
      const count = countOf(database, row);
      // Begun, and nothing was kept of it: no session of which there is anything to know.
      if (count.rows === 0) return [];
      return [
        {
          path: `${path}#${content}`,
          ...{ size: count.bytes, mtimeMs: count.last, dev: 0, ino: 0, beside: [] },
          home: { name: String(row.project ?? 'claude-mem'), ...(cwd ? { cwd } : {}) },
          known: { session: own, cwd, copyOf: content },
          stage: async () => stageLines(staging, lines()),
        },
      ];
    });
  });
}

/** Older versions called the ids by other names. */
function contentId(row: Row): string {
  return String(row.content_session_id ?? row.claude_session_id ?? '');
}

function memoryId(row: Row): string {
  return String(row.memory_session_id ?? row.sdk_session_id ?? '');
}

/** The rows of a table of one session by any name of the field; none where the table or the field is not there. */
function rowsOf(database: DatabaseSync, table: string, [names, id]: [string[], string]): Row[] {
  const fields = (database.prepare(`PRAGMA table_info(${table})`).all() as Row[]).map(({ name }) => name);
  const field = names.find((name) => fields.includes(name));
  if (field === undefined || id === '') return [];
  return database.prepare(`SELECT * FROM ${table} WHERE ${field} = ? ORDER BY id`).all(id) as Row[];
}

const CONTENT = ['content_session_id', 'claude_session_id'];
const MEMORY = ['memory_session_id', 'sdk_session_id'];

/** What is kept of a session, and by which of its ids. */
const TABLES = [
  { kind: 'prompt', table: 'user_prompts', names: CONTENT, idOf: contentId },
  { kind: 'observation', table: 'observations', names: MEMORY, idOf: memoryId },
  { kind: 'summary', table: 'session_summaries', names: MEMORY, idOf: memoryId },
];

function allRows(database: DatabaseSync, session: Row): { kind: string; row: Row }[] {
  return TABLES.flatMap(({ kind, table, names, idOf }) =>
    rowsOf(database, table, [names, idOf(session)]).map((row) => ({ kind, row })),
  );
}

/** Whether a table contains something and no session owns any of it: a newer version may call the ids by other names. */
function isOfNobody(
  database: DatabaseSync,
  { table, names, idOf }: (typeof TABLES)[number],
  sessions: Row[],
): boolean {
  const isThere = database.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(table) !== undefined;
  if (!isThere || database.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get() === undefined) return false;
  return !sessions.some((session) => rowsOf(database, table, [names, idOf(session)]).length > 0);
}

function timeIn(row: Row): number {
  return Number(row.created_at_epoch ?? 0);
}

function countOf(database: DatabaseSync, session: Row): { rows: number; bytes: number; last: number } {
  const rows = allRows(database, session);
  return {
    rows: rows.length,
    bytes: Buffer.byteLength(JSON.stringify(rows)),
    last: Math.max(0, ...rows.map(({ row }) => timeIn(row))),
  };
}

/** A row for the session, then all that was kept of it in the order in which it came. */
function* sessionRows(database: DatabaseSync, session: Row): Generator<object> {
  yield staged('claude-mem', 'session', session);
  const rows = allRows(database, session).sort((a, b) => timeIn(a.row) - timeIn(b.row));
  for (const { kind, row } of rows) yield staged('claude-mem', kind, row);
}

/** Where a session worked, as far as a call says it. */
function foldersOf(database: DatabaseSync, onOdd: (table: string) => void): Map<string, string> {
  const folders = new Map<string, string>();
  for (const table of ['tool_uses', 'pending_messages']) {
    const fields = (database.prepare(`PRAGMA table_info(${table})`).all() as Row[]).map(({ name }) => name);
    if (fields.length > 0 && !fields.includes('cwd')) {
      const row = database.prepare(`SELECT * FROM ${table} LIMIT 1`).get();
      if (row && holdsFolder(row)) onOdd(table);
    }
    if (!fields.includes('cwd') || !fields.includes('content_session_id')) continue;
    const rows = database.prepare(
      `SELECT content_session_id AS session, cwd FROM ${table} WHERE cwd IS NOT NULL AND cwd <> '' ORDER BY id`,
    );
    for (const { session, cwd } of rows.all() as Row[])
      if (!folders.has(String(session))) folders.set(String(session), String(cwd));
  }
  return folders;
}
