import { type FactRow, listFacts, ME } from '../layers/facts.ts';
import { projectFor, settleFact } from '../layers/facts-edit.ts';
import type { World } from '../world.ts';

const MOST = 30;

/** What can be listed: all facts, or only what waits for a review, what was contradicted, what the user said is not true. */
export const LISTS = ['facts', 'candidates', 'review', 'rejected'] as const;

/** Facts a line each: id, kind, how many of such statements readers kept, whose, words. */
export async function answerFacts(
  world: World,
  which: (typeof LISTS)[number],
  named?: string,
): Promise<string> {
  const project = await projectFor(world, named);
  const { items, total } = await listFacts(world, { limit: MOST, project, [which]: true });
  if (total === 0) return 'No such facts.';
  const more = total - items.length;
  return [...items.map(lineOf), ...(more > 0 ? [`(${more} more: \`keepsake facts\`)`] : [])].join('\n');
}

function lineOf(row: FactRow): string {
  const kind = row.kind === 'candidate' ? `candidate ${row.becomes}` : row.kind;
  const notes = [
    row.validatedByUser ? 'confirmed by the user' : `readers kept about ${row.share} facts like this`,
    ...(row.by === ME ? [] : [`by ${row.by}`]),
    ...(row.review ? ['under review'] : []),
    ...(row.rejected ? ['rejected'] : []),
    ...(row.stale === undefined ? [] : [row.stale]),
  ];
  const words = row.problem === undefined ? row.content : `${row.problem} -> ${row.content}`;
  return `- ${row.id} ${kind} (${notes.join('; ')}): ${words}`;
}

/** An agent's word against a fact: it is noted, and the user decides. */
export async function answerDoubted(
  world: World,
  { id, why, project }: { id: string; why: string; project?: string },
): Promise<string> {
  const settled = await settleFact(
    world,
    id,
    { action: 'contradict', note: why },
    { by: 'assistant', ...(project === undefined ? {} : { project }) },
  );
  const { id: factId, content } = settled.after ?? settled.before;
  return `Noted against ${factId}: ${content} The user decides: \`keepsake facts reject ${factId}\` rejects the fact, \`keepsake facts keep ${factId}\` keeps it.`;
}
