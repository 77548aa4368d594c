import type { Change } from '../../core/model/change.ts';
import { Fault } from '../../core/model/fault.ts';
import type { HistoryEvent } from '../../core/model/history.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import { findProject } from '../find/project.ts';
import { openProjects } from '../find/projects.ts';
import { findSession } from '../find/session.ts';
import { updateLayers } from '../layers/update.ts';
import type { World } from '../world.ts';

export type ClaimRequest = {
  sessions?: string[];
  /** All that came in under this name: sessions, compositions, edits. */
  by?: string;
  project?: string;
};
export type Claimed = { sessions: { projectId: string; sessionId: string }[]; edits: number };

/** Says that what came in as someone else's is this user's own: from now on it counts as said here. */
export async function claim(world: World, { sessions = [], by, project }: ClaimRequest): Promise<Claimed> {
  if ((sessions.length === 0) === (by === undefined))
    throw new Fault('usage', 'Missing session ids, or --by NAME.', {
      hint: '`keepsake sessions` lists them.',
    });
  const claimed: Claimed = { sessions: [], edits: 0 };
  const wanted = new Set<string>();
  for (const id of sessions) {
    const { projectId, sessionId } = await findSession(world, id, project);
    wanted.add(`${projectId}/${sessionId}`);
  }
  const within = project === undefined ? undefined : await findProject(world, project);
  for (const manifest of await openProjects(world)) {
    if (within === undefined || manifest.projectId === within)
      await claimIn(world, manifest, (key, author) => author === by || wanted.has(key), claimed);
  }
  if (by !== undefined && claimed.sessions.length + claimed.edits === 0)
    throw new Fault('not-found', `No imported sessions belong to ${JSON.stringify(by)}.`);
  return claimed;
}

type IsWanted = (key: string, author: string) => boolean;

async function claimIn(
  world: World,
  manifest: Manifest,
  isWanted: IsWanted,
  claimed: Claimed,
): Promise<void> {
  const { projectId } = manifest;
  const changes: Change[] = [];
  const events: HistoryEvent[] = [];
  const at = world.clock.now();
  for (const { sessionId, by } of Object.values(manifest.sessions)) {
    if (by === undefined || !isWanted(`${projectId}/${sessionId}`, by)) continue;
    changes.push({ at: ['sessions', sessionId, 'by'], drop: true });
    events.push({ at, action: 'import', sessionId, note: 'Claimed.', details: { by: null } });
    claimed.sessions.push({ projectId, sessionId });
  }
  for (const [name, { by }] of Object.entries(manifest.compositions))
    if (by !== undefined && isWanted('', by)) changes.push({ at: ['compositions', name, 'by'], drop: true });
  for (const list of ['overlays', 'factEdits', 'conceptEdits', 'fieldEdits'] as const) {
    const idOf = list === 'overlays' ? 'overlayId' : 'editId';
    for (const record of manifest[list] ?? []) {
      const { author, ...own } = record;
      const of = 'sessionId' in record ? `${projectId}/${record.sessionId}` : '';
      if (author === undefined || !isWanted(of, author)) continue;
      const id = (record as unknown as Record<string, string>)[idOf]!;
      changes.push({ at: [list], without: { [idOf]: id } }, { at: [list], append: own, unique: idOf });
      claimed.edits++;
    }
  }
  if (changes.length === 0) return;
  await world.archive.change(projectId, changes, events);
  await updateLayers(world, projectId);
}
