import {
  appendFileSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Turn, transcript } from '../../../test/made/conversation.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import { openSearchIndex } from '../../adapters/index-sqlite/open-search-index.ts';
import { CONFIG_DEFAULTS } from '../../core/model/config-defaults.ts';
import { Fault } from '../../core/model/fault.ts';
import type { ProjectId, SessionId } from '../../core/model/ids.ts';
import type { Originals } from '../../ports/archive.ts';
import { answerExchange, answerRecall, answerSessions } from '../answer/memory.ts';
import { resolveAsk } from '../compose/request.ts';
import { findExchange } from '../find/exchange.ts';
import { listSessions } from '../find/sessions.ts';
import { commandReads, commandText } from '../inject/command.ts';
import { exchangeFileName } from '../layers/statement-files.ts';
import { verify } from '../maintenance/verify.ts';
import { unregister, whatToUnregister } from '../purge/unregister.ts';
import { recall } from '../recall/recall.ts';
import { suggest } from '../recall/suggest.ts';
import { search } from '../search/search.ts';
import { contextOf, exchangeOfHit } from '../search/snippet-context.ts';
import { showSession } from '../session/show.ts';
import type { World } from '../world.ts';
import { noteOpen, openSessions } from './open-sessions.ts';
import { type HookSession, loadHookSession, saveHookSession } from './running-session.ts';
import { sync } from './sync.ts';
import { syncFor } from './sync-for.ts';
import { syncRunning } from './sync-running.ts';
import { syncSession } from './sync-session.ts';

const ID = '11111111-aaaa-4aaa-8aaa-000000000001' as SessionId;
const OTHER = '22222222-aaaa-4aaa-8aaa-000000000002' as SessionId;
const PROJECT = '-srv-shop' as ProjectId;
let world: TestWorld;

const pathOf = (session: SessionId) => join(world.projects, `${session}.jsonl`);

/** As the agent's Stop hook does it. */
async function begins(session: SessionId, turns: Turn[]): Promise<void> {
  writeFileSync(pathOf(session), transcript('/srv/shop', session, turns));
  const state = await loadHookSession(world, session);
  await syncSession(world, state, pathOf(session), { config: CONFIG_DEFAULTS, upTo: 'l1' });
  await saveHookSession(world, state);
  await noteOpen(world, session);
}

function goesOn(session: SessionId, turn: Turn, from = 1): void {
  const blank: Turn[] = Array.from({ length: from }, () => ({}));
  appendFileSync(pathOf(session), transcript('/srv/shop', session, [...blank, turn]));
}

beforeEach(async () => {
  world = makeWorld();
  await begins(ID, [{ you: 'How is the foghorn oiled?', agent: 'With Puffin oil.' }]);
  goesOn(ID, { you: 'And the bell?', agent: 'The bell needs Petrel grease.' });
});
afterEach(() => world.remove());

/** As a door does before it reads. */
async function found(query: string, from: World = world) {
  await syncFor(from, 'index');
  return (await search(from, { query })).hits;
}
async function asked<T>(read: (from: World) => Promise<T>, from: World = world): Promise<T> {
  await syncFor(from, 'sessions');
  return read(from);
}

