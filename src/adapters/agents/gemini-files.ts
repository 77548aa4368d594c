import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { FoundTranscript } from '../../ports/transcripts.ts';
import type { AgentFinder, DocumentAsk, FindAsk } from './agent-finder.ts';
import { isJson, type Json, jsonIn, objectIn } from './json-value.ts';
import { asDocument, entriesOf, foundFile } from './walk-files.ts';

const ENDED = new Set(['success', 'error', 'cancelled']);

/** `tmp/<project>/chats/session-*.json` and `.jsonl`; those of subagents are one folder deeper and are ignored. */
export const geminiFiles: AgentFinder = {
  find: findGemini,
  document: {
    name: /\.json$/,
    rows: ({ text, path, isEnded }) => {
      const chat = objectIn(text);
      const isOwn = typeof chat.sessionId === 'string' && typeof chat.projectHash === 'string';
      return isOwn && Array.isArray(chat.messages) ? chatLines(text, path, isEnded) : undefined;
    },
  },
};

async function findGemini(ask: FindAsk): Promise<FoundTranscript[]> {
  const { folder, unreadable } = ask;
  const found: FoundTranscript[] = [];
  const roots = await projectPaths(folder, unreadable);
  for (const project of await entriesOf(join(folder, 'tmp'), unreadable)) {
    if (!project.isDirectory()) continue;
    const chats = join(folder, 'tmp', project.name, 'chats');
    const cwd = roots.get(project.name) ?? (await rootOf(join(folder, 'tmp', project.name)));
    const home = { name: project.name, ...(cwd ? { cwd } : {}) };
    for (const { name } of await entriesOf(chats, unreadable)) {
      const path = join(chats, name);
      const file = /\.jsonl?$/.test(name) ? await foundFile(path) : undefined;
      if (!file) continue;
      const rows = ({ text, isEnded }: DocumentAsk) => chatLines(text, path, isEnded);
      if (name.endsWith('.jsonl')) found.push({ ...file, home });
      else found.push(...asDocument({ ...file, home }, rows, ask));
    }
  }
  return found;
}

/** One line for the session, one for each message, one for each of its calls: later ones come after, none changes. */
export function* chatLines(text: string, path: string, isEnded: boolean): Generator<Json> {
  const chat = jsonIn(text);
  if (!isJson(chat)) return;
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
async function projectPaths(folder: string, unreadable: string[]): Promise<Map<string, string>> {
  const path = join(folder, 'projects.json');
  const named = objectIn(await readFile(path, 'utf8').catch(() => ''));
  const { projects } = named;
  if (!isJson(projects)) {
    if (Object.keys(named).length > 0) unreadable.push(path);
    return new Map();
  }
  return new Map(
    Object.entries(projects).flatMap(([path, name]) => (typeof name === 'string' ? [[name, path]] : [])),
  );
}

async function rootOf(folder: string): Promise<string | undefined> {
  const text = await readFile(join(folder, '.project_root'), 'utf8').catch(() => '');
  return text.trim() || undefined;
}
