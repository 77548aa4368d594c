import type { DatabaseSync } from 'node:sqlite';
import { zstdDecompressSync } from 'node:zlib';
import { parseOutside } from '../../core/model/parse-stored.ts';
import type { FoundTranscript } from '../../ports/transcripts.ts';
import { objectIn } from './json-value.ts';
import { knownOf } from './opencode-lines.ts';
import { readDatabase } from './read-database.ts';
import { stageLines } from './stage-lines.ts';

type Row = Record<string, unknown>;

/** An event is at most 4 MB. */
const LARGEST = 8 * 1024 * 1024;
const EVENTS = 'transcript_events';
const UNREAD = { type: 'event that could not be read' };

/** Sessions of openclaw since 2026: the lines that were files before, as rows; large ones compressed. */
export function findInOpenclaw(path: string, staging: string, unreadable: string[]): FoundTranscript[] {
  return readDatabase(path, staging, (database) => {
    const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all() as Row[];
    const names = tables.map(({ name }) => String(name));
    if (!names.includes(EVENTS)) {
      // Older versions keep only credentials here; a newer one may have another name for sessions.
      if (names.some((name) => /transcript|session/.test(name))) unreadable.push(path);
      return [];
    }
    const counted = `SELECT session_id AS id, max(created_at) AS last, count(*) AS events, sum(${bytesIn(database)}) AS bytes,
      sum(event_json IS NULL OR event_json LIKE '%"type":"message"%') AS messages
      FROM ${EVENTS} GROUP BY session_id ORDER BY session_id`;
    return (database.prepare(counted).all() as Row[]).map(
      ({ id, last, events, messages, bytes }): FoundTranscript => {
        const [head] = eventsOf(database, id, 0);
        const { cwd } = objectIn(JSON.stringify(head ?? {}));
        return {
          path: `${path}#${id}`,
          ...{
            size: Number(messages) > 0 ? Number(bytes) : 0,
            mtimeMs: Number(last),
            dev: 0,
            ino: 0,
            beside: [],
          },
          known: knownOf(id, cwd),
          stage: async () =>
            readDatabase(path, staging, (it) => stageLines(staging, eventsOf(it, id, Number(events)))),
        };
      },
    );
  });
}

/** What an event takes up: plain or compressed, as far as this version has both. */
function bytesIn(database: DatabaseSync): string {
  const fields = database.prepare(`PRAGMA table_info(${EVENTS})`).all() as Row[];
  const held = fields.map(({ name }) => String(name)).filter((name) => /^event_(?:json|zstd)$/.test(name));
  return held.map((name) => `coalesce(octet_length(${name}), 0)`).join(' + ') || '0';
}

/** `wanted`: how many there are at least; a damaged index finds fewer. What can't be read is counted. */
function* eventsOf(database: DatabaseSync, session: unknown, wanted: number): Generator<unknown> {
  let found = 0;
  const rows = database.prepare(`SELECT * FROM ${EVENTS} WHERE session_id = ? ORDER BY seq`);
  for (const row of rows.iterate(String(session)) as Iterable<Row>) {
    const text = textOf(row);
    yield text === undefined ? UNREAD : (parseOutside(text) ?? text);
    found++;
  }
  if (found < wanted) yield UNREAD;
}

function textOf({ event_json: plain, event_zstd: packed }: Row): string | undefined {
  if (typeof plain === 'string') return plain;
  if (!(packed instanceof Uint8Array)) return undefined;
  try {
    return zstdDecompressSync(packed, { maxOutputLength: LARGEST }).toString('utf8');
  } catch {
    return undefined;
  }
}
