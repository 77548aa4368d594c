import { isSessionId, type SessionId } from '../../core/model/ids.ts';
import type { World } from '../world.ts';

/** Sessions that began and whose end was not told yet: a file each, so that a start need not look at all there ever were. */
const FOLDER = 'hooks/open';

export async function noteOpen(world: World, session: SessionId): Promise<void> {
  if ((await world.archive.files.size(undefined, `${FOLDER}/${session}`)) > 0) return;
  await world.archive.files.write(undefined, `${FOLDER}/${session}`, 'running\n');
}

export async function noteClosed(world: World, session: SessionId): Promise<void> {
  await world.archive.files.remove(undefined, `${FOLDER}/${session}`);
}

export async function openSessions(world: World): Promise<SessionId[]> {
  return (await world.archive.files.list(undefined, FOLDER)).filter(isSessionId);
}
