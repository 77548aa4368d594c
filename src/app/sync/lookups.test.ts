import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Turn, transcript } from '../../../test/made/conversation.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import { CONFIG_DEFAULTS } from '../../core/model/config-defaults.ts';
import type { ProjectId, SessionId } from '../../core/model/ids.ts';
import { composeBrief } from '../answer/compose.ts';
import { answerStory, answerSummarize } from '../answer/journal.ts';
import {
  answerExchange,
  answerRecall,
  answerSearch,
  answerSessions,
  answerSuggestions,
} from '../answer/memory.ts';
import { compose } from '../compose/compose.ts';
import { findComposition, listCompositions, showComposition } from '../compose/compositions.ts';
import { resolveAsk } from '../compose/request.ts';
import { compressSession } from '../compress/compress.ts';
import { deltaStatus } from '../compress/delta.ts';
import { diffVersions } from '../compress/diff-versions.ts';
import { listVersions } from '../compress/versions.ts';
import { briefSessions, namedSessions } from '../find/brief-sessions.ts';
import { findExchange } from '../find/exchange.ts';
import { readHistory } from '../find/history.ts';
import { listLinks } from '../find/links.ts';
import { findProject } from '../find/project.ts';
import { listProjects } from '../find/projects.ts';
import { readL1 } from '../find/read-l1.ts';
import { recallScope } from '../find/scope.ts';
import { findSession } from '../find/session.ts';
import { readExchanges } from '../find/session-exchanges.ts';
import { listSessions } from '../find/sessions.ts';
import { planSummary } from '../journal/summarize.ts';
import { findKeepit, listKeepits } from '../keepit/keepits.ts';
import { listConcepts } from '../layers/concepts.ts';
import { listFacts } from '../layers/facts.ts';
import { fullExchanges } from '../layers/read.ts';
import { readStats } from '../maintenance/stats.ts';
import { readStatus, waitsForSync } from '../maintenance/status.ts';
import { verify } from '../maintenance/verify.ts';
import { recall } from '../recall/recall.ts';
import { suggest } from '../recall/suggest.ts';
import { folderProjects } from '../repository/folder-projects.ts';
import { planRetentionRun } from '../retention/plan.ts';
import { previewMatrix, previewProject, previewSession } from '../retention/preview.ts';
import { openView } from '../search/open-view.ts';
import { searchMemory } from '../search/rolling.ts';
import { search } from '../search/search.ts';
import { contextOf, exchangeOfHit } from '../search/snippet-context.ts';
import { versionsHolding } from '../search/versions-holding.ts';
import { pendingFiles } from '../session/pending-files.ts';
import { showSession } from '../session/show.ts';
import type { World } from '../world.ts';
import { noteOpen } from './open-sessions.ts';
import { loadHookSession, saveHookSession } from './running-session.ts';
import { sync } from './sync.ts';
import { syncSession } from './sync-session.ts';

const PROJECT = '-srv-shop' as ProjectId;
const DONE = '11111111-aaaa-4aaa-8aaa-000000000001' as SessionId;
const RUNNING = '22222222-aaaa-4aaa-8aaa-000000000002' as SessionId;
let made: TestWorld;
let exchange: string;
let keepit: string;

const pathOf = (session: SessionId) => join(made.projects, PROJECT, `${session}.jsonl`);

/** As the agent's hooks do it. */
async function hooksRead(session: SessionId): Promise<void> {
  const state = await loadHookSession(made, session);
  await syncSession(made, state, pathOf(session), { config: CONFIG_DEFAULTS, upTo: 'l1' });
  await saveHookSession(made, state);
  await noteOpen(made, session);
}

function says(session: SessionId, before: number, turn: Turn): void {
  const blank: Turn[] = Array.from({ length: before }, () => ({}));
  appendFileSync(pathOf(session), transcript('/srv/shop', session, [...blank, turn]));
}

/** A session with a version and a composition; one that runs, of which hooks read a part, recorded less, and not the rest. */
beforeEach(async () => {
  made = makeWorld();
  made.places.cwd = '/srv/shop';
  mkdirSync(join(made.projects, PROJECT));
  const turns = Array.from({ length: 6 }, (_, n) => ({
    you: `How is foghorn ${n} oiled?${n === 2 ? '\n\n##keepit0.80## Oil it weekly.' : ''}`,
    agent: `With Puffin oil number ${n}: ${'the can stands beside the door, '.repeat(8)}as ever.`,
  }));
  writeFileSync(pathOf(DONE), transcript('/srv/shop', DONE, turns));
  await sync(made);
  await compressSession(made, { project: PROJECT, session: DONE }, { ratio: 3, force: true });
  await compose(made, 'horns', { budget: 2000, sessions: [DONE] });
  writeFileSync(
    pathOf(RUNNING),
    transcript('/srv/shop', RUNNING, [{ you: 'The mast?', agent: 'Tern white.' }]),
  );
  await hooksRead(RUNNING);
  says(RUNNING, 1, { you: 'And the deck?', agent: 'Skua grey.' });
  await hooksRead(RUNNING);
  says(RUNNING, 2, { you: 'And the bell?', agent: 'Petrel grease.' });
  exchange = (await readExchanges(made, (await findSession(made, DONE)).row))[0]!.id;
  keepit = (await listKeepits(made)).items[0]!.markerId;
  // The list of projects and a sound manifest are noted once they are two seconds old: here before a test, however long it takes.
  const before = new Date(Date.now() - 60_000);
  utimesSync(join(made.places.archive, 'projects', PROJECT, 'manifest.json'), before, before);
  utimesSync(join(made.places.archive, 'projects'), before, before);
  await folderProjects(made);
  await findSession(made, DONE);
  expect(existsSync(join(made.places.archive, 'cache', 'manifests', PROJECT))).toBe(true);
});
afterEach(() => made.remove());

