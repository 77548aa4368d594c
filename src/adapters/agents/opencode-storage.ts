import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FoundTranscript } from '../../ports/transcripts.ts';
import { isJson, type Json, objectIn } from './json-value.ts';
import { knownOf, type MessageRow, sessionLines } from './opencode-lines.ts';
import { isQuiet, markOfTime, stageLines } from './stage-lines.ts';

/** Older versions: `storage/session/<project>/<session>.json`, its messages and their parts in folders of their own. */
export async function findInFiles(storage: string, now: number, staging: string): Promise<FoundTranscript[]> {
  const found: (FoundTranscript & { isChild: boolean })[] = [];
  for (const project of await list(join(storage, 'session'))) {
    for (const name of await list(join(storage, 'session', project))) {
      const path = join(storage, 'session', project, name);
      const file = name.endsWith('.json') ? await stat(path).catch(() => undefined) : undefined;
      if (!file?.isFile()) continue;
      const session = objectIn(await readFile(path, 'utf8').catch(() => ''));
      const time = isJson(session.time) ? session.time : {};
      const changed = typeof time.updated === 'number' ? time.updated : file.mtimeMs;
      const stage = async () => {
        const messages = await readMessages(storage, String(session.id));
        return stageLines(staging, sessionLines(session, messages, isQuiet(changed, now)));
      };
      const { size, dev, ino } = file;
      const mark = { size, dev, ino, mtimeMs: markOfTime(changed, now) };
      const isChild = typeof session.parentID === 'string';
      const known = knownOf(isChild ? session.parentID : session.id, session.directory);
      found.push({ path, ...mark, beside: [], known, stage, isChild });
    }
  }
  return found.sort((a, b) => Number(a.isChild) - Number(b.isChild)).map(({ isChild: _, ...file }) => file);
}

async function readMessages(storage: string, session: string): Promise<MessageRow[]> {
  const messages: MessageRow[] = [];
  const loose = await looseParts(storage);
  for (const data of await objectsIn(join(storage, 'message', session))) {
    const id = String(data.id);
    const parts = [...(await objectsIn(join(storage, 'part', id))), ...(loose.get(id) ?? [])];
    messages.push({ id, data, parts: parts.map((part) => ({ id: String(part.id), data: part })) });
  }
  const created = ({ data }: MessageRow) => (isJson(data.time) ? Number(data.time.created) : 0);
  return messages.sort((a, b) => created(a) - created(b) || (a.id < b.id ? -1 : 1));
}

/** The first versions put all parts into one folder. */
async function looseParts(storage: string): Promise<Map<string, Json[]>> {
  const parts = new Map<string, Json[]>();
  for (const part of await objectsIn(join(storage, 'part'))) {
    const message = String(part.messageID);
    parts.set(message, [...(parts.get(message) ?? []), part]);
  }
  return parts;
}

async function objectsIn(folder: string): Promise<Json[]> {
  const objects: Json[] = [];
  for (const name of await list(folder)) {
    if (!name.endsWith('.json')) continue;
    const object = objectIn(await readFile(join(folder, name), 'utf8').catch(() => ''));
    if (typeof object.id === 'string') objects.push(object);
  }
  return objects;
}

async function list(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(() => [])).sort();
}
