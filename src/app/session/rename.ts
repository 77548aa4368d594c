import { Fault } from '../../core/model/fault.ts';
import { redact } from '../../core/text/redact.ts';
import { recordFields } from '../edit-records.ts';
import { findSession } from '../find/session.ts';
import type { SessionRow } from '../find/sessions.ts';
import type { World } from '../world.ts';

const LONGEST_NAME = 200;

/** Gives a session a name instead of its title; an empty one gives the title back. */
export async function renameSession(
  world: World,
  { session, project, name }: { session: string; project?: string; name: string },
): Promise<SessionRow> {
  const called = name.trim();
  if (called.length > LONGEST_NAME || /\p{Cc}/u.test(called))
    throw new Fault('usage', `A session's name has at most ${LONGEST_NAME} characters on one line.`);
  const { projectId, sessionId } = await findSession(world, session, project);
  const place = ['sessions', sessionId];
  // The words are not repeated in the history: a purge need not look for them there.
  const event = { at: world.clock.now(), action: 'rename' as const, sessionId, note: 'Renamed.' };
  const change =
    called === ''
      ? { at: [...place, 'name'], drop: true as const }
      : { at: place, merge: { name: redact(called).text } };
  const value = called === '' ? {} : { value: redact(called).text };
  const records = await recordFields(world, projectId, [{ field: 'session', key: sessionId, ...value }]);
  await world.archive.change(projectId, [change, ...records], [event]);
  return (await findSession(world, sessionId, projectId)).row;
}
