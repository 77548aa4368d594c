import type { SessionId } from '../../core/model/ids.ts';
import type { World } from '../world.ts';
import { noteClosed } from './open-sessions.ts';
import { forgetHookSession } from './running-session.ts';

/** From now on nothing of this session is recorded; what was recorded before stays. False: it was off already. */
export async function stopRecording(world: World, session: SessionId): Promise<boolean> {
  let changed = false;
  const since = world.clock.now();
  await world.archive.unrecorded.change((now) => {
    changed = !Object.hasOwn(now.sessions, session);
    return changed ? { ...now, sessions: { ...now.sessions, [session]: since } } : now;
  });
  await noteClosed(world, session);
  await forgetHookSession(world, session);
  return changed;
}

/** The next sync or hook records all of it, also what was said meanwhile. False: it was not off. */
export async function startRecording(world: World, session: SessionId): Promise<boolean> {
  let changed = false;
  await world.archive.unrecorded.change((now) => {
    changed = Object.hasOwn(now.sessions, session);
    const { [session]: _, ...sessions } = now.sessions;
    return changed ? { ...now, sessions } : now;
  });
  return changed;
}
