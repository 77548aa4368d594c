import { askNames, groupSource, type NamedGroup } from '../../core/layers/ask.ts';
import { readNames } from '../../core/layers/read.ts';
import type { Concept, ConceptEdit } from '../../core/model/concept.ts';
import type { ExchangeRecord } from '../../core/model/exchange.ts';
import { type ProjectId, shortHash } from '../../core/model/ids.ts';
import type { Stamp } from '../../core/model/record-order.ts';
import { editStamp } from '../edit-records.ts';
import { inParallel } from '../in-parallel.ts';
import { askModel } from '../model/call.ts';
import type { Engine, ModelOptions } from '../model/engine.ts';
import type { World } from '../world.ts';
import { sessionExchanges } from './exchanges.ts';
import { updateLayers } from './update.ts';

/** Concepts a call. */
const BATCH = 20;
/** A smaller one is a topic by chance, and its name changes with the next exchange. */
const FEWEST_EXCHANGES = 2;

/** Has a model name the concepts of a project that nobody named yet. Names of the user's stay. */
export async function nameByModel(
  world: World,
  engine: Engine,
  project: ProjectId,
  options: ModelOptions = {},
): Promise<{ named: number; missing: number }> {
  const pending = await pendingNames(world, project);
  const groups = await groupsOf(world, project, pending);
  const taken = new Set(
    ((await updateLayers(world, project))?.concepts ?? []).map(({ name }) => name.toLowerCase()),
  );
  const batches: { concept: Concept; group: NamedGroup }[][] = [];
  for (let from = 0; from < groups.length; from += BATCH) batches.push(groups.slice(from, from + BATCH));
  const done = { named: 0, missing: 0 };
  const edits: ConceptEdit[] = [];
  const stamp = await editStamp(world, project);
  await inParallel(batches, engine.settings.atOnce, async (batch) => {
    const sources = batch.map(({ group }) => groupSource(group));
    const request = { use: 'concepts' as const, ...askNames(batch.map(({ group }) => group)), project };
    const answer = await askModel(world, engine, request, {
      signal: options.signal,
      isSound: (text, end) => readNames(text, end, sources, new Set()).size > 0,
    });
    const names = readNames(answer.text, answer.end, sources, taken);
    for (const [at, name] of names) {
      taken.add(name.toLowerCase());
      edits.push(editOf(world, batch[at]!.concept, name, stamp));
    }
    done.named += names.size;
    done.missing += batch.length - names.size;
  });
  if (edits.length > 0) {
    const changes = edits.map((edit) => ({ at: ['conceptEdits'], append: edit, unique: 'editId' }));
    const note = `${engine.id} named ${edits.length} ${edits.length === 1 ? 'concept' : 'concepts'}`;
    await world.archive.change(project, changes, [{ at: world.clock.now(), action: 'concept', note }]);
    await updateLayers(world, project);
  }
  return done;
}

/** Concepts of some size with a name that was made offline. */
export async function pendingNames(world: World, project: ProjectId): Promise<Concept[]> {
  const concepts = (await updateLayers(world, project))?.concepts ?? [];
  const edits = (await world.archive.open(project))?.manifest.conceptEdits ?? [];
  const named = new Set(edits.flatMap((edit) => (edit.action === 'rename' ? [edit.exchange] : [])));
  return concepts.filter(
    ({ edited, exchanges }) =>
      !edited && exchanges.length >= FEWEST_EXCHANGES && !exchanges.some((id) => named.has(id)),
  );
}

async function groupsOf(
  world: World,
  project: ProjectId,
  concepts: Concept[],
): Promise<{ concept: Concept; group: NamedGroup }[]> {
  const manifest = (await world.archive.open(project))?.manifest;
  const records = new Map<string, ExchangeRecord>();
  for (const session of new Set(concepts.flatMap(({ sessions }) => sessions))) {
    const record = manifest?.sessions[session];
    if (!record) continue;
    for (const exchange of await sessionExchanges(world, project, record)) records.set(exchange.id, exchange);
  }
  return concepts.map((concept) => {
    const { name, keywords, files } = concept;
    const exchanges = concept.exchanges.flatMap((id) => records.get(id) ?? []);
    return { concept, group: { name, keywords, files, exchanges } };
  });
}

function editOf(world: World, { id, exchanges }: Concept, name: string, stamp: Stamp): ConceptEdit {
  const at = world.clock.now();
  const exchange = exchanges[0]!;
  return {
    action: 'rename',
    exchange,
    name,
    by: 'model',
    via: 'model',
    ...stamp,
    at,
    editId: `ce_${shortHash(`${at}\0${id}\0${name}\0${stamp.device}`, 12)}`,
  };
}
