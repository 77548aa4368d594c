import { AGENT_TABLE, OTHER_AGENTS } from '../../core/model/agent.ts';
import { allSessions } from '../find/sessions.ts';
import { agentFolders, findOfOthers } from '../intake/find-of-others.ts';
import { isLeftOut, isUnchanged, loadSources } from '../intake/source-cache.ts';
import type { World } from '../world.ts';

export type AgentFound = {
  agent: string;
  name: string;
  sessions: number;
  /** Its sessions that are new or have grown since they were read. */
  notRead: number;
  /** When its last session ended, of those that were read; null if none was. */
  lastTimestamp: string | null;
  /** When one of its files was last read; null if none was. */
  lastRead: string | null;
};

/** The agents that have a folder of their own here, or sessions in the archive. `claudeNotRead`: Claude Code's new files. */
export async function agentsFound(world: World, claudeNotRead: number): Promise<AgentFound[]> {
  const rows = await allSessions(world);
  const sources = await loadSources(world);
  const readAt = new Map<string, string>();
  for (const source of sources.values())
    if (!('left' in source) && (source.readAt ?? '') > (readAt.get(source.agent) ?? ''))
      readAt.set(source.agent, source.readAt ?? '');
  const found: AgentFound[] = [];
  for (const { id, name, folders } of AGENT_TABLE) {
    const own = rows.filter((row) => row.metadata.agent === id);
    const other = OTHER_AGENTS.find((it) => it === id);
    const files = other ? await findOfOthers(world, [], [other]) : [];
    const open = files.filter(
      (file) => !isUnchanged(sources.get(file.path), file) && !isLeftOut(sources.get(file.path), file),
    );
    const notRead = id === 'claude-code' ? claudeNotRead : open.length;
    // Where editors keep their data is no sign of any one agent.
    const places =
      other && folders
        ? (await agentFolders(world, other)).filter((_, at) => folders[at]?.path !== 'editors')
        : [];
    const isHere = (await Promise.all(places.map((it) => world.machine.accessTo(it)))).some(
      (it) => it !== 'missing',
    );
    if (own.length + notRead === 0 && !isHere) continue;
    const times = own.map((row) => row.lastTimestamp ?? '').sort();
    found.push({
      agent: id,
      name,
      sessions: own.length,
      notRead,
      lastTimestamp: times.at(-1) || null,
      // An older version noted only when a session was first read.
      lastRead: [readAt.get(id) ?? '', ...own.map((row) => row.registeredAt)].sort().at(-1) || null,
    });
  }
  return found;
}
