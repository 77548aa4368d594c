import { DatabaseSync } from 'node:sqlite';

/** The tables of claude-mem's database that are read, as its package on npm lays them out. */
const TABLES = `
CREATE TABLE sdk_sessions (id INTEGER PRIMARY KEY AUTOINCREMENT, content_session_id TEXT NOT NULL, memory_session_id TEXT UNIQUE,
  project TEXT NOT NULL, platform_source TEXT NOT NULL DEFAULT 'claude', user_prompt TEXT, started_at TEXT NOT NULL,
  started_at_epoch INTEGER NOT NULL, completed_at TEXT, completed_at_epoch INTEGER, status TEXT NOT NULL DEFAULT 'active', custom_title TEXT);
CREATE TABLE user_prompts (id INTEGER PRIMARY KEY AUTOINCREMENT, session_db_id INTEGER, content_session_id TEXT NOT NULL,
  prompt_number INTEGER NOT NULL, prompt_text TEXT NOT NULL, created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL);
CREATE TABLE observations (id INTEGER PRIMARY KEY AUTOINCREMENT, memory_session_id TEXT NOT NULL, project TEXT NOT NULL, text TEXT,
  type TEXT NOT NULL, title TEXT, subtitle TEXT, facts TEXT, narrative TEXT, concepts TEXT, files_read TEXT, files_modified TEXT,
  prompt_number INTEGER, created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL);
CREATE TABLE session_summaries (id INTEGER PRIMARY KEY AUTOINCREMENT, memory_session_id TEXT NOT NULL, project TEXT NOT NULL,
  request TEXT, investigated TEXT, learned TEXT, completed TEXT, next_steps TEXT, files_read TEXT, files_edited TEXT, notes TEXT,
  prompt_number INTEGER, created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL);
`;

type MemSession = {
  id: string;
  project: string;
  prompts: string[];
  noticed?: string;
  files?: string[];
  learned?: string;
};

/** Writes a database as claude-mem has it, and leaves it open as its worker does: close it at the end. */
export function claudeMemDatabase(path: string, sessions: MemSession[]): DatabaseSync {
  const database = new DatabaseSync(path);
  database.exec('PRAGMA journal_mode = WAL');
  database.exec(TABLES);
  let time = Date.parse('2026-01-05T10:00:00Z');
  const at = () => {
    time += 60_000;
    return [new Date(time).toISOString(), time] as const;
  };
  sessions.forEach(({ id, project, prompts, noticed, files = [], learned }, index) => {
    const memory = `memory-${index}`;
    database
      .prepare(
        'INSERT INTO sdk_sessions (content_session_id, memory_session_id, project, started_at, started_at_epoch) VALUES (?, ?, ?, ?, ?)',
      )
      .run(id, memory, project, ...at());
    for (const [number, prompt] of prompts.entries())
      database
        .prepare(
          'INSERT INTO user_prompts (content_session_id, prompt_number, prompt_text, created_at, created_at_epoch) VALUES (?, ?, ?, ?, ?)',
        )
        .run(id, number + 1, prompt, ...at());
    if (noticed)
      database
        .prepare(
          "INSERT INTO observations (memory_session_id, project, type, title, facts, files_modified, created_at, created_at_epoch) VALUES (?, ?, 'bugfix', ?, '[]', ?, ?, ?)",
        )
        .run(memory, project, noticed, JSON.stringify(files), ...at());
    if (learned)
      database
        .prepare(
          'INSERT INTO session_summaries (memory_session_id, project, learned, created_at, created_at_epoch) VALUES (?, ?, ?, ?, ?)',
        )
        .run(memory, project, learned, ...at());
  });
  return database;
}
