import type { ProjectId, SessionId } from '../../core/model/ids.ts';
import { loadState } from '../intake/session-state.ts';
import { unlessFault } from '../or-fault.ts';
import { orProblem } from '../or-problem.ts';
import { projectsOf } from '../repository/repositories.ts';
import { newReport } from '../sync-report.ts';
import type { World } from '../world.ts';
import { noteClosed } from './open-sessions.ts';
import { loadHookSession, saveHookSession } from './running-session.ts';
import { isKeptOutNow, syncSession } from './sync-session.ts';

/** A session without output for this long was killed; if someone resumes it, its hooks report it again. */
const SILENT_MS = 24 * 3_600_000;

export type RunningScope = {
  /** The session that asks: it knows itself. */
  except?: SessionId | undefined;
  /** Only sessions of its folders. */
  project?: ProjectId;
  /** Into the manifest, too; the index alone is enough for who only searches. */
  record?: boolean;
};

/** Ingests what running sessions have more than the archive. One that fails does not stop the others. */
export async function syncOpenSessions(
  world: World,
  running: readonly SessionId[],
  scope: RunningScope,
): Promise<void> {
  const report = newReport();
  const folders = scope.project === undefined ? undefined : await projectsOf(world, scope.project);
  for (const session of running) {
    const work = orProblem(report, `session ${session}`, syncOpenSession(world, session, scope, folders));
    // The lock was waited for once, and nothing can be written in a full or closed archive: the others fare no better.
    if ((await unlessFault(work, ['busy', 'disk-full', 'read-only'])) === undefined) break;
  }
  for (const { message } of report.problems) world.log?.(message);
}

async function syncOpenSession(
  world: World,
  session: SessionId,
  { record }: RunningScope,
  folders: readonly ProjectId[] | undefined,
): Promise<void> {
  const state = await loadHookSession(world, session);
  const { place } = state;
  if (!place || folders?.includes(place.project) === false) return;
  const file = await world.transcripts.inspect(place.path);
  if (!file || file === 'folder') return noteClosed(world, session);
  if (await isKeptOutNow(world, place)) return noteClosed(world, session);
  const before = JSON.stringify(place);
  const isSilent = world.clock.millis() - file.mtimeMs > SILENT_MS;
  const isBehind = (record || isSilent) && place.kept === 'registered' && place.recorded < file.size;
  if (isBehind || (await loadState(world, place))?.source?.size !== file.size) {
    const { config } = await world.settings.resolve(place.settings);
    await syncSession(world, state, place.path, { config, upTo: isBehind ? 'exchanges' : 'l1' });
  }
  const now = state.place ?? place;
  // Its own hook may have noted something meanwhile.
  if (JSON.stringify(now) !== before)
    await saveHookSession(world, { ...(await loadHookSession(world, session)), place: now });
  if (isSilent && (now.kept !== 'registered' || now.recorded >= file.size)) await noteClosed(world, session);
}
