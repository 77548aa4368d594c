import type { ProjectId } from '../../core/model/ids.ts';
import type { L1Line } from '../../core/model/l1.ts';
import type { SessionRecord } from '../../core/model/session.ts';
import type { World } from '../world.ts';

/** A session's record and the project it is in. */
export type RefinedSession = Pick<SessionRecord, 'sessionId' | 'l1' | 'metadata'> & { projectId: ProjectId };

/** The refined transcript as it stands on the disk. */
export async function readL1(world: World, session: RefinedSession): Promise<L1Line[]> {
  if (session.l1.file === '') return [];
  const bytes = await world.archive.files.read(session.projectId, session.l1.file);
  const text = (bytes ?? Buffer.alloc(0)).toString('utf8', 0, session.l1.bytes);
  const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n');
  return lines.flatMap((line) => (line === '' ? [] : [JSON.parse(line) as L1Line]));
}
