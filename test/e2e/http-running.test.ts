import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compressSession } from '../../src/app/compress/compress.ts';
import { noteOpen } from '../../src/app/sync/open-sessions.ts';
import { loadHookSession, saveHookSession } from '../../src/app/sync/running-session.ts';
import { sync } from '../../src/app/sync/sync.ts';
import { syncSession } from '../../src/app/sync/sync-session.ts';
import { CONFIG_DEFAULTS } from '../../src/core/model/config-defaults.ts';
import { type SessionId, sanitizePath } from '../../src/core/model/ids.ts';
import { transcript } from '../made/conversation.ts';
import { HttpClient, type RouteName } from '../made/http-client.ts';
import { makeWorld, type TestWorld } from '../made/world.ts';

const sessionId = 'running' as SessionId;
let world: TestWorld;
let client: HttpClient;
let cwd: string;
let said = 1;
beforeAll(async () => {
  world = makeWorld();
  client = new HttpClient(world);
  cwd = join(world.places.home, 'shop');
  mkdirSync(cwd, { recursive: true });
  const first = [{ you: 'How is the foghorn oiled?', agent: 'With puffin oil.' }];
  writeFileSync(transcriptPath(), transcript(cwd, sessionId, first));
  await sync(world);
  await compressSession(world, { project: sanitizePath(cwd), session: sessionId }, { force: true });
  // As the agent's hooks do it.
  const state = await loadHookSession(world, sessionId);
  await syncSession(world, state, transcriptPath(), { config: CONFIG_DEFAULTS, upTo: 'l1' });
  await saveHookSession(world, state);
  await noteOpen(world, sessionId);
});
afterAll(() => world.remove());

function transcriptPath(): string {
  return join(world.projects, `${sessionId}.jsonl`);
}

/** The agent goes on: an ask with a word that was never said before, marked. Gives the word. */
function goesOn(): string {
  const word = `petrel${said}`;
  const blank = Array.from({ length: said++ }, () => ({}));
  const turn = {
    you: `And the ${word}?\n\n##keepit0.50## Grease the ${word} daily.`,
    agent: `It is ${word}.`,
  };
  appendFileSync(transcriptPath(), transcript(cwd, sessionId, [...blank, turn]));
  return word;
}

const one = { sessionId };
const p = () => ({ projectId: sanitizePath(cwd) });
const both = () => ({ ...p(), ...one });

/** By the word itself, or by how many messages there are with it. */
const READ: [RouteName, () => Record<string, string>, 'word' | 'messages'][] = [
  ['get /api/memory/projects', () => ({}), 'messages'],
  ['get /api/memory/projects/{projectId}', p, 'messages'],
  ['get /api/memory/projects/{projectId}/sessions', p, 'messages'],
  ['get /api/memory/projects/{projectId}/timeline', p, 'messages'],
  ['get /api/memory/timeline', () => ({}), 'messages'],
  ['get /api/memory/sessions', () => ({}), 'messages'],
  ['get /api/memory/sessions/{sessionId}', () => one, 'word'],
  ['get /api/memory/sessions/{sessionId}/messages', () => one, 'word'],
  ['get /api/memory/sessions/{sessionId}/exchanges', () => one, 'word'],
  ['get /api/memory/sessions/{sessionId}/original', () => one, 'word'],
  ['get /api/memory/sessions/{sessionId}/versions', () => one, 'messages'],
  ['get /api/memory/sessions/{sessionId}/stats', () => one, 'messages'],
  ['get /api/memory/projects/{projectId}/stats', p, 'messages'],
  ['get /api/memory/stats', () => ({}), 'messages'],
  ['get /api/memory/keepits', () => ({}), 'word'],
  ['get /api/memory/sessions/{sessionId}/keepits', () => one, 'word'],
  ['get /api/memory/projects/{projectId}/decay', () => ({ ...p(), ratio: '5' }), 'word'],
  ['get /api/memory/decay/matrix', () => ({ project: p().projectId }), 'word'],
  ['get /api/memory/recall', () => ({ topic: `petrel${said - 1}`, project: p().projectId }), 'word'],
  ['get /api/memory/search', () => ({ q: `petrel${said - 1}` }), 'word'],
];

test.each(READ)('%s includes what a running session said a moment ago', async (name, params, by) => {
  const word = goesOn();
  const { text } = await client.call(name, params());
  expect(text).toMatch(by === 'word' ? new RegExp(`${word}\\b`) : new RegExp(`essages"?:${2 * said}\\b`));
});

test('what is new since the last part grows with it', async () => {
  const name = 'get /api/memory/projects/{projectId}/sessions/{sessionId}/delta';
  const before = (await client.call(name, both())).json;
  goesOn();
  const after = (await client.call(name, both())).json;
  const all = (it: typeof before) => it.newMessages + it.waiting;
  expect(all(after)).toBe(all(before) + 2);
});

test('suggestions, previews and compositions include its newest words', async () => {
  const word = goesOn();
  const suggested = await client.call('get /api/memory/suggest', { topics: word, project: p().projectId });
  expect(suggested.json.items.map((it) => it.sessionId)).toEqual([sessionId]);
  const next = goesOn();
  const body = { budget: 20_000, sessions: [sessionId] };
  expect((await client.call('post /api/memory/compose/preview', {}, { body })).json.markdown).toContain(next);
});
