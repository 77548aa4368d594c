import { agentRow, OTHER_AGENTS, type OtherAgent } from '../../core/model/agent.ts';
import type { FoundTranscript } from '../../ports/transcripts.ts';
import { ifReadable } from '../or-fault.ts';
import type { World } from '../world.ts';

/** Sessions of one agent or of all but Claude Code, where each keeps them or where the settings say. */
export async function findOfOthers(
  world: World,
  unreadable: string[],
  agents: readonly OtherAgent[] = OTHER_AGENTS,
  /** The folders of all projects, where the caller knows them. */
  projects?: readonly string[],
): Promise<FoundTranscript[]> {
  const found: FoundTranscript[] = [];
  for (const agent of agents) {
    for (const folder of await agentFolders(world, agent, projects))
      found.push(...((await world.agents?.find(agent, folder, unreadable, world.clock.millis())) ?? []));
  }
  return found;
}

/** Where sessions of an agent are looked for: none where it is turned off. */
export async function agentFolders(
  world: World,
  agent: OtherAgent,
  projects?: readonly string[],
): Promise<string[]> {
  const { config } = await world.settings.resolve();
  const set = config.agents[agent];
  if (set === 'off') return [];
  if (set !== 'auto') return [set.replace(/^~(?=$|[/\\])/, () => world.places.home)];
  const { inProject } = agentRow(agent) ?? {};
  if (inProject === undefined) return world.places.agents?.[agent] ?? [];
  return (projects ?? (await projectFolders(world))).map((folder) => `${folder}/${inProject}`);
}

/** The folders of all projects that are known, and the one that the user is in. */
async function projectFolders(world: World): Promise<string[]> {
  const folders = new Set<string>(world.places.cwd ? [world.places.cwd] : []);
  for (const project of await world.archive.projects()) {
    const head = await ifReadable(world.archive.head(project));
    if (head?.originalPath) folders.add(head.originalPath);
  }
  return [...folders];
}