describe('a session that is still running', () => {
  test('is found with its newest words, the lines around them, and their exchange', async () => {
    const [hit] = await found('Petrel grease');
    expect(hit?.text).toContain('Petrel grease');
    expect((await contextOf(world, hit!))?.line.text).toContain('Petrel grease');
    expect((await exchangeOfHit(world, hit!)).map(({ text }) => text)).toContain('And the bell?');
    expect((await asked(() => answerExchange(world, hit!.exchange.id))).text).toContain('Petrel grease');
    expect((await findExchange(world, hit!.exchange.id)).row.sessionId).toBe(ID);
  });

  test.each<[string, () => Promise<unknown>]>([
    ['recall', () => recall(world, {})],
    ['recall of a topic', () => recall(world, { topic: 'Petrel', budget: 300 })],
    ['the tool recall', () => answerRecall(world, '')],
    ['the tool recall of a topic', () => answerRecall(world, 'Petrel grease')],
  ])('is told to its newest words by %s', async (_, ask) => {
    expect(JSON.stringify(await asked(ask))).toContain('bell needs Petrel grease');
  });

  test.each<[string, () => Promise<unknown>]>([
    ['show', () => showSession(world, ID)],
    ['suggest', () => suggest(world, { topics: ['foghorn'] })],
    ['compose', () => resolveAsk(world, { budget: 1000, sessions: [ID] })],
    ['the tool sessions', () => answerSessions(world, { everywhere: true })],
  ])('is recorded to its newest words before %s', async (_, ask) => {
    await asked(ask);
    const record = (await world.archive.open(PROJECT))?.manifest.sessions[ID];
    expect(record?.originalBytes).toBe(statSync(pathOf(ID)).size);
    expect(record?.originalMessages).toBe(4);
    expect((await verify(world)).problems).toEqual([]);
  });

  test('is no news to its own agent, unless a compaction took it away, and leaves room for others', async () => {
    await begins(OTHER, [{ you: 'How is the mast painted?', agent: 'Tern white.' }]);
    for (let n = 2; n < 10; n++) goesOn(ID, { you: `Question ${n}?`, agent: `Answer ${n}.` }, n);
    const state = await loadHookSession(world, ID);
    const command = async (from: HookSession, words: string) => {
      const { reads, except } = commandReads('recall', from);
      await syncFor(world, reads, except);
      return commandText(world, from, 'recall', words);
    };
    const own = await command(state, '');
    expect(own).toContain('Tern white');
    expect(own).not.toMatch(/Puffin|Petrel|Answer/);
    expect(await command({ ...state, compacted: 1 }, 'Petrel')).toContain('Petrel grease');
    const { text } = await asked(() => answerRecall(world, ''));
    expect(text).toContain('Tern white');
    expect(text.match(/Answer \d/g)).toHaveLength(4);
  });

  test('is read once, and what its own hook noted meanwhile stays', async () => {
    await asked(() => recall(world, {}));
    const state = await loadHookSession(world, ID);
    await saveHookSession(world, { ...state, told: ['abc'] });
    const stamps = await world.archive.stamps();
    await asked(() => recall(world, {}));
    expect(await world.archive.stamps()).toEqual(stamps);
    goesOn(ID, { you: 'And the rope?', agent: 'Gannet wax.' }, 2);
    expect(await found('Gannet wax')).toHaveLength(1);
    expect((await loadHookSession(world, ID)).told).toEqual(['abc']);
  });

  test('is not recorded again where a sync did it', async () => {
    await sync(world);
    const { gen } = (await world.archive.head(PROJECT))!;
    await asked(() => recall(world, {}));
    expect((await world.archive.head(PROJECT))?.gen).toBe(gen);
    goesOn(ID, { you: 'And the rope?', agent: 'Gannet wax.' }, 2);
    await asked(() => recall(world, {}));
    expect((await world.archive.open(PROJECT))?.manifest.sessions[ID]?.originalMessages).toBe(6);
  });

  test('that a hook of the version before noted is read on, too', async () => {
    const { place, ...state } = await loadHookSession(world, ID);
    const seen = { size: 1, mtimeMs: 1, dev: 1, ino: 1 };
    await world.archive.files.write(
      undefined,
      `hooks/sessions/${ID}.json`,
      JSON.stringify({ ...state, version: 1, told: ['abc'], place: { ...place, seen, indexed: 1 } }),
    );
    expect(await found('Petrel grease')).toHaveLength(1);
    await asked(() => recall(world, {}));
    expect((await world.archive.open(PROJECT))?.manifest.sessions[ID]?.originalMessages).toBe(4);
    expect((await loadHookSession(world, ID)).told).toEqual(['abc']);
  });

  test('has its exchanges up to date once its record is', async () => {
    await asked(() => showSession(world, ID));
    const record = (await world.archive.open(PROJECT))?.manifest.sessions[ID];
    const bytes = await world.archive.files.read(PROJECT, exchangeFileName(record?.l1.file ?? ''));
    expect(JSON.parse(String(bytes)).l1.bytes).toBe(record?.l1.bytes);
  });

  test('is also found in a rebuilt index', async () => {
    expect(await found('Petrel grease')).toHaveLength(1);
    await world.index.destroy();
    expect(await found('Petrel grease')).toHaveLength(1);
    goesOn(ID, { you: 'And the rope?', agent: 'Gannet wax.' }, 2);
    await found('Petrel');
    await world.index.close();
    truncateSync(join(world.places.archive, 'index.sqlite'), 3000);
    world.index = openSearchIndex(join(world.places.archive, 'index.sqlite'));
    expect(await found('Gannet wax')).toHaveLength(1);
  });

  test('that fell silent for a day is recorded and no longer looked at', async () => {
    utimesSync(pathOf(ID), new Date(0), new Date(0));
    await found('Petrel');
    expect(await openSessions(world)).toEqual([]);
    expect((await world.archive.open(PROJECT))?.manifest.sessions[ID]?.originalMessages).toBe(4);
  });

  test('whose file is gone is no longer looked at, and still found', async () => {
    await found('Petrel');
    writeFileSync(
      world.archive.files.path(undefined, `hooks/sessions/${OTHER}.json`),
      '{"version":1,"place":',
    );
    await noteOpen(world, OTHER);
    rmSync(pathOf(ID));
    expect(await found('Petrel grease')).toHaveLength(1);
    expect(await openSessions(world)).toEqual([OTHER]);
  });
});

