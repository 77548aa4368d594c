import type { SessionId } from '../../core/model/ids.ts';
import type { World } from '../world.ts';

/** Sessions of an agent that Keepsake itself started, to have a text summarized: they are nobody's conversation. */
const FOLDER = 'spawned';

/** To be called before the agent is started with this id. */
export async function noteSpawned(world: World, session: SessionId): Promise<void> {
  await world.archive.files.write(undefined, `${FOLDER}/${session}`, 'started by Keepsake\n');
}

export async function isSpawned(world: World, session: SessionId): Promise<boolean> {
  return (await world.archive.files.size(undefined, `${FOLDER}/${session}`)) > 0;
}
