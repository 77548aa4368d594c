import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import type { FoundTranscript } from '../../ports/transcripts.ts';
import type { AgentFinder, FindAsk } from './agent-finder.ts';
import { holdsFolder, isJson, type Json, listOf, objectIn, otherWords, staged } from './json-value.ts';
import { stageLines } from './stage-lines.ts';
import { entriesOf, textOf } from './walk-files.ts';

const DATABASE = 'globalStorage/state.vscdb';

/** `Cursor/User/globalStorage/state.vscdb`, or such a file by its path. It may be large: it is read only when asked for. */
export const cursorIdeFiles: AgentFinder = {
  find: async (ask) => {
    const path = /\.vscdb$/.test(ask.folder) ? ask.folder : join(ask.folder, 'Cursor/User', DATABASE);
    if (!(await stat(path).catch(() => undefined))?.isFile()) return [];
    try {
      const { readDatabase } = await import('./read-database.ts');
      const folders = await workspaces(dirname(dirname(path)), ask);
      return readDatabase(path, ask.staging, (database) =>
        chatsOf(database).map((chat): FoundTranscript => {
          const cwd = folders.get(String(chat.composerId));
          const rows = () =>
            readDatabase(path, ask.staging, (it) => [...chatRows(it, { ...chat, ...(cwd ? { cwd } : {}) })]);
          const changed = Number(chat.lastUpdatedAt ?? chat.createdAt ?? 0) || 0;
          return {
            path: `${path}#${chat.composerId}`,
            ...{ size: bytesOf(database, chat), mtimeMs: changed, dev: 0, ino: 0, beside: [] },
            home: { name: 'cursor', ...(cwd ? { cwd } : {}) },
            stage: async () => stageLines(ask.staging, rows()),
          };
        }),
      );
    } catch {
      // Damaged, or laid out in a way that is not known.
      ask.unreadable.push(path);
      return [];
    }
  },
};

function storedValue(database: DatabaseSync, table: string, key: string): Json {
  const row = database.prepare(`SELECT CAST(value AS TEXT) AS value FROM ${table} WHERE key = ?`).get(key);
  return objectIn(row?.value);
}

/** Every chat in which something was said. */
function chatsOf(database: DatabaseSync): Json[] {
  const rows = database.prepare(
    "SELECT CAST(value AS TEXT) AS value FROM cursorDiskKV WHERE key >= 'composerData:' AND key < 'composerData;' ORDER BY key",
  );
  return rows
    .all()
    .map(({ value }) => objectIn(value))
    .filter((chat) => typeof chat.composerId === 'string' && headersOf(chat).length > 0);
}

/** Older versions have the bubbles in the chat itself. */
function headersOf({ fullConversationHeadersOnly: headers, conversation }: Json): Json[] {
  const list = listOf(headers);
  return list.length > 0 ? list : listOf(conversation);
}

function bytesOf(database: DatabaseSync, chat: Json): number {
  const of = `bubbleId:${chat.composerId}`;
  const summed = 'SELECT sum(octet_length(value)) AS bytes FROM cursorDiskKV WHERE key >= ? AND key < ?';
  const { bytes } = database.prepare(summed).get(`${of}:`, `${of};`) ?? {};
  return Number(bytes ?? 0) + Buffer.byteLength(JSON.stringify(headersOf(chat)));
}

/** Words of a chat that are no title: what was typed and not sent, and what happened last. */
const WORDS = 'text richText subtitle latestConversationSummary cwd';

function* chatRows(database: DatabaseSync, chat: Json): Generator<object> {
  const { composerId, name, createdAt, cwd } = chat;
  const others = name ? {} : otherWords(chat, WORDS);
  yield staged('cursor-ide', 'session', { composerId, name, createdAt, cwd, ...others });
  for (const header of headersOf(chat)) {
    const bubble = storedValue(database, 'cursorDiskKV', `bubbleId:${composerId}:${header.bubbleId}`);
    const { bubbleId, type, text, toolFormerData, createdAt: at } = { ...header, ...bubble } as Json;
    yield staged('cursor-ide', 'bubble', {
      bubbleId,
      type,
      text,
      toolFormerData,
      createdAt: at ?? createdAt,
    });
  }
}

/** The folder of each chat, from the databases of the workspaces. */
async function workspaces(user: string, { unreadable, staging }: FindAsk): Promise<Map<string, string>> {
  const { readDatabase } = await import('./read-database.ts');
  const folders = new Map<string, string>();
  for (const entry of await entriesOf(join(user, 'workspaceStorage'), unreadable)) {
    const place = join(user, 'workspaceStorage', entry.name);
    const noted = objectIn(await textOf(join(place, 'workspace.json')));
    const { folder, workspace, configuration } = noted;
    if ((folder ?? workspace ?? configuration) === undefined && holdsFolder(noted))
      unreadable.push(join(place, 'workspace.json'));
    if (typeof folder !== 'string' || !folder.startsWith('file://')) continue;
    try {
      const data = readDatabase(join(place, 'state.vscdb'), staging, (it) =>
        storedValue(it, 'ItemTable', 'composer.composerData'),
      );
      for (const { composerId } of listOf(isJson(data) ? data.allComposers : []))
        folders.set(String(composerId), fileURLToPath(folder));
    } catch {
      // A workspace that can't be read only leaves its chats without a folder.
    }
  }
  return folders;
}
