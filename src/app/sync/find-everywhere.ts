import type { FoundTranscript } from '../../ports/transcripts.ts';
import type { SessionRef } from '../find/session-ref.ts';
import type { World } from '../world.ts';

/** Files to take in; `ref` where it is settled already whose session the only one is. */
export type Targets = { files: FoundTranscript[]; unreadable: string[]; ref?: SessionRef };

/** Every transcript that the agent has. */
export async function findEverywhere(world: World): Promise<Targets> {
  const targets: Targets = { files: [], unreadable: [] };
  for (const folder of world.places.claudeProjects) {
    if ((await world.machine.accessTo(folder)) === 'missing') continue;
    targets.files.push(...(await world.transcripts.find(folder, targets.unreadable)));
  }
  return targets;
}
