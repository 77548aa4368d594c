import { AGENT_TABLE, type OtherAgent } from '../../core/model/agent.ts';
import { allSessions } from '../find/sessions.ts';
import { agentFolders } from '../intake/find-of-others.ts';
import type { World } from '../world.ts';

export type AgentFound = {
  agent: string;
  name: string;
  sessions: number;
  /** When its last session ended, of those that were read; null where none was. */
  lastTimestamp: string | null;
};

/** The agents that have a folder of their own here, or sessions in the archive. */
export async function agentsFound(world: World): Promise<AgentFound[]> {
  const rows = await allSessions(world);
  const found: AgentFound[] = [];
  for (const { id, name, folders, asked } of AGENT_TABLE) {
    const own = rows.filter((row) => row.metadata.agent === id);
    // Where editors keep their data is no sign of any one agent.
    const isOwnPlace = !asked && (folders?.every(({ path }) => path !== 'editors') ?? false);
    const places = isOwnPlace ? await agentFolders(world, id as OtherAgent) : [];
    const isHere = (await Promise.all(places.map((it) => world.machine.accessTo(it)))).some(
      (it) => it !== 'missing',
    );
    if (own.length === 0 && !isHere) continue;
    const times = own.map((row) => row.lastTimestamp ?? '').sort();
    found.push({ agent: id, name, sessions: own.length, lastTimestamp: times.at(-1) || null });
  }
  return found;
}
