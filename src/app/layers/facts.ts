import { confidenceWords } from '../../core/layers/facts/confidence-words.ts';
import { filesNamed } from '../../core/layers/facts/contradictions.ts';
import { REVIEW_AT } from '../../core/layers/facts/facts.ts';
import type { Fact, FactCandidate, FactFile, Replaced } from '../../core/model/fact.ts';
import { Fault } from '../../core/model/fault.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import type { Via } from '../../core/model/via.ts';
import { foldersAsked } from '../find/project.ts';
import { nearest } from '../nearest.ts';
import { ifReadable } from '../or-fault.ts';
import { type Page, type PageRequest, pageInOrder } from '../page.ts';
import type { World } from '../world.ts';
import { changedAnchors, StaleFiles } from './anchors.ts';
import { type FactCopy, joinFacts } from './join-facts.ts';
import { type RejectedRow, withRejectedMessages } from './rejected-facts.ts';
import { readLayers } from './update.ts';

/** In the order in which they are listed. */
export const FACT_KINDS = [
  'rule',
  'preference',
  'constraint',
  'environment',
  'decision',
  'lesson',
  'open',
  'fact',
  'pattern',
  'solution',
  'core_logic',
  'candidate',
] as const;
export type FactKind = (typeof FACT_KINDS)[number];

/** A fact as people and programs get it, with the project it is of. */
export type FactRow = Fact & {
  kind: FactKind;
  content: string;
  /** Whose it is: `me`, or the name of someone else, whose words obey nobody until they are confirmed. */
  by: string;
  via: Via;
  /** Where it is stored; `folders` are all that have it. */
  projectId: ProjectId;
  folders: ProjectId[];
  /** Copies in slightly other words, under other ids: what is decided about the fact applies to them, too. */
  sameAs?: FactCopy[];
  projectName: string;
  /** How many of such statements readers kept: `3 of 4`. */
  share: string;
  /** Needs a review: keep, correct or delete. */
  review: boolean;
  /** Why it may no longer hold in the checkout as it is. */
  stale?: string;
  files?: string[];
  /** Of a solution: the problem, and how often it came before it was solved. */
  problem?: string;
  attempts?: number;
  feature?: string;
  /** Of a candidate: what it would be. */
  becomes?: FactKind;
  /** What it took the place of, and the words that took that back. */
  replaced?: Replaced[];
  /** When the user said that it is not true, and why. */
  rejected?: { at: string; note: string };
};

export const ME = 'me';

export type FactsRequest = PageRequest & {
  project?: string;
  kind?: FactKind;
  review?: boolean;
  candidates?: boolean;
  /** Only those that the user said are not true; they are in no other list. */
  rejected?: boolean;
  /** Only those that took the place of another. */
  replaced?: boolean;
  /** Only those of others, or of one of them. */
  by?: string;
};

/** Facts of all projects or of one: rules first, the surest first. Candidates only when they are asked for. */
export async function listFacts(
  world: World,
  request: FactsRequest = {},
): Promise<Page<FactRow> & { total: number }> {
  const all = request.rejected ? rejectedFacts : allFacts;
  const rows = (await all(world, request.project)).filter((row) => isWanted(row, request));
  rows.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  return { ...pageInOrder(rows, keyOf, request), total: rows.length };
}

export async function allFacts(world: World, project?: string): Promise<FactRow[]> {
  const rows: FactRow[] = [];
  for (const id of await foldersAsked(world, project))
    rows.push(...((await ifReadable(factsOfProject(world, id), world.report)) ?? []));
  return joinFacts(world, rows);
}

/** What the user said is not true: it is stated nowhere, and its history stays. */
async function rejectedFacts(world: World, project?: string): Promise<FactRow[]> {
  const rows: FactRow[] = [];
  for (const id of await foldersAsked(world, project)) {
    const layers = await ifReadable(readLayers(world, id), world.report);
    const manifest = (await world.archive.open(id))?.manifest;
    if (!layers || !manifest) continue;
    const all = withRejectedMessages(world, manifest, layers.facts.rejected ?? []);
    for (const fact of (await ifReadable(all, world.report)) ?? []) rows.push(rejectedRow(fact, manifest));
  }
  return rows;
}

function rejectedRow({ at, note, ...fact }: RejectedRow, { projectId, displayName }: Manifest): FactRow {
  return {
    ...fact,
    projectId,
    folders: [projectId],
    projectName: displayName,
    source: 'user',
    confidence: 0,
    share: confidenceWords(0),
    contradictions: 0,
    last_validated: '',
    validatedByUser: false,
    against: [],
    review: false,
    by: ME,
    via: 'typed',
    rejected: { at, note },
  };
}

async function factsOfProject(world: World, project: ProjectId): Promise<FactRow[]> {
  const layers = await readLayers(world, project);
  const manifest = (await world.archive.open(project))?.manifest;
  if (!layers || !manifest) return [];
  const rows = rowsOf(layers.facts, manifest);
  const stale = new StaleFiles(world, manifest);
  const changed = await changedAnchors(world, manifest);
  for (const row of rows) {
    const gone = await stale.among([
      ...(row.files ?? []),
      ...filesNamed(row.content)
        .map(({ file }) => file)
        .filter((file) => file.includes('/')),
    ]);
    const lines = changed.get(row.id) ?? [];
    const reasons = [
      ...(gone.length > 0 ? [await stale.describe([...new Set(gone)])] : []),
      ...(lines.length > 0 ? [`${lines.join(', ')} changed`] : []),
    ];
    if (reasons.length === 0) continue;
    row.stale = reasons.join('; ');
    // What it speaks of is gone: that speaks against it as one more contradiction.
    row.contradictions++;
    row.review ||= row.contradictions >= REVIEW_AT;
  }
  return rows;
}

