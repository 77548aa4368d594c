import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AgentFinder, DocumentAsk } from './agent-finder.ts';
import {
  holdsFolder,
  isJson,
  type Json,
  jsonIn,
  listOf,
  objectIn,
  otherWords,
  staged,
} from './json-value.ts';
import { asDocument, filesBelow, textOf } from './walk-files.ts';

/** `<editor>/User/workspaceStorage/<hash>/chatSessions/<id>.json`, newer ones `.jsonl`; without a folder in `globalStorage`. */
const PLACE =
  /^[^/]+\/User\/(?:workspaceStorage\/[^/]+\/chatSessions|globalStorage\/emptyWindowChatSessions)\/[^/]+\.jsonl?$/;

/** Chats of Copilot in VS Code and editors made from it. */
export const vscodeFiles: AgentFinder = {
  find: async (ask) => {
    const files = await filesBelow(ask, PLACE, 5);
    const found = await Promise.all(
      files.map(async ({ below, ...file }) => {
        const cwd = await folderOf(dirname(dirname(file.path)), ask.unreadable);
        const home = { name: below.split('/')[0] ?? 'editor', ...(cwd ? { cwd } : {}) };
        return asDocument({ ...file, home }, chatRows, ask);
      }),
    );
    return found.flat();
  },
  document: { name: /\.jsonl?$/, rows: chatRows },
};

/** The folder that a window had open, as it is noted beside its chats. */
async function folderOf(storage: string, unreadable: string[]): Promise<string | undefined> {
  const path = join(storage, 'workspace.json');
  const noted = objectIn(await textOf(path));
  const { folder, workspace, configuration } = noted;
  if (
    (folder ?? workspace ?? configuration) === undefined &&
    holdsFolder(noted) &&
    !unreadable.includes(path)
  )
    unreadable.push(path);
  if (typeof folder !== 'string' || !folder.startsWith('file:///')) return undefined;
  try {
    return fileURLToPath(folder);
  } catch {
    return undefined;
  }
}

/** A row for the chat and one for each request that has been answered. */
function chatRows({ text, isEnded }: DocumentAsk): Iterable<object> | undefined {
  const whole = jsonIn(text);
  const chat = isJson(whole) && 'requests' in whole ? whole : replayed(text);
  if (!chat || !Array.isArray(chat.requests)) return undefined;
  const sessionId = typeof chat.sessionId === 'string' ? chat.sessionId : exportedId(chat);
  return sessionId === undefined ? undefined : rowsOf({ ...chat, sessionId }, isEnded);
}

/** What *Chat: Export Chat* writes has no id of its own: that of its first request is the same in a later export. */
function exportedId({ responderUsername, requests }: Json): string | undefined {
  const [first] = listOf(requests);
  const id = first?.requestId;
  return typeof responderUsername === 'string' && typeof id === 'string' ? `chat_${id}` : undefined;
}

/** Words of a chat that are no title of it that a person or a model gave. */
const WORDS = 'requesterUsername responderUsername computedTitle';

function* rowsOf(chat: Json, isEnded: boolean): Generator<object> {
  const { requests, sessionId, customTitle, creationDate, version } = chat;
  yield staged('vscode-copilot', 'session', { sessionId, creationDate, version });
  for (const request of listOf(requests)) {
    const isDone = request.result !== undefined || request.isCanceled === true;
    if (!isEnded && !isDone) break;
    yield staged('vscode-copilot', 'request', request);
  }
  const named = customTitle ? { customTitle } : otherWords(chat, WORDS);
  if (isEnded && Object.keys(named).length > 0)
    yield staged('vscode-copilot', 'title', { ...named, creationDate });
}

/** Newer versions write what changed: first the whole, then a value to set, items to add, or a place to cut, by path. */
function replayed(text: string): Json | undefined {
  let chat: Json | undefined;
  for (const line of text.split('\n')) {
    const change = objectIn(line);
    if (change.kind === 0 && isJson(change.v)) chat = change.v;
    else if (chat && Array.isArray(change.k)) apply(chat, change.k as (string | number)[], change);
  }
  return chat;
}

function apply(chat: Json, path: (string | number)[], { kind, v, i }: Json): void {
  const last = path.at(-1);
  let at: unknown = chat;
  for (const key of path.slice(0, -1))
    at = isPlain(key) ? (at as Json | undefined)?.[key as string] : undefined;
  if (typeof at !== 'object' || at === null || last === undefined || !isPlain(last)) return;
  const holder = at as Json;
  if (kind === 1) holder[last as string] = v;
  else if (kind === 3) delete holder[last as string];
  else if (kind === 2) {
    const list = Array.isArray(holder[last as string]) ? (holder[last as string] as unknown[]) : [];
    const kept = typeof i === 'number' ? list.slice(0, i) : list;
    holder[last as string] = [...kept, ...(Array.isArray(v) ? v : [])];
  }
}

function isPlain(key: unknown): boolean {
  return (
    typeof key === 'number' || (typeof key === 'string' && !/^(?:__proto__|constructor|prototype)$/.test(key))
  );
}
