import type { ProjectId } from '../../core/model/ids.ts';
import { termsOf } from '../../core/text/terms.ts';
import type { SessionRow } from '../find/sessions.ts';
import { allFacts, ME } from '../layers/facts.ts';
import { currentStatements } from '../layers/statements.ts';
import { readLayers } from '../layers/update.ts';
import { listTeamFacts } from '../team/team-facts.ts';
import type { World } from '../world.ts';

export type Decision = { id: string; by: string; content: string; at: string };

const MOST_DECISIONS = 5;
/** Sessions whose statements are read, where no facts were made of them. */
const MOST_READ = 20;
const DECIDING: ReadonlySet<string> = new Set(['decision', 'rule', 'constraint', 'lesson']);

/** What was decided about a topic, or about a file by its name: facts, what the team was offered, and where no facts are made, what the sessions themselves say. */
export async function decidedAbout(
  world: World,
  { asked, project }: { asked: string; project: string | undefined },
  sessions: readonly SessionRow[],
): Promise<Decision[]> {
  const isAbout = about(asked);
  if (!isAbout) return [];
  const offers = await offered(world, project);
  // What a reviewer put better replaces the fact that was offered.
  const own = new Set(offers.filter(({ by }) => by === ME).map(({ factId }) => factId));
  const facts = (await deciding(world, project)).filter(({ id }) => !own.has(id));
  const found = [...facts, ...offers, ...(await stated(world, sessions))].filter(({ content }) =>
    isAbout(content),
  );
  const once = new Map<string, Decision>();
  for (const it of found) {
    const wording = plainWording(it.content);
    if (!once.has(wording)) once.set(wording, it);
  }
  const newest = [...once.values()].sort((a, b) => (a.at < b.at ? 1 : -1)).slice(0, MOST_DECISIONS);
  return newest.map(({ id, by, content, at }) => ({ id, by, content, at }));
}

/** Two that differ only in how they are written. Every word counts: `not`, `only` or `before` turns a decision round. */
function plainWording(content: string): string {
  return content
    .toLowerCase()
    .replace(/[`"“”]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[.!]+$/, '');
}

/** All of the words, in whatever form; of a path its last name. */
function about(asked: string): ((content: string) => boolean) | undefined {
  const wanted = asked.split('/').at(-1)!.toLowerCase();
  const words = wanted.split(/\s+/).filter((word) => word.length > 2);
  if (words.length === 0) return undefined;
  const terms = termsOf(wanted);
  return (content) => {
    const text = content.toLowerCase();
    if (words.every((word) => text.includes(word))) return true;
    const has = new Set(termsOf(content));
    return terms.length > 0 && terms.every((term) => has.has(term));
  };
}

async function deciding(world: World, project: string | undefined): Promise<Decision[]> {
  return (await allFacts(world, project))
    .filter(({ kind }) => DECIDING.has(kind))
    .map(({ id, by, content, last_validated: at }) => ({ id, by, content, at }));
}

/** What a reviewer refused is not decided. */
async function offered(
  world: World,
  project: string | undefined,
): Promise<(Decision & { factId: string })[]> {
  return (await listTeamFacts(world, project === undefined ? {} : { project }))
    .filter(({ state }) => state !== 'refused')
    .map(({ id, factId, author, content, offeredAt, reviewedAt = offeredAt }) => ({
      ...{ id, factId, by: author === '' ? ME : author, content, at: reviewedAt },
    }));
}

/** On a hub nobody's facts are made, and what sessions of a person say there is that person's. */
async function stated(world: World, sessions: readonly SessionRow[]): Promise<Decision[]> {
  const hasFacts = new Map<ProjectId, boolean>();
  const found: Decision[] = [];
  const newest = sessions.toSorted((a, b) => (a.lastTimestamp < b.lastTimestamp ? 1 : -1));
  for (const row of newest.slice(0, MOST_READ)) {
    const { projectId, by = ME, lastTimestamp: at } = row;
    if (!hasFacts.has(projectId)) hasFacts.set(projectId, (await readLayers(world, projectId)) !== undefined);
    if (hasFacts.get(projectId)) continue;
    for (const { id, kind, tier, text: content } of await currentStatements(world, projectId, row))
      if (tier === 'shown' && DECIDING.has(kind)) found.push({ id, by, content, at });
  }
  return found;
}
