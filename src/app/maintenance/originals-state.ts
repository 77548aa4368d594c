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
export async function lookAtOriginals(world: World, rows: SessionRow[]): Promise<OriginalsState> {
  const state: OriginalsState = { lost: [], linked: 0 };
  for (const row of rows) {
    const path = world.archive.originals.path(row.projectId, `${row.sessionId}.jsonl`);
    const access = await world.machine.accessTo(path);
    if (access !== 'write' && access !== 'read') state.lost.push({ row, path, how: access });
    else if (await world.machine.isLink(path)) state.linked++;
  }
  return state;
}

const LOST_ORIGINAL =
  /(originals\/[^/]+\.jsonl|^\d+ more: each) (points to a transcript that is gone|is missing)\.$/;

/** Such a finding of the archive itself is told with its session elsewhere, and only there. */
export function tellsOfLostOriginal(finding: Finding): boolean {
  return LOST_ORIGINAL.test(finding.message);
}
