import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compose } from '../../src/app/compose/compose.ts';
import { compressSession } from '../../src/app/compress/compress.ts';
import { addLink } from '../../src/app/find/links.ts';
import { logInjection, readInjections } from '../../src/app/inject/injection-log.ts';
import { findConcept } from '../../src/app/layers/concepts.ts';
import { addFact } from '../../src/app/layers/facts-edit.ts';
import { addRemote } from '../../src/app/remote/add-remote.ts';
import { shareProjects } from '../../src/app/remote/share.ts';
import { sync } from '../../src/app/sync/sync.ts';
import { type ProjectId, type SessionId, sanitizePath } from '../../src/core/model/ids.ts';
import { transcript } from './conversation.ts';
import { HttpClient, type RouteName } from './http-client.ts';
import { makeWorld, type TestWorld } from './world.ts';

export type Sample = [name: RouteName, params?: Record<string, string>, body?: unknown];

export type Scenario = {
  world: TestWorld;
  client: HttpClient;
  project: ProjectId;
  other: ProjectId;
  shop: string;
};

const WITH_SUBAGENT = 'bc21c411-b7ec-4f63-a5b0-30ebaf27943d';
const OFFER = 'fe_0ffe40ffe4';
const SUBAGENT = 'a0c4d2e81b6f9a375';

/** Two projects that have a session id in common, with keepits, a version, a composition, a fact and a link. */
export async function makeScenario(): Promise<Scenario> {
  const world = makeWorld();
  const shop = join(world.places.home, 'shop');
  const bakery = join(world.places.home, 'bakery');
  const put = (cwd: string, session: string, turns: Parameters<typeof transcript>[2]) => {
    const folder = join(world.projects, sanitizePath(cwd));
    mkdirSync(folder, { recursive: true });
    mkdirSync(cwd, { recursive: true });
    writeFileSync(join(folder, `${session}.jsonl`), transcript(cwd, session, turns));
  };
  put(shop, 'one', [
    { you: 'How do we round prices?\n\n##keepit1.00## Money is integer cents.', agent: talk('rounding') },
    { you: 'And the basket?\n\n##keepit0.30## Maybe blue.', agent: talk('basket') },
    { you: 'From now on, always run the linter before a commit.', agent: talk('linter') },
    { you: 'The tax?', agent: talk('tax') },
  ]);
  put(shop, 'two', [{ you: 'How is the oven heated?', agent: talk('oven') }]);
  put(shop, 'twin', [{ you: 'The twin of the shop?', agent: talk('shop twin') }]);
  put(bakery, 'twin', [{ you: 'The twin of the bakery?', agent: talk('bakery twin') }]);
  const fixture = join(import.meta.dirname, '..', 'fixtures', 'claude-code', 'subagent-folder');
  cpSync(fixture, join(world.projects, 'subagent-folder'), { recursive: true });
  await sync(world);
  const project = sanitizePath(shop);
  const other = sanitizePath(bakery);
  const ref = { project, session: 'one' as SessionId };
  await compressSession(world, ref, { level: 'light' });
  await compressSession(world, ref, { level: 'moderate' });
  await compose(world, 'basket', { budget: 4000, sessions: ['one'] });
  await addFact(world, { content: 'Prices are kept in cents.', kind: 'fact', project });
  await offerOf(world, project);
  await addLink(world, { session: 'twin', to: project, reason: 'same ovens', project: other });
  await addRemote(world, { address: join(world.places.home, 'store') });
  await shareProjects(world, { project });
  return { world, client: new HttpClient(world), project, other, shop };
}

/** What a colleague offers, as an import leaves it. */
async function offerOf(world: TestWorld, project: ProjectId): Promise<void> {
  const edit = {
    ...{ editId: OFFER, at: world.clock.now(), factId: 'm_offer', by: 'user' as const, author: 'anna' },
    ...{ action: 'promote' as const, kind: 'fact', content: 'Invoices have gaps in their numbers.' },
  };
  await world.archive.change(project, [{ at: ['factEdits'], append: edit, unique: 'editId' }], []);
}

function talk(topic: string): string {
  return Array.from(
    { length: 12 },
    (_, n) => `The ${topic} has a detail ${n}, worth about ${n * 7} cents.`,
  ).join(' ');
}

