import { Fault } from '../core/model/fault.ts';
import type { ProjectId, SessionId } from '../core/model/ids.ts';
import { followSession } from './hook-follow.ts';
import { noteClosed, openSessions } from './hook-open.ts';
import { loadHookSession, saveHookSession } from './hook-session.ts';
import type { World } from './world.ts';

/** A session that said nothing for so long was killed: whoever resumes it says so. */
const SILENT_MS = 24 * 3_600_000;

export type Followed = {
  /** The session that asks: it knows itself. */
  except?: SessionId;
  project?: ProjectId;
};

/** What running sessions have more than the archive: their hooks read them only now and then, a reader wants all. */
export async function followRunning(world: World, { except, project }: Followed = {}): Promise<void> {
  for (const session of await openSessions(world)) {
    if (session === except) continue;
    try {
      await followOne(world, session, project);
    } catch (error) {
      // Somebody else is at it, or nothing can be written: what stands there is good, only the newest is missing.
      if (!(error instanceof Fault)) throw error;
    }
  }
}

async function followOne(world: World, session: SessionId, project: ProjectId | undefined): Promise<void> {
  const state = await loadHookSession(world, session);
  const { place } = state;
  if (!place || (project !== undefined && place.project !== project)) return;
  const file = await world.transcripts.look(place.path);
  if (!file || file === 'folder') return noteClosed(world, session);
  if (file.size !== place.seen.size) {
    const { config } = await world.settings.resolve(place.settings);
    await followSession(world, state, place.path, config);
    // Its own hook may have noted something meanwhile.
    const now = await loadHookSession(world, session);
    await saveHookSession(world, { ...now, place: state.place ?? place });
  } else if (Date.parse(world.clock.now()) - file.mtimeMs > SILENT_MS && place.recorded >= file.size)
    await noteClosed(world, session);
}
