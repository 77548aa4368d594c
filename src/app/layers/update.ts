import { type ConceptBase, isBase } from '../../core/layers/concepts/base.ts';
import { conceptsFrom } from '../../core/layers/concepts/concepts.ts';
import { LightExchanges } from '../../core/layers/exchanges/light-exchange.ts';
import { factsOf } from '../../core/layers/facts/facts.ts';
import { othersFacts } from '../../core/layers/facts/others-facts.ts';
import type { Change } from '../../core/model/change.ts';
import { purgesOf } from '../../core/model/change.ts';
import type { Concept, ConceptEdit, ConceptFile } from '../../core/model/concept.ts';
import type { ExchangeRecord } from '../../core/model/exchange.ts';
import type { FactEdit, FactFile } from '../../core/model/fact.ts';
import { factsInOrder } from '../../core/model/fact-file.ts';
import { type ProjectId, shortHash } from '../../core/model/ids.ts';
import { LAYERS_ENGINE } from '../../core/model/layers-engine.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import { inRecordOrder, userEdits } from '../../core/model/record-order.ts';
import { isOutdated, REFINE_ENGINE } from '../../core/model/refine-engine.ts';
import type { SessionRecord } from '../../core/model/session.ts';
import { fields, figure, text, where } from '../../core/model/shape.ts';
import type { SessionStatement } from '../../core/model/statement.ts';
import { originalName } from '../find/session-ref.ts';
import { readStored, type StoredKind } from '../read-stored.ts';
import type { World } from '../world.ts';
import { ANCHORS_FILE, anchorFacts } from './anchors.ts';
import { updatedExchanges } from './exchanges.ts';
import { keepSettledFacts } from './keep-settled.ts';
import { idsFile, MessageIds } from './message-ids.ts';
import { withoutTakenBack } from './standing-statements.ts';
import { CONCEPTS, CONCEPTS_FILE, FACTS, FACTS_FILE } from './statement-files.ts';
import { filesDerivedFrom, updatedStatements } from './statements.ts';

/** Topics that a session is listed with. */
const TOPICS = 5;
/** A project that others keep changing is left to the next sync. */
const ROUNDS = 3;

export type Layers = { concepts: Concept[]; facts: FactFile };
type Made = Layers & { gen: number };
type Topics = Map<string, string[]>;
type SessionLayer = {
  sessionId: string;
  exchanges: ExchangeRecord[];
  statements: SessionStatement[];
  last: string;
  by?: string | undefined;
};

/**
 * Brings a project's exchanges, concepts and facts (L2 to L4) up to date with its refined sessions, and its sessions' topics
 * with the concepts. Nothing is read of a project that did not change since. What is stored depends on the sessions and
 * on the user's edits alone, so it does not matter how often or in which order this ran.
 */
export async function updateLayers(world: World, project: ProjectId): Promise<Layers | undefined> {
  const head = await world.archive.head(project);
  if (!head) return undefined;
  const last = await lastState(world, project);
  if (last?.gen === head.gen && (await missingFiles(world, project)) <= last.untold) {
    const stored = await readLayers(world, project);
    if (stored) return stored;
  }
  let made: Made | undefined;
  for (let round = 0; round < ROUNDS; round++) {
    const opened = await world.archive.open(project);
    if (!opened) return undefined;
    // What an earlier round wrote may be of sessions that are gone again.
    made = round === 0 ? await unchangedLayers(world, project, opened.manifest, last) : undefined;
    made ??= await makeLayers(world, project, opened.manifest);
    // Changed meanwhile, perhaps by a purge: what was just written may hold words that are gone.
    if ((await world.archive.head(project))?.gen === made.gen) break;
  }
  return made;
}

/** What the project changed in (a name, a keepit, a version) may be nothing that its layers depend on. */
async function unchangedLayers(
  world: World,
  project: ProjectId,
  manifest: Manifest,
  last: State | undefined,
): Promise<Made | undefined> {
  if (!last || last.of !== layersOf(manifest) || (await missingFiles(world, project)) > last.untold)
    return undefined;
  const stored = await readLayers(world, project);
  if (stored) await writeState(world, project, { ...last, gen: manifest.gen });
  return stored && { ...stored, gen: manifest.gen };
}