/** A request of every route that is answered well, in an order in which none spoils the next. */
export async function samplesOf({ client, project, other, shop, world }: Scenario): Promise<Sample[]> {
  const { json: exchanges } = await client.call('get /api/memory/sessions/{sessionId}/exchanges', {
    sessionId: 'one',
  });
  const { json: keepits } = await client.call('get /api/memory/sessions/{sessionId}/keepits', {
    sessionId: 'one',
  });
  const { json: facts } = await client.call('get /api/memory/facts');
  const { json: links } = await client.call('get /api/memory/links');
  const [exchange] = exchanges.items;
  const marker = keepits.items.find((it) => it.weight < 1);
  const fact = facts.items.find((it) => it.kind === 'fact');
  const job = client.jobs.start({ kind: 'sample', subject: 'nothing' }, async () => 1);
  await job.done;
  const one = { sessionId: 'one' };
  const both = { projectId: project, sessionId: 'one' };
  const version = { ...one, versionId: 'part1_v001' };
  const chosen = { ...one, markerId: marker?.markerId ?? '' };
  const factId = { factId: fact?.id ?? '' };
  const p = { projectId: project };
  const composition = { compositionId: 'basket' };
  const concept = { conceptId: await conceptOf(client) };
  const note = { ...p, name: 'project' };
  const setting = { key: 'levels.light' };
  const bundle = join(world.places.home, 'shop.keepsake.gz');
  // Waits to be added: no sync has seen it.
  const late = join(world.projects, sanitizePath(shop), 'late.jsonl');
  writeFileSync(late, transcript(shop, 'late', [{ you: 'Late?', agent: talk('late') }]));
  return [
    ['get /api/memory/transcripts/peek', { path: late }],
    ['get /api/memory/projects', { limit: '1' }],
    ['get /api/memory/projects/{projectId}', p],
    ['patch /api/memory/projects/{projectId}', p, { displayName: 'tea shop' }],
    ['get /api/memory/project-offers'],
    ['post /api/memory/projects/{projectId}/join', p, { project: other }],
    ['post /api/memory/projects/{projectId}/split', { projectId: other }, {}],
    ['get /api/memory/projects/{projectId}/sessions', p],
    ['get /api/memory/projects/{projectId}/timeline', p],
    ['get /api/memory/timeline', { words: 'shop' }],
    ['post /api/memory/projects/{projectId}/sessions/{sessionId}', both, {}],
    ['get /api/memory/sessions', { project }],
    ['get /api/memory/sessions/unregistered'],
    ['post /api/memory/sessions', {}, { target: 'two' }],
    ['post /api/memory/sessions/batch', {}, { targets: ['one', 'nowhere'] }],
    ['post /api/memory/sessions/batch', {}, { all: true }],
    ['get /api/memory/sessions/{sessionId}', one],
    ['patch /api/memory/sessions/{sessionId}', one, { name: 'Rounding' }],
    ['put /api/memory/sessions/{sessionId}/recording', one, { record: false }],
    ['get /api/memory/recording'],
    ['put /api/memory/sessions/{sessionId}/recording', one, { record: true }],
    ['post /api/memory/sessions/{sessionId}/sync', one, {}],
    ['get /api/memory/sessions/{sessionId}/messages', { ...one, limit: '2', view: 'l1' }],
    ['get /api/memory/sessions/{sessionId}/messages/{line}', { ...one, line: '2' }],
    ['get /api/memory/sessions/{sessionId}/original', one],
    ['get /api/memory/sessions/{sessionId}/subagents', { sessionId: WITH_SUBAGENT }],
    [
      'get /api/memory/sessions/{sessionId}/subagents/{agentId}',
      { sessionId: WITH_SUBAGENT, agentId: SUBAGENT },
    ],
    ['get /api/memory/sessions/{sessionId}/versions', one],
    ['post /api/memory/sessions/{sessionId}/versions', one, { level: 'aggressive', dryRun: true }],
    [
      'post /api/memory/sessions/{sessionId}/versions/manual',
      one,
      { choices: { [exchange?.id ?? '']: 'drop', 2: 'shrink' } },
    ],
    ['get /api/memory/sessions/{sessionId}/versions/{versionId}', version],
    ['get /api/memory/sessions/{sessionId}/versions/{versionId}/content', { ...version, format: 'jsonl' }],
    ['get /api/memory/sessions/{sessionId}/versions/{versionId}/blame', { ...version, lines: '1-3' }],
    ['get /api/memory/sessions/{sessionId}/compare', { ...one, to: 'v001' }],
    ['get /api/memory/projects/{projectId}/sessions/{sessionId}/delta', both],
    ['get /api/memory/projects/{projectId}/sessions/{sessionId}/parts', both],
    [
      'post /api/memory/projects/{projectId}/sessions/{sessionId}/parts/{part}/recompress',
      { ...both, part: '1' },
      { ratio: 12 },
    ],
    [
      'post /api/memory/projects/{projectId}/sessions/{sessionId}/delta',
      { projectId: project, sessionId: 'two' },
      { level: 'light' },
    ],
    ['get /api/memory/keepits'],
    ['get /api/memory/sessions/{sessionId}/keepits', one],
    ['get /api/memory/sessions/{sessionId}/keepits/{markerId}', chosen],
    ['put /api/memory/sessions/{sessionId}/keepits/{markerId}', chosen, { weight: 0.5 }],
    ['post /api/memory/sessions/{sessionId}/keepits/{markerId}/confirm', chosen, {}],
    ['delete /api/memory/sessions/{sessionId}/keepits/{markerId}', chosen],
    ['post /api/memory/sessions/{sessionId}/keepits', one, { text: 'The tax?', weight: 0.8 }],
    ['post /api/memory/decay/preview', {}, { sessionId: 'one', compressionRatio: 30, sessionDistance: 5 }],
    ['get /api/memory/projects/{projectId}/decay', { ...p, ratio: '15' }],
    ['get /api/memory/decay/matrix', { session: 'one' }],
    ['get /api/memory/decay/schedule', { project }],
    ['put /api/memory/decay/schedule', { project }, { schedule: 'weekly' }],
    ['get /api/memory/decay/plan', { project }],
    ['post /api/memory/decay/run', {}, { project }],
    ['post /api/memory/decay/undo', {}, { project }],
    ['get /api/memory/stats'],
    ['get /api/memory/growth'],
    ['get /api/memory/touched-files'],
    ['get /api/memory/touched-files/story', { path: 'src/price.ts' }],
    ['get /api/memory/projects/{projectId}/stats', p],
    ['get /api/memory/sessions/{sessionId}/stats', one],
    ['get /api/memory/sessions/{sessionId}/map', one],
    ['get /api/memory/models'],
    ['post /api/memory/models/run', {}, { uses: ['exchanges', 'archives'], project, dryRun: true }],
    ['get /api/memory/ledger', { by: 'model' }],
    ['get /api/memory/ledger/calls'],
    ['get /api/memory/export', { project }],
    ['post /api/memory/export', {}, { out: bundle, project }],
    ['post /api/memory/import/bundle', {}, { path: bundle, dryRun: true }],
    ['post /api/memory/uploads', {}, { name: 'chat.jsonl', at: 0, data: 'e30K' }],
    ['delete /api/memory/uploads/{uploadId}', { uploadId: '0'.repeat(32) }],
    ['get /api/memory/remotes'],
    ['post /api/memory/remotes/{remote}/preview', { remote: 'home' }, {}],
    ['post /api/memory/remotes/{remote}/approve', { remote: 'home' }, {}],
    ['post /api/memory/remotes/{remote}/sync', { remote: 'home' }, {}],
    ['post /api/memory/claim', {}, { sessions: ['one'] }],
    ['post /api/memory/purge', {}, { text: 'The oven has a detail 3', dryRun: true }],
    ['post /api/memory/compose', {}, { name: 'fresh', budget: 3000, sessions: ['one', 'two:original'] }],
    ['post /api/memory/compose/preview', {}, { budget: 3000, latest: 2, project }],
    ['post /api/memory/compose/allocation', {}, { budget: 3000, latest: 2, project }],
    ['get /api/memory/compositions'],
    ['get /api/memory/projects/{projectId}/compositions', p],
    ['post /api/memory/projects/{projectId}/compositions', p, { name: 'here', budget: 2000, latest: 1 }],
    ['get /api/memory/compositions/{compositionId}', composition],
    ['get /api/memory/compositions/{compositionId}/content', composition],
    ['post /api/memory/compositions/{compositionId}/reuse', composition, { budget: 2500, as: 'again' }],
    ['post /api/memory/compositions/{compositionId}/resume', composition, { cwd: shop }],
    ['delete /api/memory/compositions/{compositionId}', { compositionId: 'here' }],
    ['get /api/memory/search', { q: 'rounding', kinds: 'all' }],
    ['post /api/memory/search/reject', {}, { project, sessionId: 'one', src: 0, note: 'A slip.' }],
    [
      'post /api/memory/search/batch',
      {},
      {
        queries: [
          { id: 'a', query: 'rounding' },
          { id: 2, query: 'oven', project: 'nowhere' },
        ],
        grain: 'session',
      },
    ],
    ['get /api/memory/recall', { topic: 'rounding', project }],
    ['get /api/memory/suggest', { topics: 'rounding', project }],
    ['get /api/memory/sessions/{sessionId}/exchanges', one],
    ['get /api/memory/exchanges/{exchangeId}', { exchangeId: exchange?.id ?? '' }],
    ['get /api/memory/concepts'],
    ['get /api/memory/concepts/{conceptId}', concept],
    ['patch /api/memory/concepts/{conceptId}', concept, { name: 'Prices' }],
    [
      'post /api/memory/concepts/{conceptId}/split',
      concept,
      { exchanges: [await exchangeIn(client, concept.conceptId)], name: 'Apart' },
    ],
    ['post /api/memory/concepts/merge', { project }, { concepts: ['Prices', 'Apart'], name: 'Together' }],
    ['get /api/memory/concept-reviews', { project }],
    [
      'post /api/memory/concept-reviews/{editId}/accept',
      { editId: await editOfKim(world, project, concept.conceptId) },
    ],
    ['get /api/memory/facts', { project }],
    ['post /api/memory/facts', {}, { content: 'Never amend commits.', project }],
    ['get /api/memory/facts/{factId}', factId],
    ['put /api/memory/facts/{factId}', factId, { content: 'Prices are whole cents.' }],
    ['post /api/memory/facts/{factId}/confirm', factId, {}],
    ['post /api/memory/facts/{factId}/keep', factId, {}],
    ['post /api/memory/facts/{factId}/undo', factId, {}],
    ['post /api/memory/facts/{factId}/reject', factId, { note: 'It never was so.' }],
    ['post /api/memory/facts/{factId}/undo', factId, {}],
    ['get /api/memory/fact-reviews', { project }],
    ['post /api/memory/facts/{factId}/promote', factId, {}],
    ['get /api/memory/team-facts', { project }],
    ['post /api/memory/team-facts/{offerId}/review', { offerId: OFFER }, { verdict: 'accept' }],
    ['get /api/memory/who', { asked: 'rounding', project }],
    ['delete /api/memory/facts/{factId}', factId],
    ['get /api/memory/projects/{projectId}/memory', p],
    ['post /api/memory/projects/{projectId}/memory/check', p, { now: true }],
    ['post /api/memory/projects/{projectId}/memory/final', p, { session: 'one' }],
    ['post /api/memory/projects/{projectId}/memory/reset', p, {}],
    ['post /api/memory/projects/{projectId}/memory/rotate', p, { force: true }],
    ['post /api/memory/projects/{projectId}/memory/generate-l3', p, { again: true }],
    ['post /api/memory/projects/{projectId}/memory/archive', p, { days: 1 }],
    ['post /api/memory/projects/{projectId}/memory/refine-all', p, {}],
    ['post /api/memory/projects/{projectId}/memory/dedupe-l1', p, {}],
    ['post /api/memory/projects/{projectId}/memory/migrate-legacy', p, {}],
    ['put /api/memory/projects/{projectId}/memory/files/{name}', note, { text: 'A shop for tea.' }],
    ['get /api/memory/projects/{projectId}/memory/files/{name}', note],
    ['get /api/memory/projects/{projectId}/memory/search', { ...p, q: 'tea', deep: 'true' }],
    ['get /api/memory/projects/{projectId}/journal', p],
    ['post /api/memory/projects/{projectId}/journal/pages/{sessionId}', both, {}],
    ['get /api/memory/projects/{projectId}/journal/pages/{sessionId}', both],
    ['post /api/memory/projects/{projectId}/journal/synthesis', p, {}],
    ['get /api/memory/projects/{projectId}/journal/master', p],
    ['get /api/memory/links'],
    ['delete /api/memory/links/{linkId}', { linkId: links.items[0]?.linkId ?? '' }],
    ['post /api/memory/links', {}, { session: 'two', to: other, reason: 'the same oven' }],
    ['get /api/memory/config', { project }],
    ['get /api/memory/config/{key}', setting],
    ['put /api/memory/config/{key}', setting, { value: 5 }],
    ['delete /api/memory/config/{key}', setting],
    ['get /api/memory/strategies'],
    ['get /api/memory/status'],
    ['get /api/memory/waiting'],
    ['post /api/memory/sync', {}, {}],
    ['post /api/memory/sync', {}, { sample: true }],
    ['delete /api/memory/sample'],
    ['post /api/memory/import', {}, { path: chatIn(world), project: 'chats' }],
    ['post /api/memory/verify', {}, { session: 'one' }],
    ['post /api/memory/replay', {}, {}],
    ['get /api/memory/doctor'],
    ['get /api/memory/history', { limit: '3' }],
    ['get /api/memory/injections', { limit: '3' }],
    ['get /api/memory/replay'],
    ['get /api/memory/replay/figures'],
    [
      'put /api/memory/injections/{injectionId}/feedback',
      { injectionId: await injected(world, project) },
      { helped: false },
    ],
    ['get /api/memory/jobs', { state: 'done' }],
    ['get /api/memory/jobs/{jobId}', { jobId: job.job.jobId }],
    ['delete /api/memory/jobs/{jobId}', { jobId: job.job.jobId }],
    ['get /api/memory/jobs/{jobId}/events', { jobId: job.job.jobId }],
    ['post /api/tickets', {}, {}],
    ['delete /api/memory/sessions/{sessionId}/versions/{versionId}', { ...version, force: 'true' }],
    ['post /api/memory/sessions/{sessionId}/versions/prune', one, { unused: true }],
    ['delete /api/memory/sessions/{sessionId}', { sessionId: 'two', force: 'true' }],
    [
      'delete /api/memory/projects/{projectId}/sessions/{sessionId}',
      { projectId: other, sessionId: 'twin', purge: 'true' },
    ],
  ];
}

