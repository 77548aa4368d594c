import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AGENT_FILES } from './agent-table.ts';

type Case = [
  agent: 'kimi' | 'grok' | 'gemini' | 'vscode-copilot',
  session: string,
  beside: string,
  key: string,
];

/** What names the folder is a file beside the session. */
const CASES: Case[] = [
  ['kimi', 'sessions/x/s/agents/main/wire.jsonl', 'sessions/x/s/state.json', 'workDir'],
  ['grok', 'sessions/x/s/chat_history.jsonl', 'sessions/x/s/summary.json', 'info'],
  ['gemini', 'tmp/x/chats/session-1.jsonl', 'projects.json', 'projects'],
  [
    'vscode-copilot',
    'Code/User/workspaceStorage/x/chatSessions/s.jsonl',
    'Code/User/workspaceStorage/x/workspace.json',
    'folder',
  ],
];
const VALUES = {
  kimi: '/srv/shop',
  grok: { cwd: '/srv/shop' },
  gemini: { '/srv/shop': 'x' },
  'vscode-copilot': 'file:///srv/shop',
};

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keepsake-newer-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function put(name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}

async function found(agent: keyof typeof AGENT_FILES, at = folder) {
  const unreadable: string[] = [];
  const ask = { folder: at, unreadable, now: Date.now(), staging: join(folder, 'staging') };
  const files = (await AGENT_FILES[agent].find?.(ask)) ?? [];
  return { folders: files.map(({ home }) => home?.cwd), unreadable };
}

describe.each(CASES)('the folder of a session of %s', (agent, session, beside, key) => {
  it('is found, and reported if a newer version calls it by another name', async () => {
    put(session, '{}\n');
    put(beside, JSON.stringify({ [key]: VALUES[agent] }));
    expect(await found(agent)).toEqual({ folders: ['/srv/shop'], unreadable: [] });
    put(beside, JSON.stringify({ [`${key}New`]: VALUES[agent] }));
    expect(await found(agent)).toEqual({ folders: [undefined], unreadable: [join(folder, beside)] });
  });

  it('is not reported where nothing names one', async () => {
    put(session, '{}\n');
    put(beside, JSON.stringify(agent === 'gemini' ? {} : { version: 'made up' }));
    expect(await found(agent)).toEqual({ folders: [undefined], unreadable: [] });
  });
});

it.each(['cwd', 'cwdNew'])('a database of claude-mem whose folders are in the column %s', async (column) => {
  const path = join(folder, 'claude-mem.db');
  const database = new DatabaseSync(path);
  database.exec(`
    CREATE TABLE sdk_sessions (id INTEGER PRIMARY KEY, content_session_id TEXT, memory_session_id TEXT, project TEXT);
    CREATE TABLE user_prompts (id INTEGER PRIMARY KEY, content_session_id TEXT, prompt_text TEXT, created_at_epoch INTEGER);
    CREATE TABLE pending_messages (id INTEGER PRIMARY KEY, content_session_id TEXT, ${column} TEXT);
    INSERT INTO sdk_sessions VALUES (1, 's', 'm', 'shop');
    INSERT INTO user_prompts VALUES (1, 's', 'Why is it empty?', 1);
    INSERT INTO pending_messages VALUES (1, 's', '/srv/shop');
  `);
  database.close();
  const isKnown = column === 'cwd';
  expect(await found('claude-mem')).toEqual({
    folders: [isKnown ? '/srv/shop' : undefined],
    unreadable: isKnown ? [] : [`${path}#pending_messages`],
  });
});