async function makeLayers(world: World, project: ProjectId, manifest: Manifest): Promise<Made> {
  const sessions: SessionLayer[] = [];
  const light = new LightExchanges();
  let refined = REFINE_ENGINE;
  for (const record of Object.values(manifest.sessions)) {
    if (!record.registered || (await isLost(world, project, record))) continue;
    refined = Math.min(refined, record.engine || REFINE_ENGINE);
    const exchanges = await updatedExchanges(world, project, record, light.of);
    const statements = await updatedStatements(world, project, record);
    const { sessionId, by, lastTimestamp: last } = record;
    sessions.push({ sessionId, exchanges, statements, last, by });
  }
  const of = conceptInputs(manifest);
  const known = await storedConcepts(world, project);
  const concepts =
    known?.of === of
      ? known.concepts
      : await makeConcepts(world, project, sessions, manifest.conceptEdits ?? []);
  const facts = {
    ...factsWithOthers(await withoutTakenBack(world, project, sessions), concepts, manifest.factEdits ?? []),
    refined,
  };
  await new MessageIds(world, manifest).fill(facts);
  if ((await keepSettledFacts(world, manifest, { file: FACTS_FILE, facts })) > 0) {
    const opened = await world.archive.open(project);
    if (opened) return makeLayers(world, project, opened.manifest);
  }
  await writeIfNew(world, project, CONCEPTS_FILE, { engine: LAYERS_ENGINE, of, concepts });
  await writeIfNew(world, project, FACTS_FILE, factsInOrder(facts));
  await anchorFacts(world, manifest, facts);
  const topics = topicsOf(sessions, concepts);
  const gen = await storeTopics(world, project, manifest, topics);
  const state = { gen, untold: await missingFiles(world, project), of: layersOf(manifest, topics) };
  await writeState(world, project, { engine: LAYERS_ENGINE, ...state });
  return { concepts, facts, gen };
}

/** The session's author decides: rules and the like come from this user's sessions alone. */
function factsWithOthers(sessions: SessionLayer[], concepts: Concept[], edits: FactEdit[]): FactFile {
  const mine = sessions.filter(({ by }) => by === undefined);
  const facts = factsOf(mine, concepts, edits);
  const theirs = sessions.flatMap((session) =>
    session.by === undefined ? [] : [{ ...session, by: session.by }],
  );
  const others = othersFacts(theirs, concepts, edits, facts);
  return others.length === 0 ? facts : { ...facts, others };
}

/** Read by an older version of Keepsake and never again, since its copy is gone: its text may be nobody's words. */
async function isLost(world: World, project: ProjectId, record: SessionRecord): Promise<boolean> {
  if (!isOutdated(record)) return false;
  return (await world.archive.originals.size(project, originalName(record.sessionId))) === undefined;
}

/** The grouping of the earliest exchanges of a large project is kept: without it all would be grouped each time. */
async function makeConcepts(
  world: World,
  project: ProjectId,
  sessions: SessionLayer[],
  edits: ConceptEdit[],
): Promise<Concept[]> {
  const { state, value: known } = await readStored(world, undefined, baseFile(project), GROUPS);
  const { concepts, base } = conceptsFrom(sessions, edits, known);
  if (base && base !== known)
    await world.archive.files.write(undefined, baseFile(project), JSON.stringify(base));
  // It holds words: what was purged must not stay in it.
  if (!base && state !== 'missing') await world.archive.files.remove(undefined, baseFile(project));
  const by = new Map(sessions.map((session) => [session.sessionId, session.by]));
  return concepts.map((concept) => {
    const others = [...new Set(concept.sessions.flatMap((id) => by.get(id) ?? []))].sort();
    return others.length === 0 ? concept : { ...concept, by: others };
  });
}

/** A session's topics are the names of its concepts, the largest share first. */
function topicsOf(sessions: SessionLayer[], concepts: Concept[]): Topics {
  const nameOf = new Map(
    concepts.flatMap(({ name, exchanges }) => exchanges.map((id) => [id, name] as const)),
  );
  const found: Topics = new Map();
  for (const { sessionId, exchanges } of sessions) {
    const counts = new Map<string, number>();
    for (const { id } of exchanges) {
      const name = nameOf.get(id);
      if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    const topics = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([name]) => name);
    found.set(sessionId, topics.slice(0, TOPICS));
  }
  return found;
}

async function storeTopics(
  world: World,
  project: ProjectId,
  manifest: Manifest,
  topics: Topics,
): Promise<number> {
  const changes: Change[] = [];
  for (const [sessionId, primaryTopics] of topics) {
    const known = manifest.sessions[sessionId]?.metadata.primaryTopics ?? [];
    if (JSON.stringify(known) === JSON.stringify(primaryTopics)) continue;
    const unless = { purged: sessionId, beyond: purgesOf(manifest, sessionId) };
    changes.push({ at: ['sessions', sessionId, 'metadata'], merge: { primaryTopics }, unless });
  }
  return changes.length === 0 ? manifest.gen : (await world.archive.change(project, changes)).gen;
}

