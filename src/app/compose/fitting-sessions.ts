import { suggest } from '../recall/suggest.ts';
import type { World } from '../world.ts';

/** What sessions are wanted for. */
type WantedFor = {
  topic?: string | undefined;
  files?: string[] | undefined;
  branch?: string | undefined;
  except?: string | undefined;
  project?: string | undefined;
};

/** Of all sessions those that fit best: a share for each that fits a little would be a crumb. */
const FITTING = 12;
/** Of the best one's score. */
const LEAST_OF_BEST = 0.3;

/** Ids of this user's sessions that fit a topic, files or a branch best, the oldest first, whenever they were. */
export async function fittingSessions(
  world: World,
  { topic = '', files = [], branch, except, project }: WantedFor,
): Promise<string[]> {
  if (`${topic}${files.join('')}${branch ?? ''}`.trim() === '') return [];
  const { items } = await suggest(world, {
    topics: topic === '' ? [] : [topic],
    files,
    limit: FITTING,
    ...(branch === undefined ? {} : { branch }),
    ...(project === undefined ? {} : { project }),
  });
  const own = items.filter(({ sessionId, by }) => sessionId !== except && by === undefined);
  const best = own.reduce((most, { relevanceScore }) => Math.max(most, relevanceScore), 0);
  return own
    .filter(({ relevanceScore }) => relevanceScore >= LEAST_OF_BEST * best)
    .sort((a, b) => (a.last < b.last ? -1 : 1))
    .map(({ sessionId }) => sessionId);
}
