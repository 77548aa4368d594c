import type { Agent } from '../../core/transcript/read-line.ts';
import type { L1Session } from '../find/read-l1.ts';
import { refineAgain } from '../intake/refine-original.ts';
import type { World } from '../world.ts';

/** Whether L1, rebuilt from the archived copy, equals the stored file byte for byte. */
export async function isRefinedAsStored(world: World, session: L1Session): Promise<boolean> {
  const ref = { project: session.projectId, session: session.sessionId };
  let end = 0;
  // How far a keepit reaches does not show in L1.
  const pieces = refineAgain(world, ref, { agent: session.metadata.agent as Agent, extent: 'paragraph' });
  for await (const { text, at } of pieces) {
    const made = Buffer.from(text);
    const stored = await world.archive.files.readAt(ref.project, session.l1.file, at, made.length);
    if (!made.equals(stored)) return false;
    end = at + made.length;
  }
  return (await world.archive.files.size(ref.project, session.l1.file)) === end;
}