async function writeIfNew(world: World, project: ProjectId, name: string, value: unknown): Promise<void> {
  const text = `${JSON.stringify(value, null, 1)}\n`;
  const stored = await world.archive.files.read(project, name);
  if (stored?.toString('utf8') !== text) await world.archive.files.write(project, name, text);
}

/** Concepts and facts as they are stored; undefined if they were never made. */
export async function readLayers(world: World, project: ProjectId): Promise<Layers | undefined> {
  const known = await storedConcepts(world, project);
  const { value: facts } = await readStored(world, project, FACTS_FILE, FACTS);
  return known && facts && { concepts: known.concepts, facts };
}

async function storedConcepts(world: World, project: ProjectId): Promise<ConceptFile | undefined> {
  return (await readStored(world, project, CONCEPTS_FILE, CONCEPTS)).value;
}

/** A purge removes a session's words from every layer by rebuilding them without the session. */
export async function dropLayers(world: World, project: ProjectId): Promise<void> {
  await world.archive.files.remove(project, CONCEPTS_FILE);
  await world.archive.files.remove(project, FACTS_FILE);
  await world.archive.files.remove(project, ANCHORS_FILE);
  await world.archive.files.remove(undefined, stateFile(project));
  await world.archive.files.remove(undefined, baseFile(project));
  await world.archive.files.remove(undefined, idsFile(project));
}

/** Files that a refined one should have beside it: those of no session stay missing, others were deleted by hand. */
async function missingFiles(world: World, project: ProjectId): Promise<number> {
  const names = new Set(await world.archive.files.list(project, 'memory/sessions'));
  const refined = [...names].filter((name) => name.endsWith('.l1.jsonl'));
  return refined.flatMap(filesDerivedFrom).filter((name) => !names.has(name)).length;
}

/** The generation of the manifest that the layers were last made from, what had no exchanges then, and what they are of. */
type State = { engine: number; gen: number; untold: number; of: string };

const LAYERS_STATE: StoredKind<State> = {
  schema: fields({ engine: figure, gen: figure, untold: figure, of: text }),
  format: ['engine', LAYERS_ENGINE],
  damaged: 'Keepsake rebuilds concepts and facts.',
};
const GROUPS: StoredKind<ConceptBase> = {
  schema: where(isBase, 'groups of exchanges'),
  format: ['engine', LAYERS_ENGINE],
  damaged: 'Keepsake groups all exchanges again.',
};

/** All of a manifest that concepts depend on. */
function conceptInputs({ sessions, conceptEdits, tombstones }: Manifest): string {
  const refined = Object.values(sessions)
    .filter(({ registered }) => registered)
    .map(({ sessionId, l1, engine, by }) => [sessionId, l1.file, l1.bytes, engine, by ?? null]);
  // A purged text leaves every length as it was.
  const purged = tombstones.filter(({ kind }) => kind !== 'session').map(({ id }) => id);
  const inputs = [refined.sort(), userEdits(conceptEdits), ...(purged.length > 0 ? [purged.sort()] : [])];
  return shortHash(JSON.stringify(inputs), 16);
}

/** All of it that any layer depends on, and the topics that they gave it. */
function layersOf(manifest: Manifest, topics?: Topics): string {
  const refined = Object.values(manifest.sessions)
    .filter(({ registered }) => registered)
    .map(({ sessionId, metadata }) => [sessionId, topics?.get(sessionId) ?? metadata.primaryTopics ?? []]);
  const { originalPath, factEdits } = manifest;
  const edits = inRecordOrder(factEdits ?? [], ({ editId }) => editId);
  return shortHash(JSON.stringify([conceptInputs(manifest), refined.sort(), originalPath, edits]), 16);
}

async function writeState(world: World, project: ProjectId, state: State): Promise<void> {
  await world.archive.files.write(undefined, stateFile(project), JSON.stringify(state));
}

async function lastState(world: World, project: ProjectId): Promise<State | undefined> {
  return (await readStored(world, undefined, stateFile(project), LAYERS_STATE)).value;
}

function stateFile(project: ProjectId): string {
  return `layers/${project}.json`;
}

function baseFile(project: ProjectId): string {
  return `layers/${project}.groups.json`;
}
