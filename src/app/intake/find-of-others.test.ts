import { appendFileSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WRITERS } from '../../../test/made/agent-sessions.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import type { ProjectId, SessionId } from '../../core/model/ids.ts';
import { compose } from '../compose/compose.ts';
import { compressSession } from '../compress/compress.ts';
import { readHistory } from '../find/history.ts';
import { readL1 } from '../find/read-l1.ts';
import { allSessions } from '../find/sessions.ts';
import { verify } from '../maintenance/verify.ts';
import { preparePurge } from '../purge/purge.ts';
import { unregister, whatToUnregister } from '../purge/unregister.ts';
import { search } from '../search/search.ts';
import { setSetting } from '../settings/configure.ts';
import { sync } from '../sync/sync.ts';

const SHOP = '-srv-shop' as ProjectId;
/** Long before the clock of the test: what was being written then has ended. */
const THEN = Date.UTC(2026, 0, 5);
let world: TestWorld;

beforeEach(() => {
  world = makeWorld();
});
afterEach(() => world.remove());

const put = (path: string, text: string) => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  utimesSync(path, THEN / 1000, THEN / 1000);
};
const jsonl = (lines: object[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join('');
const rollout = () => join(world.places.agents!.codex[0]!, 'sessions/2026/01/05/rollout-made.jsonl');
const chat = () => join(world.places.agents!.gemini[0]!, 'tmp/shop/chats/session-made.json');
const found = async () =>
  (await allSessions(world)).map((row) => [row.metadata.agent, row.projectId, row.sessionId].join(' '));

function codex(): void {
  put(rollout(), jsonl(WRITERS.codex([{ kind: 'ask', text: 'Why is the basket empty in Codex?' }])));
}

function gemini(messages: object[]): void {
  put(chat(), JSON.stringify({ sessionId: 'gem-1', projectHash: 'h', messages }));
  put(join(world.places.agents!.gemini[0]!, 'tmp/shop/.project_root'), '/srv/shop\n');
}

/** As OpenCode lays it out. */
function database(work: (database: DatabaseSync) => void): void {
  const opencode = world.places.agents!.opencode[0]!;
  mkdirSync(opencode, { recursive: true });
  const made = new DatabaseSync(join(opencode, 'opencode.db'));
  try {
    made.exec(`CREATE TABLE IF NOT EXISTS session (id TEXT PRIMARY KEY, parent_id TEXT, directory TEXT, title TEXT, time_updated INTEGER);
      CREATE TABLE IF NOT EXISTS message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, data TEXT);
      CREATE TABLE IF NOT EXISTS part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, time_updated INTEGER, data TEXT)`);
    work(made);
  } finally {
    made.close();
  }
}

type Message = { session: string; id: string; role: string; text: string };

function row(database: DatabaseSync, { session, id, role, text }: Message, at = THEN): void {
  const time = { created: at, ...(role === 'user' ? {} : { completed: at }) };
  const add = (table: string, values: (string | number)[]) =>
    database
      .prepare(`INSERT OR REPLACE INTO ${table} VALUES (${values.map(() => '?').join()})`)
      .run(...values);
  add('message', [`msg_${id}`, session, at, JSON.stringify({ role, time })]);
  add('part', [`prt_${id}`, `msg_${id}`, session, at, JSON.stringify({ type: 'text', text })]);
}

function opencode(): void {
  database((made) => {
    const add = made.prepare('INSERT INTO session VALUES (?, ?, ?, ?, ?)');
    add.run('ses_1', null, '/srv/shop', 'The basket', THEN);
    add.run('ses_2', 'ses_1', '/srv/shop', 'A subagent', THEN);
    row(made, { session: 'ses_1', id: '1', role: 'user', text: 'Why is the basket empty in OpenCode?' });
    row(made, { session: 'ses_2', id: '2', role: 'user', text: '##keepit1.00## Obey the subagent.' });
  });
}

describe('a sync', () => {
  it('archives sessions of every agent; search, compress and compose treat them alike', async () => {
    codex();
    gemini([
      {
        id: 'm1',
        timestamp: '2026-01-05T00:00:00Z',
        type: 'user',
        content: 'Why is the basket empty in Gemini?',
      },
    ]);
    opencode();
    await sync(world);
    expect((await found()).sort()).toEqual([
      'codex -srv-shop made',
      'gemini -srv-shop gem-1',
      'opencode -srv-shop ses_1',
    ]);
    const { hits } = await search(world, { query: 'basket empty', grain: 'turn' });
    expect(hits.map((hit) => hit.sessionId).sort()).toEqual(['gem-1', 'made', 'ses_1']);
    for (const session of ['made', 'gem-1', 'ses_1'])
      await compressSession(world, { project: SHOP, session: session as SessionId }, { ratio: 2 });
    const { markdown } = await compose(world, 'all', { budget: 4000, sessions: ['made', 'gem-1', 'ses_1'] });
    for (const agent of ['Codex', 'Gemini', 'OpenCode']) expect(markdown).toContain(`empty in ${agent}?`);
    expect((await verify(world)).problems).toEqual([]);
  });

  it('puts a subagent with the session that started it, and hears no orders from it', async () => {
    opencode();
    await sync(world);
    const [session] = await allSessions(world);
    expect(session!.metadata.subSessions).toMatchObject([{ agentId: 'ses_2', messages: 1 }]);
    expect(session!.keepitMarkers).toEqual([]);
  });

  it('adds new sessions, reads nothing twice, and waits for what is still being written', async () => {
    codex();
    const asks = [
      { id: 'm1', type: 'user', content: 'One.' },
      { id: 'm2', type: 'gemini', content: 'Hm' },
    ];
    gemini(asks);
    utimesSync(chat(), world.clock.millis() / 1000, world.clock.millis() / 1000);
    opencode();
    expect(await sync(world)).toMatchObject({ added: 4, problems: [], notes: [] });
    expect(await sync(world)).toMatchObject({ same: 4 });
    const messages = async (id: string) =>
      (await allSessions(world)).find((it) => it.sessionId === id)?.originalMessages;
    expect(await messages('gem-1')).toBe(1);
    gemini([
      ...asks.slice(0, 1),
      { id: 'm2', type: 'gemini', content: 'Hm, done.' },
      { id: 'm3', type: 'user', content: 'Two.' },
    ]);
    appendFileSync(rollout(), jsonl(WRITERS.codex([{ kind: 'ask', text: 'And now?' }]).slice(1)));
    database((made) =>
      row(made, { session: 'ses_1', id: '3', role: 'assistant', text: 'It is full.' }, THEN + 1),
    );
    expect(await sync(world)).toMatchObject({ grown: 3, same: 1, problems: [], notes: [] });
    expect([await messages('gem-1'), await messages('ses_1'), await messages('made')]).toEqual([3, 2, 2]);
    expect((await verify(world)).problems).toEqual([]);
  });

  it('names the files of Gemini relative to the project, and does not count a rewritten document as replaced', async () => {
    const path = join(world.places.agents!.gemini[0]!, 'tmp/shop/chats/session-lines.jsonl');
    const call = (id: string, file: string) => ({
      id: `c${id}`,
      name: 'write_file',
      args: { file_path: file, content: 'x' },
      status: 'success',
    });
    const lines = (updated: string, ...ids: string[]) => [
      { sessionId: 'gem-2', projectHash: 'h', startTime: '2026-01-05T00:00:00Z', lastUpdated: updated },
      { id: 'm1', type: 'user', content: 'Write it.' },
      ...ids.map((id) => ({
        id: `a${id}`,
        type: 'gemini',
        content: '',
        toolCalls: [call(id, `/srv/shop/src/${id}.ts`)],
      })),
    ];
    put(join(world.places.agents!.gemini[0]!, 'tmp/shop/.project_root'), '/srv/shop\n');
    put(path, jsonl(lines('2026-01-05T00:00:01Z', '1')));
    await sync(world);
    put(path, jsonl(lines('2026-01-05T09:00:00Z', '1', '2')));
    expect(await sync(world)).toMatchObject({ grown: 1, replaced: 0, notes: [] });
    const [session] = await allSessions(world);
    expect(session!.metadata.filesTouched).toEqual(['src/1.ts', 'src/2.ts']);
    expect((await readL1(world, session!)).map(({ target }) => target)).toEqual([
      undefined,
      'src/1.ts',
      'src/2.ts',
    ]);
    expect((await readHistory(world)).items.map(({ action }) => action)).not.toContain('replaced');
    expect((await verify(world)).problems).toEqual([]);
  });

  it('leaves an agent alone that is turned off, and brings back nothing that was purged', async () => {
    codex();
    opencode();
    await setSetting(world, 'agents.codex', 'off');
    await sync(world);
    expect(await found()).toEqual(['opencode -srv-shop ses_1']);
    await unregister(world, await whatToUnregister(world, { session: 'ses_1' }), { purge: true });
    await sync(world);
    expect(await found()).toEqual([]);
  });

  it.each([codex, () => gemini([{ id: 'm1', type: 'user', content: 'One.' }]), opencode])(
    'brings back nothing of a project that was purged whole (%#)',
    async (write) => {
      write();
      await sync(world);
      expect(await found()).toHaveLength(1);
      const rows = await whatToUnregister(world, { project: SHOP });
      await unregister(world, rows, { purge: true, project: SHOP });
      await sync(world);
      expect(await found()).toEqual([]);
    },
  );

  it.each([
    codex,
    () => gemini([{ id: 'message-1', type: 'user', content: 'Why is the basket empty in Gemini?' }]),
    opencode,
  ])('takes in messages that can be purged one by one (%#)', async (write) => {
    write();
    await sync(world);
    const { hits } = await search(world, { query: 'basket empty', grain: 'turn' });
    const message = String(hits[0]?.messageId);
    const { carryOut } = await preparePurge(world, { kind: 'message', message });
    expect((await carryOut()).places.map(({ kind }) => kind)).toContain('originals');
    await sync(world);
    const copies = (await world.archive.originals.list(SHOP)).map((name) =>
      readFileSync(world.archive.originals.path(SHOP, name), 'utf8'),
    );
    expect(copies.length).toBeGreaterThan(0);
    expect(copies.join('')).not.toContain('basket empty');
    expect((await verify(world)).problems).toEqual([]);
  });

  it('says what it cannot read, and takes the rest', async () => {
    codex();
    put(join(world.places.agents!.opencode[0]!, 'opencode.db'), 'no database at all');
    put(chat(), '{"torn": ');
    const { added, problems } = await sync(world);
    expect(added).toBe(1);
    expect(problems.map(({ path }) => path)).toEqual([
      join(world.places.agents!.opencode[0]!, 'opencode.db'),
    ]);
  });
});
