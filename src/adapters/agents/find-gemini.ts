import type { Dirent } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { FoundTranscript } from '../../ports/transcripts.ts';
import { isQuiet, markOfTime, stageLines } from './stage-lines.ts';

/** A document is read whole; what is larger is no chat. */
const LARGEST = 256 * 1024 * 1024;
const ENDED = new Set(['success', 'error', 'cancelled']);

type Json = Record<string, unknown>;

/** `tmp/<project>/chats/session-*.json` and `.jsonl`; those of subagents lie one folder deeper and are left alone. */
export async function findGemini(
  folder: string,
  unreadable: string[],
  now: number,
  staging: string,
): Promise<FoundTranscript[]> {
  const found: FoundTranscript[] = [];
  const roots = await projectPaths(folder);
  for (const project of await names(join(folder, 'tmp'), unreadable)) {
    if (!project.isDirectory()) continue;
    const chats = join(folder, 'tmp', project.name, 'chats');
    const cwd = roots.get(project.name) ?? (await rootOf(join(folder, 'tmp', project.name)));
    const home = { name: project.name, ...(cwd ? { cwd } : {}) };
    for (const { name } of await names(chats, unreadable)) {
      const path = join(chats, name);
      const file = /\.jsonl?$/.test(name) ? await stat(path).catch(() => undefined) : undefined;
      if (!file?.isFile()) continue;
      const { size, dev, ino, mtimeMs } = file;
      const plain = { path, size, dev, ino, mtimeMs, beside: [], home };
      if (name.endsWith('.jsonl')) found.push(plain);
      else if (size > LARGEST) unreadable.push(path);
      else {
        const stage = async () =>
          stageLines(staging, chatLines(await readFile(path, 'utf8'), path, isQuiet(mtimeMs, now)));
        found.push({ ...plain, mtimeMs: markOfTime(mtimeMs, now), stage });
      }
    }
  }
  return found;
}

/** One line for the session, one for each message, one for each of its calls: later ones come after, none changes. */
export function* chatLines(text: string, path: string, isEnded: boolean): Generator<Json> {
  const chat = parsed(text);
  if (!chat) return;
  const { messages, history, ...head } = chat;
  const session = typeof head.sessionId === 'string' ? head.sessionId : basename(path, '.json');
  const list = [messages, history].find(Array.isArray) ?? [];
  // What changes with every message is nowhere else, and says nothing that the messages do not.
  delete head.lastUpdated;
  yield { ...head, sessionId: session, projectHash: head.projectHash ?? '' };
  for (const [index, message] of list.entries()) {
    if (!isJson(message)) continue;
    const { toolCalls, ...words } = message;
    const calls = Array.isArray(toolCalls) ? toolCalls.filter(isJson) : [];
    const isLast = index === list.length - 1;
    const isOpen = calls.some(({ status }) => !ENDED.has(String(status)));
    if (!isEnded && words.type !== 'user' && (isLast || isOpen)) return;
    yield words;
    for (const call of calls) {
      const { id, timestamp, type = 'gemini', model } = message;
      yield { id, timestamp, type, content: '', model, toolCalls: [call] };
    }
  }
}

/** `projects.json` names each project's folder by its path. */
async function projectPaths(folder: string): Promise<Map<string, string>> {
  const text = await readFile(join(folder, 'projects.json'), 'utf8').catch(() => '');
  const projects = parsed(text)?.projects;
  if (!isJson(projects)) return new Map();
  return new Map(
    Object.entries(projects).flatMap(([path, name]) => (typeof name === 'string' ? [[name, path]] : [])),
  );
}

async function rootOf(folder: string): Promise<string | undefined> {
  const text = await readFile(join(folder, '.project_root'), 'utf8').catch(() => '');
  return text.trim() || undefined;
}

async function names(folder: string, unreadable: string[]): Promise<Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') unreadable.push(folder);
    return [];
  });
}

function parsed(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJson(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
