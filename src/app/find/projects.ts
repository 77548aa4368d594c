import { namesRepository, reasonFor } from '../../core/identity/reason-for.ts';
import type { EffectiveMarker } from '../../core/keepit/overlays.ts';
import { Fault } from '../../core/model/fault.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import type { SessionRecord } from '../../core/model/session.ts';
import { activitySteps } from '../../core/stats/activity-steps.ts';
import { shortestVersions } from '../../core/stats/shortest-versions.ts';
import { ifReadable } from '../or-fault.ts';
import { type Page, type PageRequest, page } from '../page.ts';
import { allRepositories, type Repository } from '../repository/repositories.ts';
import type { World } from '../world.ts';
import { findFolder, findProjectFolders } from './project.ts';
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
  /** The identity of its repository: see `projects folders`. Missing if it is unknown. */
  identity?: string;
  /** Its folders, the main one first. */
  folders: ProjectFolder[];
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
  /** Which agents its sessions are of, and by name whose those are that are not the user's own. */
  agents: string[];
  authors: string[];
  firstTimestamp: string | null;
  lastTimestamp: string | null;
};

/** One folder of a project: a checkout, a worktree, another clone. */
export type ProjectFolder = {
  projectId: ProjectId;
  originalPath: string;
  displayName: string;
  sessionCount: number;
  lastTimestamp: string | null;
  /** Why it belongs to the project, for a person. */
  reason: string;
};

/** The manifests of all folders of the project that a text means, the main one first. */
export async function openFolders(world: World, project: string): Promise<Manifest[]> {
  return openAll(world, await findProjectFolders(world, project));
}

async function openAll(world: World, ids: ProjectId[]): Promise<Manifest[]> {
  const found = ids.map((id) => ifReadable(world.archive.open(id), (note) => world.report?.(note)));
  const opened = (await Promise.all(found)).filter((it) => it !== undefined);
  // If none is left, the fault itself is the answer, not an empty list.
  if (opened.length === 0) await Promise.all(ids.map((id) => world.archive.open(id)));
  for (const { notes } of opened) for (const note of notes) world.report?.(note);
  return opened.map(({ manifest }) => manifest);
}

/** Every manifest of the archive; what had to be recovered on the way, and what can't be read, is reported. */
export async function openProjects(world: World): Promise<Manifest[]> {
  return openAll(world, await world.archive.projects());
}

/** All projects, the one used last first, the built-in example behind them. Emptied ones are not listed. */
export async function listProjects(world: World): Promise<ProjectSummary[]> {
  return (await pageProjects(world)).items;
}

export async function pageProjects(
  world: World,
  request: PageRequest = {},
): Promise<Page<ProjectSummary> & { total: number }> {
  const [manifests, repositories] = await Promise.all([openProjects(world), allRepositories(world)]);
  const byId = new Map(manifests.map((manifest) => [manifest.projectId, manifest]));
  const summaries = repositories.flatMap((repository) => {
    const own = repository.folders.flatMap(({ projectId }) => byId.get(projectId) ?? []);
    return own.every(isEmptied) ? [] : [summarizeProject(repository, own)];
  });
  const { items, next } = page(summaries, keyOf, request);
  const recording = new Recording(world);
  const marked = await Promise.all(items.map((it) => withRecording(recording, it)));
  return { items: marked, next, total: summaries.length };
}

/** One project by whatever names it, or one of its folders. */
export async function summaryOf(
  world: World,
  project: string,
  naming?: (id: ProjectId) => string,
): Promise<ProjectSummary> {
  const { repository } = await findFolder(world, project, naming);
  const ids = repository.folders.map(({ projectId }) => projectId);
  return withRecording(new Recording(world), summarizeProject(repository, await openAll(world, ids)));
}
/** Says of a project whether it is kept out of the archive now. */
async function withRecording(recording: Recording, project: ProjectSummary): Promise<ProjectSummary> {
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
const known = new WeakMap<Manifest, { key: string; of: Manifest[]; summary: ProjectSummary }>();

/** Sums over all folders; `manifests` are theirs, the main one first. */
function summarizeProject(repository: Repository, manifests: Manifest[]): ProjectSummary {
  const [main] = manifests;
  if (!main) throw new Fault('not-found', `Project ${repository.name} no longer exists.`);
  const key = `${repository.key} ${repository.name}`;
  const before = known.get(main);
  const isSame = before?.of.length === manifests.length && manifests.every((it, at) => it === before.of[at]);
  if (before?.key === key && isSame) return before.summary;
  const summary = Object.freeze(summed(repository, manifests));
  if (manifests.every((it) => Object.isFrozen(it))) known.set(main, { key, of: manifests, summary });
  return summary;
}

const ACTIVITY_STEPS = 24;

function summed(repository: Repository, manifests: Manifest[]): ProjectSummary {
  const manifest = manifests[0]!;
  const sessions = manifests.flatMap(registered);
  const sum = (of: (session: (typeof sessions)[number]) => number) =>
    sessions.reduce((total, session) => total + of(session), 0);
  const markers = manifests.flatMap(markersIn);
  const versions = sessions.map((session) => shortestVersions(session.compressions));
  const times = (of: (session: (typeof sessions)[number]) => string) =>
    sessions
      .map(of)
      .filter((time) => time !== '')
      .sort();
  return {
    projectId: manifest.projectId,
    originalPath: manifest.originalPath,
    displayName: repository.name,
    createdAt: manifests.map((it) => it.createdAt).sort()[0]!,
    lastModified: manifests
      .map((it) => it.lastModified)
      .sort()
      .at(-1)!,
    lastAccessed: times((session) => session.lastAccessed).at(-1) ?? manifest.lastModified,
    ...(namesRepository(repository.key) ? { identity: repository.key } : {}),
    folders: manifests.map((it) => folderOf(it, repository)),
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
    agents: distinct(sessions.map((session) => session.metadata.agent)),
    authors: distinct(sessions.flatMap((session) => session.by ?? [])),
    firstTimestamp: times((session) => session.firstTimestamp)[0] ?? null,
    lastTimestamp: times((session) => session.lastTimestamp).at(-1) ?? null,
  };
}

function distinct(names: string[]): string[] {
  return [...new Set(names)].sort();
}

function registered(manifest: Manifest): SessionRecord[] {
  return Object.values(manifest.sessions).filter((session) => session.registered);
}

function markersIn(manifest: Manifest): EffectiveMarker[] {
  const overlays = overlaysBySession(manifest);
  return registered(manifest).flatMap((it) => markersNow(it, overlays.get(it.sessionId)));
}

function folderOf(manifest: Manifest, repository: Repository): ProjectFolder {
  const sessions = registered(manifest);
  const { projectId, originalPath, displayName } = manifest;
  const last = sessions.map((session) => session.lastTimestamp).sort();
  return {
    projectId,
    originalPath,
    displayName,
    sessionCount: sessions.length,
    lastTimestamp: last.at(-1) || null,
    reason: reasonFor(repository, projectId),
  };
}
