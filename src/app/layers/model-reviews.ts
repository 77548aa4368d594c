import { askReviews, factSource, type ReviewedFact } from '../../core/layers/ask.ts';
import { type ReviewVerdict, readReviews } from '../../core/layers/read.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { askModel } from '../model/call.ts';
import type { Engine } from '../model/engine.ts';
import type { World } from '../world.ts';
import { allFacts, type FactRow } from './facts.ts';
import { settleFact } from './facts-edit.ts';

const BATCH = 10;

export type Reviewed = ReviewVerdict & {
  id: string;
  content: string;
  /** What was done; `left`: for the user, whose own words no model may withdraw. */
  done: 'kept' | 'forgotten' | 'left';
};

/** Facts that wait for someone to look at them. */
export async function pendingReviews(world: World, project: ProjectId): Promise<FactRow[]> {
  return (await allFacts(world, project)).filter(({ review }) => review);
}

/**
 * Has a model look at contradicted facts. One that it keeps is settled; one that it would drop is forgotten only where an
 * agent or the work itself brought it: what a user said waits for the user.
 */
export async function reviewByModel(
  world: World,
  engine: Engine,
  project: ProjectId,
  signal?: AbortSignal,
): Promise<Reviewed[]> {
  const rows = await pendingReviews(world, project);
  const reviewed: Reviewed[] = [];
  for (let from = 0; from < rows.length; from += BATCH) {
    const batch = rows.slice(from, from + BATCH);
    const facts = batch.map(factOf);
    const sources = facts.map(factSource);
    const request = { use: 'reviews' as const, ...askReviews(facts), project };
    const answer = await askModel(world, engine, request, {
      signal,
      isSound: (text, end) => readReviews(text, end, sources).size > 0,
    });
    for (const [at, verdict] of readReviews(answer.text, answer.end, sources)) {
      const row = batch[at]!;
      const done = await settle(world, row, verdict);
      reviewed.push({ ...verdict, id: row.id, content: row.content, done });
    }
  }
  return reviewed;
}

async function settle(world: World, row: FactRow, { verdict }: ReviewVerdict): Promise<Reviewed['done']> {
  const by = { project: row.projectId, by: 'model' as const };
  if (verdict === 'keep') await settleFact(world, row.id, { action: 'keep' }, by);
  else if (verdict === 'unsure' || row.source === 'user' || row.validatedByUser) return 'left';
  else await settleFact(world, row.id, { action: 'forget' }, by);
  return verdict === 'keep' ? 'kept' : 'forgotten';
}

function factOf({ kind, content, sources, against }: FactRow): ReviewedFact {
  const words = (list: FactRow['sources']) => list.map(({ excerpt, ts }) => `${ts.slice(0, 10)}: ${excerpt}`);
  return { kind, content, sources: words(sources), against: words(against) };
}
