import { Fault } from '../../core/model/fault.ts';
import { isEmptied, openProjects } from '../find/projects.ts';
import { allSessions, type SessionRow } from '../find/sessions.ts';
import { findOfOthers } from '../intake/find-of-others.ts';
import { whatToUnregister } from '../purge/unregister.ts';
import type { RunOptions, SyncReport } from '../sync-report.ts';
import type { World } from '../world.ts';
import { sync } from './sync.ts';

/** True when neither any agent nor the archive has a single session. */
export async function nothingToRemember(world: World): Promise<boolean> {
  for (const folder of world.places.claudeProjects) {
    if ((await world.machine.accessTo(folder)) === 'missing') continue;
    const unreadable: string[] = [];
    const found = await world.transcripts.find(folder, unreadable);
    // An unreadable folder may contain sessions: a sync reports it.
    if (found.length > 0 || unreadable.length > 0) return false;
  }
  const unreadable: string[] = [];
  const ofOthers = await findOfOthers(world, unreadable);
  if (ofOthers.length > 0 || unreadable.length > 0) return false;
  return (await allSessions(world)).length === 0;
}

export async function hasSample(world: World): Promise<boolean> {
  return (await world.machine.accessTo(world.places.sample)) !== 'missing';
}

/** Whether the user removed the sample: then it does not return automatically. */
export async function sampleWasRemoved(world: World): Promise<boolean> {
  return (await openProjects(world)).some((manifest) => manifest.sample && isEmptied(manifest));
}

/** Archives the built-in sample project, marked as a sample; on request it is restored. */
export async function useSample(world: World, options: RunOptions = {}): Promise<SyncReport> {
  for (const manifest of await openProjects(world)) {
    if (manifest.sample && isEmptied(manifest)) {
      await world.archive.removeProject(manifest.projectId);
    }
  }
  return sync(world, { ...options, from: [world.places.sample], sample: true });
}

/** The sessions of the sample, for removal. */
export async function sampleRows(world: World): Promise<SessionRow[]> {
  const samples = (await openProjects(world)).filter((manifest) => manifest.sample && !isEmptied(manifest));
  if (samples.length === 0) throw new Fault('not-found', 'The sample project is not in the archive.');
  const rows = await Promise.all(
    samples.map(({ projectId }) => whatToUnregister(world, { project: projectId })),
  );
  return rows.flat();
}
