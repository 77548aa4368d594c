import type { ProjectId } from '../../core/model/ids.ts';
import { LAYERS_ENGINE } from '../../core/model/layers-engine.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import type { CaseSession } from '../../core/replay/case-session.ts';
import { findProjectFolders } from '../find/project.ts';
import { openProjects } from '../find/projects.ts';
import { rest } from '../in-steps.ts';
import { allRepositories, type Repository } from '../repository/repositories.ts';
import type { World } from '../world.ts';
import { AsOfWorld } from './as-of-world.ts';
import { ReplayedSessions } from './replayed-sessions.ts';
import { RepositoriesByTime } from './repositories-by-time.ts';
import { type TimedSession, Timeline } from './timeline.ts';

export type ReplayRequest = {
  project?: string;
  /** A day of the user's clock, or a time: sessions that began before are known, and not looked at. */
  since?: string;
};
export type ReplayRun = {
  signal?: AbortSignal | undefined;
  onProgress?: ((done: number, total: number, current: string) => void) | undefined;
};
export type ReplayedProject = { repository: Repository; sessions: CaseSession[] };
export type ReplayedHistory = {
  timeline: Timeline;
  manifests: Manifest[];
  repositories: RepositoriesByTime;
  /** Those that were asked for. */
  targets: TimedSession[];
  projects: ReplayedProject[];
};

/**
 * Goes through the sessions in the order in which they began, and computes what hooks would have shown with only earlier
 * sessions known. Results are stored: the next run continues from there.
 */
export async function replayedProjects(
  world: World,
  request: ReplayRequest,
  run: ReplayRun,
): Promise<ReplayedHistory> {
  const asked = request.project === undefined ? undefined : await findProjectFolders(world, request.project);
  const all = await openProjects(world);
  // The built-in sample is nobody's history, unless it is asked for.
  const manifests = all.filter((it) => it.sample !== true || asked?.includes(it.projectId));
  const timeline = new Timeline(manifests);
  const begun = timeline.begun();
  const targets = new Set(
    begun.filter(
      ({ projectId, record }) =>
        (asked === undefined || asked.includes(projectId)) &&
        (request.since === undefined || isSince(world, record.firstTimestamp, request.since)),
    ),
  );
  const repositories = await RepositoriesByTime.read(world, timeline, manifests);
  const sessions = new ReplayedSessions(world, timeline, await dependsOn(world, manifests));
  let opened: Promise<AsOfWorld> | undefined;
  const asOf = () => {
    opened ??= AsOfWorld.open(world, { timeline, manifests, repositories });
    return opened;
  };
  const projects = (await allRepositories(world))
    .filter((it) => [...targets].some(({ projectId }) => hasFolder(it, projectId)))
    .map((repository): ReplayedProject => ({ repository, sessions: [] }));
  let done = 0;
  try {
    for (const session of begun) {
      const own = projects.find(({ repository }) => hasFolder(repository, session.projectId));
      if (!own) continue;
      const isTarget = targets.has(session);
      if (isTarget) run.onProgress?.(done++, targets.size, own.repository.name);
      const folders = repositories.foldersOf(session.projectId, timeline.knownAt(session));
      const { moments, injections } = await sessions.of(session, isTarget ? { asOf, folders } : undefined);
      own.sessions.push({ ...caseSession(session, moments, injections), folders });
      await rest(run.signal);
    }
  } finally {
    await (await opened)?.close();
  }
  run.onProgress?.(targets.size, targets.size, '');
  return { timeline, manifests, repositories, targets: [...targets], projects };
}

function isSince({ clock }: World, time: string, since: string): boolean {
  return (since.length === 10 ? clock.local(time).slice(0, 10) : time) >= since;
}

function caseSession(
  { projectId, record }: TimedSession,
  moments: CaseSession['moments'],
  injections: CaseSession['injections'],
): CaseSession {
  return {
    project: projectId,
    session: record.sessionId,
    first: record.firstTimestamp,
    last: record.lastTimestamp,
    moments,
    stated: [],
    ...(injections ? { injections } : {}),
  };
}

/** What hooks say depends on it besides the sessions: this version and the settings. */
async function dependsOn(world: World, manifests: readonly Manifest[]): Promise<string> {
  const { config } = await world.settings.resolve();
  const { keepsake } = await world.machine.versions();
  const own = manifests.map(({ projectId, settings }) => [projectId, settings]);
  return JSON.stringify([keepsake, LAYERS_ENGINE, config.hooks, own]);
}

function hasFolder({ folders }: Repository, project: ProjectId): boolean {
  return folders.some(({ projectId }) => projectId === project);
}
