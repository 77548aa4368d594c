// fts-program.ts index FILE DIR | search FILE QUERY: a plain full-text index of session files that uses no Keepsake code.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

type Line = { message?: { content?: string | { type?: string; text?: string }[] } };

const [command = '', file = '', wanted = ''] = process.argv.slice(2);
const db = new DatabaseSync(file);
if (command === 'index') index(wanted);
else for (const id of search(wanted)) console.log(id);

/** Skips files whose size and time did not change. */
function index(folder: string): void {
  db.exec(
    "CREATE VIRTUAL TABLE IF NOT EXISTS said USING fts5(id UNINDEXED, text, tokenize = 'porter unicode61'); CREATE TABLE IF NOT EXISTS seen (path TEXT PRIMARY KEY, look TEXT);",
  );
  const stamps = new Map(
    db
      .prepare('SELECT path, look FROM seen')
      .all()
      .map(({ path, look }) => [path, look]),
  );
  const add = db.prepare('INSERT INTO said VALUES (?, ?)');
  const note = db.prepare('INSERT OR REPLACE INTO seen VALUES (?, ?)');
  db.exec('BEGIN');
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.jsonl')) continue;
    const path = join(folder, name);
    const { size, mtimeMs } = statSync(path);
    if (stamps.get(path) === `${size} ${mtimeMs}`) continue;
    db.prepare('DELETE FROM said WHERE id = ?').run(basename(path, '.jsonl'));
    add.run(basename(path, '.jsonl'), textOf(path));
    note.run(path, `${size} ${mtimeMs}`);
  }
  db.exec('COMMIT');
}

function textOf(path: string): string {
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line) => {
      if (!line.startsWith('{')) return [];
      const { message } = parsed(line);
      const content = message?.content ?? [];
      return typeof content === 'string'
        ? [content]
        : content.flatMap(({ type, text }) => (type === 'text' ? [text] : []));
    })
    .join('\n');
}

/** Two lines glued together are lost. */
function parsed(line: string): Line {
  try {
    return JSON.parse(line) as Line;
  } catch {
    return {};
  }
}

function search(query: string): string[] {
  const words = query.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  if (words.length === 0) return [];
  const match = [...new Set(words)].map((word) => `"${word}"`).join(' OR ');
  const rows = db
    .prepare('SELECT id FROM said WHERE said MATCH ? ORDER BY bm25(said), id LIMIT 10')
    .all(match);
  return rows.map(({ id }) => String(id));
}