describe('if a running session cannot be followed', () => {
  const failing = (error: () => unknown, tries: string[] = []): World => {
    const absorb: Originals['absorb'] = (_project, name) => {
      tries.push(name);
      return Promise.reject(error());
    };
    return { ...world, archive: { ...world.archive, originals: { ...world.archive.originals, absorb } } };
  };

  test.each(['busy', 'read-only', 'unreadable'] as const)(
    'a fault (%s) leaves what was read before',
    async (code) => {
      const closed = failing(() => new Fault(code, 'No.'));
      expect((await found('Puffin oil', closed))[0]?.text).toBe('With Puffin oil.');
      expect((await asked((it) => recall(it, {}), closed)).text).toContain('Puffin oil');
    },
  );

  test('neither does any other error keep it from answering', async () => {
    const broken = failing(() => new TypeError('x is not a function'));
    expect((await found('Puffin oil', broken))[0]?.text).toBe('With Puffin oil.');
  });

  test('a lock is waited for once, not for each of them', async () => {
    await begins(OTHER, [{ you: 'How is the mast painted?', agent: 'Tern white.' }]);
    goesOn(OTHER, { you: 'And the deck?', agent: 'Skua grey.' });
    const tries: string[] = [];
    await found(
      'Puffin oil',
      failing(() => new Fault('busy', 'Busy.'), tries),
    );
    expect(tries).toHaveLength(1);
  });
});

describe('a session that the user takes out while it is read', () => {
  type Step = 'absorb' | 'hash';
  /** Another process takes it out when this one is about to do, or has done, one thing with its copy. */
  function meanwhile(step: Step, when: 'before' | 'after', work: () => Promise<unknown>): World {
    let done = false;
    const act = async () => {
      if (done) return;
      done = true;
      await work();
    };
    const real = world.archive.originals[step] as (...all: never[]) => Promise<unknown>;
    const acting = async (...all: never[]) => {
      if (when === 'before') await act();
      const result = await real(...all);
      if (when === 'after') await act();
      return result;
    };
    const originals: Originals = { ...world.archive.originals, [step]: acting };
    return { ...world, archive: { ...world.archive, originals } };
  }
  const takeOut = async (purge: boolean) =>
    unregister(world, await whatToUnregister(world, { session: ID }), { purge });
  const leftOf = (words: string) =>
    readdirSync(world.places.archive, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== 'lock.sqlite')
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((file) => readFileSync(file, 'latin1').includes(words));

  test.each([
    ['absorb', 'before', {}],
    ['absorb', 'after', {}],
    ['absorb', 'before', { record: true }],
    ['absorb', 'after', { record: true }],
    ['hash', 'before', { record: true }],
    ['hash', 'after', { record: true }],
  ] as const)('purged at %s, %s, %j: nothing of it comes back', async (step, when, how) => {
    await syncRunning(
      meanwhile(step, when, () => takeOut(true)),
      how,
    );
    expect(await found('Petrel grease')).toEqual([]);
    expect(await found('Puffin oil')).toEqual([]);
    expect(leftOf('Puffin')).toEqual([]);
    expect((await listSessions(world)).items).toEqual([]);
    goesOn(ID, { you: 'And the rope?', agent: 'Gannet wax.' }, 2);
    expect(await found('Gannet wax')).toEqual([]);
    expect((await verify(world)).problems).toEqual([]);
  });

  test('unregistered meanwhile, it is not found any more, and its files stay', async () => {
    await syncRunning(
      meanwhile('absorb', 'before', () => takeOut(false)),
      {},
    );
    expect(await found('Puffin oil')).toEqual([]);
    expect(await world.archive.originals.size(PROJECT, `${ID}.jsonl`)).toBeGreaterThan(0);
  });
});
