import { projectHere } from '../../app/find/locate-project.ts';
import { projectsOf } from '../../app/repository/repositories.ts';
import { loadHookSession, sessionOf } from '../../app/sync/running-session.ts';
import type { QueuedWork } from '../../core/model/detached-work.ts';
import type { Hook } from './hook.ts';
import { readHookInput } from './hook-input.ts';

/** Less than the agent waits for a start. */
const LONGEST_MS = 6000;

type Start = Pick<Hook, 'world' | 'input' | 'detached'>;

/** What was said at the end of the last session counts in the next: where its end is still to be worked off, that comes first. */
export async function finishEnds(at: Start, ends: readonly QueuedWork[]): Promise<void> {
  const { detached, world } = at;
  const project = await projectHere(world);
  const folders: readonly string[] = project === undefined ? [] : await projectsOf(world, project);
  const here = new Set<string>();
  for (const end of ends) if (await isOf(at, end, folders)) here.add(end.key);
  await detached.finish(({ kind, key }) => kind === 'session-end' && here.has(key), LONGEST_MS);
}

async function isOf({ detached, world, input }: Start, end: QueuedWork, folders: readonly string[]) {
  if (readHookInput(detached.read(end)?.event ?? '')?.cwd === input.cwd) return true;
  const session = sessionOf(end.key);
  const place = session && (await loadHookSession(world, session)).place;
  return place !== undefined && folders.includes(place.project);
}