async function conceptOf(client: HttpClient): Promise<string> {
  const { json } = await client.call('get /api/memory/concepts');
  const most = [...json.items].sort((a, b) => b.exchanges.length - a.exchanges.length);
  return most[0]?.id ?? '';
}

async function exchangeIn(client: HttpClient, conceptId: string): Promise<string> {
  const { json } = await client.call('get /api/memory/concepts/{conceptId}', { conceptId });
  return json.exchanges.at(-1) ?? '';
}

/** What a start said to session `one`. */
async function injected(world: TestWorld, project: ProjectId): Promise<string> {
  const said = {
    session: 'one',
    on: 'start' as const,
    why: 'A session started.',
    text: 'Prices are in cents.',
  };
  await logInjection(world, project, said, [{ sessionId: 'two' }]);
  const [row] = await readInjections(world, [project]);
  return row!.id;
}

function chatIn(world: TestWorld): string {
  const path = join(world.places.home, 'chat.jsonl');
  const line = { ts: '2026-01-05T10:00:00Z', role: 'user', text: 'Hello there.' };
  writeFileSync(path, `${JSON.stringify(line)}\n`);
  return path;
}

/** Someone else renamed a concept. */
async function editOfKim(world: TestWorld, project: ProjectId, conceptId: string): Promise<string> {
  const { exchanges } = await findConcept(world, conceptId);
  const edit = { editId: 'ce_kim', at: '2026-01-01T00:00:00.000Z', author: 'Kim', via: 'import' };
  const append = { ...edit, action: 'rename', exchange: exchanges[0], name: 'As Kim says' };
  await world.archive.change(project, [{ at: ['conceptEdits'], append, unique: 'editId' }]);
  return edit.editId;
}
