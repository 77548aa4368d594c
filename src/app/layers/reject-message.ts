import { hitId } from '../../core/layers/facts/ids.ts';
import { Fault } from '../../core/model/fault.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { refuseUnrecorded } from '../find/recording.ts';
import type { World } from '../world.ts';
import { rejection, storeFactEdit, takeStamp } from './facts-edit.ts';

/** A message of a session, by the byte of its line in the original. */
export type SaidAt = { project: ProjectId; sessionId: string; src: number };

/**
 * Marks a message that a search found as not true: no layer states what it says, and searches say so beside it. The id that
 * `undoFact` takes it back by.
 */
export async function rejectMessage(
  world: World,
  { project, sessionId, src }: SaidAt,
  note: string,
): Promise<{ id: string }> {
  const { manifest } = (await world.archive.open(project)) ?? {};
  if (!manifest || !Object.hasOwn(manifest.sessions, sessionId))
    throw new Fault('not-found', `No session ${JSON.stringify(sessionId.slice(0, 60))} in this project.`, {
      hint: '`keepsake sessions` lists them.',
    });
  await refuseUnrecorded(world, { project });
  const factId = hitId(sessionId, src);
  const base = await takeStamp(world, { folders: [project], factId, by: 'user' });
  await storeFactEdit(world, project, rejection(base, note, [{ sessionId, src }]));
  return { id: factId };
}