function rowsOf({ permanent, candidates, reviews, others = [] }: FactFile, manifest: Manifest): FactRow[] {
  const waiting = new Set(reviews.map(({ id }) => id));
  const { projectId, displayName: projectName } = manifest;
  const base = { projectId, folders: [projectId], projectName };
  const common = <
    T extends Pick<
      FactRow,
      | 'id'
      | 'source'
      | 'confidence'
      | 'contradictions'
      | 'last_validated'
      | 'validatedByUser'
      | 'sources'
      | 'against'
    >,
  >(
    fact: T,
  ) => ({
    id: fact.id,
    source: fact.source,
    confidence: fact.confidence,
    contradictions: fact.contradictions,
    last_validated: fact.last_validated,
    validatedByUser: fact.validatedByUser,
    sources: fact.sources,
    against: fact.against,
    share: confidenceWords(fact.confidence),
    review: waiting.has(fact.id),
    by: ME,
    via: fact.source === 'user' ? ('typed' as const) : ('agent' as const),
    ...base,
  });
  return [
    ...permanent.rules.map((fact) => ({ ...common(fact), kind: 'rule' as const, content: fact.content })),
    ...permanent.semantic.map((fact) => ({
      ...common(fact),
      kind: fact.type,
      content: fact.content,
      ...(fact.replaced ? { replaced: fact.replaced } : {}),
    })),
    ...permanent.solutions.map((fact) => ({
      ...common(fact),
      kind: 'solution' as const,
      content: fact.solution,
      problem: fact.problem,
      attempts: fact.attempts,
      files: fact.files,
    })),
    ...permanent.core_logic.map((fact) => ({
      ...common(fact),
      kind: 'core_logic' as const,
      content: fact.description,
      feature: fact.feature,
      files: fact.files,
    })),
    ...candidates.map((candidate) => ({ ...base, ...candidateRow(candidate) })),
    ...others.map((fact) => ({
      ...fact,
      ...base,
      share: confidenceWords(fact.confidence),
      review: false,
      via: 'import' as const,
    })),
  ];
}

function candidateRow({ id, content, kind, score, source: agent, confidence, sources }: FactCandidate) {
  const source: Fact['source'] = agent ?? 'user';
  const chance = confidence ?? Math.min(score, 1) / 2;
  return {
    id,
    content,
    kind: 'candidate' as const,
    source,
    confidence: chance,
    share: confidenceWords(chance),
    becomes: kind,
    contradictions: 0,
    last_validated: '',
    validatedByUser: false,
    sources,
    against: [],
    review: false,
    by: ME,
    via: source === 'user' ? ('typed' as const) : ('agent' as const),
  };
}

/** The fact that an id, or its unique beginning, means. */
export async function findFact(world: World, id: string, project?: string): Promise<FactRow> {
  const rows = [...(await allFacts(world, project)), ...(await rejectedFacts(world, project))];
  const wanted = id.toLowerCase();
  // This user's own first: a fact of the same id by someone else is the same sentence.
  const same = rows.filter((row) => row.id === wanted || row.sameAs?.some((it) => it.id === wanted));
  const own = same.filter(({ by }) => by === ME);
  const exact = own.length > 0 ? own : firstOfEach(same);
  const found =
    exact.length > 0 ? exact : rows.filter((row) => wanted.length >= 4 && row.id.startsWith(wanted));
  const [row] = found;
  if (!row) {
    const near = nearest(wanted, new Set(rows.map((it) => it.id)));
    throw new Fault('not-found', `No fact ${JSON.stringify(id.slice(0, 60))}.`, {
      hint:
        near.length > 0
          ? `Did you mean ${near.join(' or ')}?`
          : '`keepsake facts` lists facts, `keepsake facts --candidates` lists candidates.',
    });
  }
  if (found.length > 1) {
    const list = found.slice(0, 10).map((it) => `  ${it.id}  --project=${it.projectId}`);
    throw new Fault('ambiguous', `${JSON.stringify(id)} matches ${found.length} facts.`, {
      hint: `Choose one:\n${list.join('\n')}`,
      choices: found.map((it) => ({ projectId: it.projectId, id: it.id, name: it.content })),
    });
  }
  return row;
}

/** One of each project: several others may have said the same. */
function firstOfEach(rows: FactRow[]): FactRow[] {
  return rows.filter((row, at) => rows.findIndex((it) => it.projectId === row.projectId) === at);
}

function isWanted(row: FactRow, { kind, review, candidates, replaced, by }: FactsRequest): boolean {
  if (replaced && !row.replaced?.length) return false;
  if (by !== undefined && row.by !== by) return false;
  if (review && !row.review) return false;
  if (kind !== undefined) return row.kind === kind;
  return candidates ? row.kind === 'candidate' : row.kind !== 'candidate';
}

function keyOf(row: FactRow): string {
  const doubt = String(100 - Math.round(row.confidence * 100)).padStart(3, '0');
  const whose = row.by === ME ? 0 : 1;
  return `${whose}\u0000${FACT_KINDS.indexOf(row.kind)}\u0000${doubt}\u0000${row.projectId}\u0000${row.id}\u0000${row.by}`;
}
