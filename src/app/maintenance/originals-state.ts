import type { Finding } from '../../ports/archive.ts';
import type { SessionRow } from '../find/sessions.ts';
import type { World } from '../world.ts';

export type LostOriginal = { row: SessionRow; path: string; how: 'missing' | 'dangling' | 'none' };

export type OriginalsState = {
  lost: LostOriginal[];
  /** How many are only links to the agent's files: they vanish when the agent cleans up. */
  linked: number;
};

/** Whether every session's original is still there, and is the archive's own. */
export async function originalsState(world: World, rows: SessionRow[]): Promise<OriginalsState> {
  const state: OriginalsState = { lost: [], linked: 0 };
  for (const row of rows) {
    const path = world.archive.originals.path(row.projectId, `${row.sessionId}.jsonl`);
    const access = await world.machine.accessTo(path);
    if (access !== 'write' && access !== 'read') state.lost.push({ row, path, how: access });
    else if (await world.machine.isLink(path)) state.linked++;
  }
  return state;
}

/** What the archive finds about its own files. A lost original is reported with its session elsewhere, and only there. */
export async function inspectFiles(world: World): Promise<Finding[]> {
  return (await world.archive.inspect()).filter(({ lostOriginal }) => !lostOriginal);
}
