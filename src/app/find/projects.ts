import type { ProjectId } from '../../core/model/ids.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import { activitySteps } from '../../core/stats/activity-steps.ts';
import { shortestVersions } from '../../core/stats/shortest-versions.ts';
import { ifReadable } from '../if-readable.ts';
import { type Page, type PageRequest, page } from '../page.ts';
import type { World } from '../world.ts';
import { Recording } from './recording.ts';
import { markersNow, overlaysBySession } from './session-markers.ts';

/** A project as lists show it. */
export type ProjectSummary = {
  projectId: ProjectId;
  originalPath: string;
  displayName: string;
  createdAt: string;
  lastModified: string;
  /** The latest use of one of its sessions. */
  lastAccessed: string;
  gitRemote?: string;
  /** The built-in example. */
  sample?: true;
  /** Kept out of the archive: by a marker file, or by its setting `record`. */
  notRecorded?: 'marker' | 'setting';
  sessionCount: number;
  messages: number;
  tokens: number;
  bytes: number;
  keepits: number;
  /** Keepits of the weight 1.00. */
  pinned: number;
  /** Sessions that have a version; the tokens that these cover, and those of the shortest ones. */
  compressed: number;
  covered: number;
  shortest: number;
  /** Tokens in equal steps from the first to the last session. */
  activity: number[];
  firstTimestamp: string | null;
  lastTimestamp: string | null;
};

/** Every manifest of the archive; what had to be recovered on the way, and what can't be read, is reported. */
export async function openProjects(world: World): Promise<Manifest[]> {
  const ids = await world.archive.projects();
  const found = ids.map((id) => ifReadable(world.archive.open(id), (note) => world.report?.(note)));
  const opened = (await Promise.all(found)).filter((it) => it !== undefined);
  // With none left to go on with, the fault itself is the answer, not an empty list.
  if (opened.length === 0) await Promise.all(ids.map((id) => world.archive.open(id)));
  for (const { notes } of opened) for (const note of notes) world.report?.(note);
  return opened.map(({ manifest }) => manifest);
}

/** All projects, the one used last first, the built-in example behind them. Emptied ones are not listed. */
export async function listProjects(world: World): Promise<ProjectSummary[]> {
  return (await pageProjects(world)).items;
}

export async function pageProjects(
  world: World,
  request: PageRequest = {},
): Promise<Page<ProjectSummary> & { total: number }> {
  const manifests = (await openProjects(world)).filter((manifest) => !isEmptied(manifest));
  const { items, next } = page(manifests.map(summarizeProject), keyOf, request);
  const recording = new Recording(world);
  const marked = await Promise.all(items.map((it) => withRecording(recording, it)));
  return { items: marked, next, total: manifests.length };
}

/** Says of a project whether it is kept out of the archive now. */
export async function withRecording(recording: Recording, project: ProjectSummary): Promise<ProjectSummary> {
  const { projectId, originalPath } = project;
  const out = await ifReadable(recording.keptOut({ project: projectId, cwd: originalPath }));
  return out && out.by !== 'session' ? { ...project, notRecorded: out.by } : project;
}

/** All its sessions were purged: it only remembers what must not come back. */
export function isEmptied(manifest: Manifest): boolean {
  return (
    Object.keys(manifest.sessions).length === 0 && manifest.tombstones.some(({ kind }) => kind === 'session')
  );
}

function keyOf(project: ProjectSummary): string {
  return `${project.sample ? 0 : 1}${project.lastTimestamp ?? ''}\u0000${project.projectId}`;
}

/** Of manifests that can't change. */
const known = new WeakMap<Manifest, ProjectSummary>();

export function summarizeProject(manifest: Manifest): ProjectSummary {
  const before = known.get(manifest);
  if (before) return before;
  const made = Object.freeze(summed(manifest));
  if (Object.isFrozen(manifest)) known.set(manifest, made);
  return made;
}

const ACTIVITY_STEPS = 24;

function summed(manifest: Manifest): ProjectSummary {
  const sessions = Object.values(manifest.sessions).filter((session) => session.registered);
  const overlays = overlaysBySession(manifest);
  const sum = (of: (session: (typeof sessions)[number]) => number) =>
    sessions.reduce((total, session) => total + of(session), 0);
  const markers = sessions.flatMap((session) => markersNow(session, overlays.get(session.sessionId)));
  const versions = sessions.map((session) => shortestVersions(session.compressions));
  const times = (of: (session: (typeof sessions)[number]) => string) =>
    sessions
      .map(of)
      .filter((time) => time !== '')
      .sort();
  return {
    projectId: manifest.projectId,
    originalPath: manifest.originalPath,
    displayName: manifest.displayName,
    createdAt: manifest.createdAt,
    lastModified: manifest.lastModified,
    lastAccessed: times((session) => session.lastAccessed).at(-1) ?? manifest.lastModified,
    ...(manifest.gitRemote === undefined ? {} : { gitRemote: manifest.gitRemote }),
    ...(manifest.sample ? { sample: true } : {}),
    sessionCount: sessions.length,
    messages: sum((session) => session.originalMessages),
    tokens: sum((session) => session.originalTokens),
    bytes: sum((session) => session.originalBytes),
    keepits: markers.length,
    pinned: markers.filter(({ weight }) => weight === 1).length,
    compressed: sessions.filter(({ compressions }) => compressions.length > 0).length,
    covered: versions.reduce((total, { covered }) => total + covered, 0),
    shortest: versions.reduce((total, { shortest }) => total + shortest, 0),
    activity: activitySteps(
      sessions.map((session) => ({ time: session.lastTimestamp, tokens: session.originalTokens })),
      ACTIVITY_STEPS,
    ),
    firstTimestamp: times((session) => session.firstTimestamp)[0] ?? null,
    lastTimestamp: times((session) => session.lastTimestamp).at(-1) ?? null,
  };
}
