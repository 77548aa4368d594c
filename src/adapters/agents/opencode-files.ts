import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FoundTranscript } from '../../ports/transcripts.ts';
import type { AgentFinder, FindAsk } from './agent-finder.ts';
import { isJson, listOf, objectIn } from './json-value.ts';
import { type MessageRow, sessionLines } from './opencode-lines.ts';
import { findInFiles } from './opencode-storage.ts';

export const opencodeFiles: AgentFinder = {
  find: findOpenCode,
  // What `opencode export` writes.
  document: {
    name: /\.json$/,
    rows: ({ text, isEnded }) => {
      const { info, messages } = objectIn(text);
      const isOwn = isJson(info) && typeof info.id === 'string' && Array.isArray(messages);
      return isOwn && ('directory' in info || hasParts(messages))
        ? sessionLines(info, listOf(messages).map(messageRow), isEnded)
        : undefined;
    },
  },
};

/** As no other export has it: known also where a newer version calls the folder by another name. */
function hasParts(messages: unknown[]): boolean {
  return listOf(messages).some(({ info, parts }) => isJson(info) && Array.isArray(parts));
}

function messageRow({ info, parts }: Record<string, unknown>): MessageRow {
  const data = isJson(info) ? info : {};
  const id = String(data.id);
  // Counted: a newer version may have its words elsewhere.
  if (!Array.isArray(parts)) return { id, data, parts: [{ id, data: { type: 'message without parts' } }] };
  return { id, data, parts: listOf(parts).map((part) => ({ id: String(part.id), data: part })) };
}

/** A session that was brought over into the database is read from there. */
async function findOpenCode({ folder, unreadable, now, staging }: FindAsk): Promise<FoundTranscript[]> {
  const path = join(folder, 'opencode.db');
  const files = await findInFiles(join(folder, 'storage'), now, staging);
  if (!(await stat(path).catch(() => undefined))) return files;
  try {
    const { findInDatabase } = await import('./opencode-database.ts');
    const rows = findInDatabase(path, now, staging);
    const known = new Set(rows.map((row) => row.path.slice(row.path.lastIndexOf('#') + 1)));
    return [...rows, ...files.filter((file) => !known.has(sessionIn(file.path)))];
  } catch {
    // Locked, damaged, or laid out in a way that is not known yet.
    unreadable.push(path);
    return files;
  }
}

function sessionIn(path: string): string {
  return /([^\\/]+)\.json$/.exec(path)?.[1] ?? '';
}
