// Compares concepts with the work itself (B-cubed): exchanges of one branch, or of one commit, belong together.
import { existsSync, readFileSync } from 'node:fs';
import { originalName } from '../src/app/find/session-ref.ts';
import { allSessions, type SessionRow } from '../src/app/find/sessions.ts';
import { sessionExchanges } from '../src/app/layers/exchanges.ts';
import { sync } from '../src/app/sync/sync.ts';
import { EPOCHS } from '../src/core/layers/concepts/base.ts';
import { conceptsFrom, conceptsOf, type SessionExchanges } from '../src/core/layers/concepts/concepts.ts';
import { keywordKey } from '../src/core/layers/keywords.ts';
import type { Concept } from '../src/core/model/concept.ts';
import type { ExchangeRecord } from '../src/core/model/exchange.ts';
import { makeWorld, type TestWorld } from '../test/made/world.ts';
import { isMain, table } from './bench-table.ts';

type Commit = { commit: string; sessions: { session_id: string; transcript_line_start: number }[] };
/** The group of each exchange. */
type Grouping = Map<string, string>;

export async function run([folder, gold]: string[]): Promise<void> {
  if (!folder || !gold || !existsSync(folder) || !existsSync(gold))
    throw new Error(
      'Missing folder of transcripts or JSONL file of commits with their sessions. Usage: npm run bench -- concepts DIR FILE',
    );
  const world = makeWorld();
  try {
    await sync(world, { from: [folder] });
    const rows = await allSessions(world);
    const sessions: SessionExchanges[] = [];
    for (const row of rows)
      sessions.push({
        sessionId: row.sessionId,
        exchanges: await sessionExchanges(world, row.projectId, row),
      });
    const branches = byBranch(rows, sessions);
    const commits = await byCommit(world, rows, sessions, gold);
    const all = sessions.flatMap(({ exchanges }) => exchanges);
    const started = performance.now();
    const concepts = conceptsOf(sessions);
    const took = performance.now() - started;
    const groupingOf = (made: Concept[]): Grouping =>
      new Map(made.flatMap(({ id, exchanges }) => exchanges.map((it) => [it, id] as const)));
    // Simulates a large project just before its next full grouping.
    const late = { whole: Math.ceil(all.length / EPOCHS.growth), growth: EPOCHS.growth };
    const online = conceptsFrom(sessions, [], undefined, late).concepts;
    const ways: [string, Grouping][] = [
      ['each exchange alone', new Map(all.map(({ id }) => [id, id]))],
      [
        'keywords, Jaccard over .3',
        leader(all, (record) => new Set(record.keywords.map(keywordKey)), jaccard),
      ],
      ['changed files, overlap over .3', leader(all, (record) => new Set(record.files), containment)],
      ['concepts, the last ninth joined one by one', groupingOf(online)],
      ['concepts', groupingOf(concepts)],
    ];
    console.log(
      `${all.length} exchanges of ${rows.length} sessions, all as one project; ${concepts.length} concepts in ${took.toFixed(0)} ms`,
    );
    console.log(
      `${branches.size} exchanges on a separate branch, ${commits.size} exchanges of a known commit\n`,
    );
    table(
      ['way', 'groups', 'branch P', 'R', 'F', 'commit P', 'R', 'F'],
      ways.map(([name, groups]) => [
        name,
        String(new Set(groups.values()).size),
        ...bCubed(groups, branches),
        ...bCubed(groups, commits),
      ]),
    );
  } finally {
    await world.remove();
  }
}

/** Sessions that used exactly one branch besides the main one. */
function byBranch(rows: SessionRow[], sessions: SessionExchanges[]): Grouping {
  const found: Grouping = new Map();
  for (const [place, { metadata }] of rows.entries()) {
    const own = metadata.gitBranches.filter((branch) => !/^(?:main|master|HEAD)$/.test(branch));
    if (own.length === 1) for (const { id } of sessions[place]!.exchanges) found.set(id, own[0]!);
  }
  return found;
}

/** An exchange belongs to the commit whose work began last before it. */
async function byCommit(
  world: TestWorld,
  rows: SessionRow[],
  sessions: SessionExchanges[],
  gold: string,
): Promise<Grouping> {
  const commits = readFileSync(gold, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Commit);
  const found: Grouping = new Map();
  for (const [place, row] of rows.entries()) {
    const path = world.archive.originals.path(row.projectId, originalName(row.sessionId));
    const starts = lineStarts(readFileSync(path));
    const own = commits.flatMap(({ commit, sessions: made }) =>
      made
        .filter(({ session_id }) => session_id === row.sessionId)
        .map(({ transcript_line_start }) => ({
          commit,
          at: starts[transcript_line_start] ?? Number.POSITIVE_INFINITY,
        })),
    );
    own.sort((a, b) => b.at - a.at);
    for (const { id, src } of sessions[place]!.exchanges) {
      const commit = own.find(({ at }) => at <= src)?.commit;
      if (commit !== undefined) found.set(id, commit);
    }
  }
  return found;
}

function lineStarts(bytes: Buffer): number[] {
  const starts = [0];
  for (let at = bytes.indexOf(0x0a); at !== -1; at = bytes.indexOf(0x0a, at + 1)) starts.push(at + 1);
  return starts;
}

type Alike = (a: Set<string>, b: Set<string>) => number;
const shared = (a: Set<string>, b: Set<string>) => [...a].filter((it) => b.has(it)).length;
const jaccard: Alike = (a, b) => shared(a, b) / (a.size + b.size - shared(a, b) || 1);
const containment: Alike = (a, b) => shared(a, b) / (Math.min(a.size, b.size) || 1);

/** Baseline: each exchange joins the most similar group if the similarity is over .3. */
function leader(
  records: ExchangeRecord[],
  featuresOf: (record: ExchangeRecord) => Set<string>,
  alike: Alike,
): Grouping {
  const groups: { id: string; features: Set<string> }[] = [];
  const found: Grouping = new Map();
  for (const record of [...records].sort((a, b) => (a.ts < b.ts ? -1 : 1))) {
    const features = featuresOf(record);
    let [best, most] = [undefined as (typeof groups)[number] | undefined, 0.3];
    for (const group of groups) {
      const likeness = alike(features, group.features);
      if (likeness > most) [best, most] = [group, likeness];
    }
    const group = best ?? { id: record.id, features: new Set<string>() };
    if (!best) groups.push(group);
    for (const feature of features) group.features.add(feature);
    found.set(record.id, group.id);
  }
  return found;
}

function bCubed(groups: Grouping, gold: Grouping): string[] {
  const ids = [...gold.keys()].filter((id) => groups.has(id));
  const members = (of: Grouping) => {
    const byGroup = new Map<string, string[]>();
    for (const id of ids) byGroup.set(of.get(id)!, [...(byGroup.get(of.get(id)!) ?? []), id]);
    return byGroup;
  };
  const [made, real] = [members(groups), members(gold)];
  let [precision, recall] = [0, 0];
  for (const id of ids) {
    const mates = made.get(groups.get(id)!)!;
    const both = mates.filter((mate) => gold.get(mate) === gold.get(id)).length;
    precision += both / mates.length / ids.length;
    recall += both / real.get(gold.get(id)!)!.length / ids.length;
  }
  return [precision, recall, (2 * precision * recall) / (precision + recall)].map((value) =>
    value.toFixed(2),
  );
}

if (isMain(import.meta.url)) await run(process.argv.slice(2));