/** The archive's port, with every call that can write something noted. */
function watched(written: string[]): World {
  const noting = <T extends object>(part: T, name: string, calls: (keyof T)[]): T => {
    const copy = { ...part };
    for (const call of calls) {
      const real = part[call] as (...all: unknown[]) => unknown;
      copy[call] = ((...all: unknown[]) => {
        written.push(`${name}.${String(call)} ${all.slice(0, 2).join(' ')}`);
        return real(...all);
      }) as T[keyof T];
    }
    return copy;
  };
  const { archive } = made;
  const originals = noting(archive.originals, 'originals', ['absorb', 'remove']);
  const files = noting(archive.files, 'files', ['write', 'create', 'writeAt', 'remove']);
  const places = noting(archive.places, 'places', ['enter', 'leave']);
  const own = noting(archive, 'archive', ['change', 'fold', 'removeProject', 'sweep', 'wipe', 'exclusive']);
  return {
    ...made,
    archive: { ...own, originals, files, places },
    projectFiles: noting(made.projectFiles, 'projectFiles', ['write']),
  };
}

/** Every file of the archive but the index and what the lock lives on. */
function filesNow(): Map<string, string> {
  const all = readdirSync(made.places.archive, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/^(?:index|lock)\.sqlite/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
  return new Map(all.map((path) => [path, readFileSync(path, 'latin1')]));
}

const hit = async (world: World) => (await search(world, { query: 'Puffin' })).hits[0]!;
const ref = { project: PROJECT, session: DONE };
const running = { project: PROJECT, session: RUNNING };

const LOOKUPS: Record<string, (world: World) => Promise<unknown>> = {
  findProject: (world) => findProject(world, 'shop'),
  listProjects,
  recallScope,
  findSession: (world) => findSession(world, RUNNING.slice(0, 8)),
  listSessions,
  briefSessions: (world) => briefSessions(world, PROJECT),
  namedSessions: (world) => namedSessions(world, 'shop'),
  showSession: (world) => showSession(world, RUNNING),
  readL1: async (world) => readL1(world, (await findSession(world, RUNNING)).row),
  findExchange: (world) => findExchange(world, exchange),
  fullExchanges: async (world) => fullExchanges(world, (await findSession(world, RUNNING)).row),
  pendingFiles,
  listKeepits,
  'listKeepits of a session': (world) => listKeepits(world, { session: RUNNING }),
  findKeepit: (world) => findKeepit(world, keepit),
  listLinks,
  readHistory: (world) => readHistory(world, {}),
  listFacts: (world) => listFacts(world, {}),
  listConcepts: (world) => listConcepts(world, {}),
  readStats,
  'readStats of a session': (world) => readStats(world, { session: RUNNING }),
  readStatus,
  waitsForSync,
  verify: (world) => verify(world),
  listVersions: (world) => listVersions(world, ref),
  deltaStatus: (world) => deltaStatus(world, running),
  diffVersions: (world) => diffVersions(world, ref, ['original', 'part1_v001']),
  'compressSession, dry': (world) => compressSession(world, running, { force: true, dryRun: true }),
  listCompositions,
  showComposition: async (world) => showComposition(world, await findComposition(world, 'horns')),
  resolveAsk: (world) => resolveAsk(world, { budget: 1000, latest: 2 }),
  'compose, preview': (world) => compose(world, 'x', { budget: 1000, latest: 2 }, { preview: true }),
  previewSession: (world) => previewSession(world, RUNNING, { ratio: 3 }),
  previewProject: (world) => previewProject(world, PROJECT, { ratio: 3 }),
  previewMatrix: (world) => previewMatrix(world, { project: PROJECT }, {}),
  planRetentionRun: (world) => planRetentionRun(world),
  openView: async (world) => (await openView(world, { documents: true })).close(),
  search: (world) => search(world, { query: 'Petrel' }),
  searchMemory: (world) => searchMemory(world, { query: 'oil', projects: [PROJECT], deep: true }),
  contextOf: async (world) => contextOf(world, await hit(world)),
  exchangeOfHit: async (world) => exchangeOfHit(world, await hit(world)),
  versionsHolding: async (world) => versionsHolding(world, [await hit(world)]),
  recall: (world) => recall(world, {}),
  'recall of a topic': (world) => recall(world, { topic: 'Puffin oil' }),
  suggest: (world) => suggest(world, { topics: ['Puffin'] }),
  answerRecall: (world) => answerRecall(world, ''),
  answerSearch: (world) => answerSearch(world, 'Puffin'),
  answerSessions: (world) => answerSessions(world, {}),
  answerSuggestions: (world) => answerSuggestions(world, 'Puffin'),
  answerExchange: (world) => answerExchange(world, exchange),
  answerStory: (world) => answerStory(world, { session: RUNNING }),
  planSummary: (world) => planSummary(world, { id: RUNNING }),
  answerSummarize: (world) => answerSummarize(world, { id: RUNNING }),
  composeBrief: (world) => composeBrief(world, RUNNING, 'Puffin'),
};

describe('a lookup writes nothing but the index', () => {
  test.each(Object.entries(LOOKUPS))('%s', async (_, look) => {
    const written: string[] = [];
    const before = filesNow();
    await look(watched(written));
    expect(written).toEqual([]);
    expect([...filesNow()]).toEqual([...before]);
  });
});
