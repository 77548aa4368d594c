import { projectHere } from '../../app/find/locate-project.ts';
import { projectsOf } from '../../app/repository/repositories.ts';
import { loadHookSession, sessionOf } from '../../app/sync/running-session.ts';
import type { QueuedWork } from '../../core/model/detached-work.ts';
import type { Hook } from './hook.ts';
import { readHookInput } from './hook-input.ts';

/** Less than the agent waits for a start. */
const LONGEST_MS = 6000;

type Start = Pick<Hook, 'world' | 'input' | 'detached'>;

/**
 * What was said in the last session, with any agent, counts in the next: if its end is not processed yet, or another agent's
 * file is unread, that comes first.
 */
export async function finishBefore(at: Start, waiting: readonly QueuedWork[]): Promise<void> {
  const { detached, world } = at;
  const project = await projectHere(world);
  const folders: readonly string[] = project === undefined ? [] : await projectsOf(world, project);
  const here = new Set<string>();
  for (const work of waiting)
    if (work.kind === 'session-end' && (await isOf(at, work, folders))) here.add(work.key);
  const isWanted = ({ kind, key }: QueuedWork) =>
    kind === 'unread' || (kind === 'session-end' && here.has(key));
  await detached.finish(isWanted, LONGEST_MS);
}

async function isOf({ detached, world, input }: Start, end: QueuedWork, folders: readonly string[]) {
  if (readHookInput(detached.read(end)?.event ?? '')?.cwd === input.cwd) return true;
  const session = sessionOf(end.key);
  const place = session && (await loadHookSession(world, session)).place;
  return place !== undefined && folders.includes(place.project);
}
