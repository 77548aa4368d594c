import { isSessionId, type SessionId } from '../../core/model/ids.ts';
import type { World } from '../world.ts';

/** Sessions without a reported end: one file each, so that a start need not read all sessions. */
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
