import type { ProjectId, SessionId } from '../../core/model/ids.ts';
import { dropLayers, updateLayers } from '../layers/update.ts';
import { removeSessionFiles } from '../purge/sweep.ts';
import { forgetInMemory } from '../rolling/forget.ts';
import type { World } from '../world.ts';

/** Takes a session out without a tombstone: where it came from it is still, and it may come again. */
export async function dropSession(world: World, project: ProjectId, session: SessionId): Promise<void> {
  const record = (await world.archive.open(project))?.manifest.sessions[session];
  if (!record) return;
  await removeSessionFiles(world, project, session, record.l1.file === '' ? [] : [record.l1.file]);
  await forgetInMemory(world, project, session);
  const note = 'Made private on the machine it came from.';
  await world.archive.change(
    project,
    [
      { at: ['sessions', session], drop: true },
      { at: ['parts', session], drop: true },
    ],
    [{ at: world.clock.now(), action: 'unregister', sessionId: session, note }],
  );
  await dropLayers(world, project);
  await updateLayers(world, project);
  await world.index.destroy();
}
