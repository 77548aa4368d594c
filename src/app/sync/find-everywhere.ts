import type { FoundTranscript } from '../../ports/transcripts.ts';
import type { SessionRef } from '../find/session-ref.ts';
import type { World } from '../world.ts';

/** Files to archive; `ref` if the session of the only file is already known. */
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

/** Every session below a folder that a user named, of any agent: files of lines, and documents. */
export async function sessionsBelow(
  world: World,
  folder: string,
  unreadable: string[],
): Promise<FoundTranscript[]> {
  const lines = await world.transcripts.find(folder, unreadable, { hidden: true });
  const documents = (await world.agents?.documents(folder, unreadable, world.clock.millis())) ?? [];
  const known = new Set(documents.map(({ path }) => path));
  return [...lines.filter(({ path }) => !known.has(path)), ...documents];
}
