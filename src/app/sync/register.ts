import { Fault } from '../../core/model/fault.ts';
import { isProjectId, isSessionId, type ProjectId, type SessionId } from '../../core/model/ids.ts';
import { findProject } from '../find/project.ts';
import type { SessionRef } from '../find/session-ref.ts';
import { ingestFiles } from '../intake/ingest-files.ts';
import type { ProjectSeed } from '../intake/project-book.ts';
import { layersAfter } from '../layers/sync.ts';
import { unlessFault } from '../or-fault.ts';
import { finishPurgesFirst } from '../purge/finish.ts';
import { finishLeaving } from '../purge/session.ts';
import { sweepPurged } from '../purge/sweep.ts';
import { createVersions } from '../retention/versions.ts';
import { bringIndexUp } from '../search/bring-index-up.ts';
import { newReport, type RunOptions, type SyncReport, unreadableProblem } from '../sync-report.ts';
import type { World } from '../world.ts';
import { findById } from './find-by-id.ts';
import { findEverywhere, sessionsBelow, type Targets } from './find-everywhere.ts';

/** A whole path. */
const WHOLE = /^([/\\]|[A-Za-z]:[/\\])/;

export type Registered = SyncReport & { sessions: { projectId: ProjectId; sessionId: SessionId }[] };

export type RegisterOptions = RunOptions & {
  project?: string;
  /** Only of this project, which need not be in memory yet. */
  only?: ProjectId;
};

/** Registers a session by its id, a transcript by its path, every transcript of a folder, or all there are. */
export async function register(
  world: World,
  target: string | { all: true },
  options: RegisterOptions = {},
): Promise<Registered> {
  const report: Registered = { ...newReport(), sessions: [] };
  await finishPurgesFirst(world, options.signal);
  const since = world.clock.now();
  const named = options.project === undefined ? undefined : await namedProject(world, options.project);
  const { files, unreadable, ref } =
    typeof target === 'string'
      ? await targeted(world, target, options.only ?? named?.project, options.only !== undefined)
      : await findEverywhere(world);
  report.problems.push(...unreadable.map(unreadableProblem));
  await ingestFiles(world, files, report, {
    ...options,
    explicit: true,
    onBack: (ref) => finishLeaving(world, ref),
    byName: typeof target === 'string' && files.length === 1,
    projectOf: (_, identity) => {
      if (ref) return { path: identity.cwd ?? '', project: ref.project };
      return identity.cwd ? undefined : named;
    },
    ...(ref ? { sessionOf: () => ref.session } : {}),
    onIngested: (projectId, sessionId) => report.sessions.push({ projectId, sessionId }),
  });
  report.sessions = await withoutPurgedSessions(world, report.sessions);
  await layersAfter(world, report.sessions, { report, signal: options.signal });
  report.notes.push(...(await bringIndexUp(world)));
  const refs = report.sessions.map(({ projectId, sessionId }) => ({
    project: projectId,
    session: sessionId,
  }));
  await createVersions(world, refs, since, { report, signal: options.signal });
  const [problem] = report.problems;
  if (report.sessions.length === 0 && problem) {
    const code = files.length === 0 ? 'unreadable' : 'bad-input';
    throw new Fault(code, problem.message, problem.hint ? { hint: problem.hint } : {});
  }
  return report;
}

/** What was purged while it was read stays purged, and nothing stays of what was written of it. */
export async function withoutPurgedSessions(
  world: World,
  sessions: Registered['sessions'],
): Promise<Registered['sessions']> {
  const left: Registered['sessions'] = [];
  for (const [project, read] of Map.groupBy(sessions, ({ projectId }) => projectId)) {
    const manifest = (await world.archive.open(project))?.manifest;
    if (!manifest) continue;
    const ids = new Set<string>(read.map(({ sessionId }) => sessionId));
    const tombstones = manifest.tombstones.filter(({ id }) => ids.has(id));
    await sweepPurged(world, { ...manifest, tombstones }, ids);
    left.push(...read.filter(({ sessionId }) => Object.hasOwn(manifest.sessions, sessionId)));
  }
  return left;
}

/** A project that is there already is meant by its name, too; another is made. */
export async function namedProject(world: World, name: string): Promise<ProjectSeed> {
  const project = await unlessFault(findProject(world, name), ['not-found']);
  return project === undefined ? { path: name } : { path: '', project };
}

async function targeted(
  world: World,
  target: string,
  project: ProjectId | undefined,
  strict: boolean,
): Promise<Targets> {
  // A name alone is an id, even if the current folder has such a file.
  const found = WHOLE.test(target) ? await world.transcripts.inspect(target) : undefined;
  if (found === 'folder') {
    const unreadable: string[] = [];
    const files = await sessionsBelow(world, target, unreadable);
    if (files.length > 0 || unreadable.length > 0) return { files, unreadable };
    throw new Fault('not-found', `No session files found in ${target}.`, {
      hint: 'Give a folder that contains session files.',
    });
  }
  if (found) {
    const document = await world.agents?.document(found.path, world.clock.millis());
    return { files: [document ?? found], unreadable: [], ...ownCopy(world, found.path) };
  }
  if (/[\\/]/.test(target) || /\.(?:jsonl?|md|txt)$/.test(target)) {
    throw new Fault('not-found', `File not found: ${target}.`, {
      hint: 'Check the path; `keepsake register --all` registers every session.',
    });
  }
  return findById(world, target, project, strict);
}

/** One of the archive's own copies is of the session that it is named after. */
function ownCopy(world: World, path: string): { ref?: SessionRef } {
  if (!path.startsWith(world.archive.root)) return {};
  const place = /^[\\/]projects[\\/]([^\\/]+)[\\/]originals[\\/]([^\\/]+)\.jsonl$/;
  const [, project = '', session = ''] = place.exec(path.slice(world.archive.root.length)) ?? [];
  return isProjectId(project) && isSessionId(session) ? { ref: { project, session } } : {};
}
