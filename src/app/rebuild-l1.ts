import type { ProjectId, SessionId } from '../core/model/ids.ts';
import type { Agent } from '../core/transcript/read-line.ts';
import { refineAgain } from './ingest.ts';
import type { Kept } from './read-l1.ts';
import type { World } from './world.ts';

/** L1 made again from the archived copy, to be compared with what stands on the disk. */
export async function rebuildL1(world: World, session: Kept): Promise<string> {
  const ref = { project: session.projectId as ProjectId, session: session.sessionId as SessionId };
  // How far a keepit reaches does not show in L1.
  return refineAgain(world, ref, { agent: session.metadata.agent as Agent, extent: 'paragraph' });
}
