import type { DatabaseSync } from 'node:sqlite';
import type { FoundTranscript } from '../../ports/transcripts.ts';
import { objectIn } from './json-value.ts';
import { knownOf, type MessageRow, sessionLines } from './opencode-lines.ts';
import { readDatabase } from './read-database.ts';
import { isQuiet, markOfTime, stageLines } from './stage-lines.ts';

type Row = Record<string, unknown>;

/** Every session of OpenCode's database, those that others started after those that started them. */
export function findInDatabase(path: string, now: number, staging: string): FoundTranscript[] {
  return readDatabase(path, staging, (database) => {
    const parts = new Map<unknown, Row>();
    const counted =
      'SELECT session_id, sum(octet_length(data)) AS bytes, max(time_updated) AS last FROM part GROUP BY session_id';
    for (const row of database.prepare(counted).iterate() as Iterable<Row>) parts.set(row.session_id, row);
    const sessions = database.prepare('SELECT * FROM session').all() as Row[];
    const depth = (row: Row) => (row.parent_id ? 1 : 0);
    return sessions
      .sort((a, b) => depth(a) - depth(b) || (String(a.id) < String(b.id) ? -1 : 1))
      .map((row) => {
        const { bytes: size = 0, last = 0 } = parts.get(row.id) ?? {};
        const changed = Math.max(Number(row.time_updated ?? 0), Number(last));
        const stage = async () => stageSession(path, row, isQuiet(changed, now), staging);
        const mark = { size: Number(size), mtimeMs: markOfTime(changed, now), dev: 0, ino: 0 };
        return {
          path: `${path}#${row.id}`,
          ...mark,
          beside: [],
          known: knownOf(row.parent_id || row.id, row.directory),
          stage,
        };
      });
  });
}

function stageSession(path: string, session: Row, isEnded: boolean, staging: string) {
  return readDatabase(path, staging, (database) =>
    stageLines(staging, linesOf(database, { ...session }, isEnded)),
  );
}

/** What is said in no message that is known, as a newer version may lay it out, is there to be counted. */
function* linesOf(database: DatabaseSync, session: Row, isEnded: boolean): Generator<object> {
  const id = String(session.id);
  yield* sessionLines(session, messagesOf(database, id), isEnded);
  if (!isEnded) return;
  const lost = database.prepare(
    'SELECT id, data FROM part WHERE session_id = ? AND message_id NOT IN (SELECT id FROM message WHERE session_id = ? AND id IS NOT NULL) ORDER BY id',
  );
  for (const { id: part, data } of lost.iterate(id, id) as Iterable<Row>)
    yield { opencode: 'part without message', row: { ...objectIn(data), id: String(part) } };
}

function* messagesOf(database: DatabaseSync, session: string): Generator<MessageRow> {
  const messages = database.prepare(
    'SELECT id, data FROM message WHERE session_id = ? ORDER BY time_created, id',
  );
  const parts = database.prepare('SELECT id, data FROM part WHERE message_id = ? ORDER BY id');
  for (const { id, data } of messages.all(session) as Row[]) {
    const rows = parts.all(String(id)) as Row[];
    const read = rows.map((part) => ({ id: String(part.id), data: objectIn(part.data) }));
    yield { id: String(id), data: objectIn(data), parts: read };
  }
}
