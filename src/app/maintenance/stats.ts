import type { ProjectId, SessionId } from '../../core/model/ids.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import { type StatsTally, tally } from '../../core/stats/tally.ts';
import { findProject } from '../find/project.ts';
import { isEmptied, openFolders, openProjects } from '../find/projects.ts';
import { findSession } from '../find/session.ts';
import { markersNow, overlaysBySession } from '../find/session-markers.ts';
import { originalName } from '../find/session-ref.ts';
import { ledgerCalls, type Spent, sumOf } from '../model/ledger.ts';
import { allRepositories } from '../repository/repositories.ts';
import type { World } from '../world.ts';

export type StorageStats = { kind: string; bytes: number };
export type KeepitStats = {
  total: number;
  held: number;
  /** Heaviest first. */
  byWeight: { weight: number; count: number }[];
};

export type Stats = StatsTally & {
  scope: 'all' | 'project' | 'session';
  projectId: string | null;
  sessionId: string | null;
  projects: number;
  /** Bytes on the disk, largest first. */
  storage: StorageStats[];
  bytes: number;
  keepits: KeepitStats;
  /** What models took; null if none was ever asked. */
  ledger: (Spent & { models: (Spent & { model: string })[] }) | null;
};

export type StatsRequest = { project?: string; session?: string };

/** Figures of everything, of a project or of a session. */
export async function readStats(world: World, request: StatsRequest = {}): Promise<Stats> {
  const found =
    request.session === undefined ? undefined : await findSession(world, request.session, request.project);
  const projectId =
    found?.projectId ??
    (request.project === undefined ? undefined : await findProject(world, request.project));
  const sessionId = found?.sessionId;
  const manifests = await manifestsAsked(world, projectId, sessionId);
  const wanted = (id: string, registered: boolean) =>
    sessionId === undefined ? registered : id === sessionId;
  const dayOf = (time: string) => world.clock.local(time).slice(0, 10);
  const storage =
    sessionId === undefined
      ? await storageOf(world, manifests, projectId === undefined)
      : await sessionStorage(world, manifests[0]!, sessionId);
  return {
    scope: sessionId !== undefined ? 'session' : projectId !== undefined ? 'project' : 'all',
    projectId: projectId ?? null,
    sessionId: sessionId ?? null,
    projects: await repositoriesOf(world, manifests),
    ...tally(manifests, dayOf, (record) => wanted(record.sessionId, record.registered)),
    storage,
    bytes: storage.reduce((sum, { bytes }) => sum + bytes, 0),
    keepits: keepitsOf(manifests, wanted),
    ledger: await ledgerOf(world, projectId === undefined ? undefined : manifests, sessionId),
  };
}

/** Of a session its own folder, else all folders of the project. */
async function manifestsAsked(
  world: World,
  project: ProjectId | undefined,
  session: SessionId | undefined,
): Promise<Manifest[]> {
  if (project === undefined) return (await openProjects(world)).filter((manifest) => !isEmptied(manifest));
  return session === undefined
    ? openFolders(world, project)
    : [(await world.archive.open(project))!.manifest];
}

async function repositoriesOf(world: World, manifests: Manifest[]): Promise<number> {
  const here = new Set<string>(manifests.map(({ projectId }) => projectId));
  const repositories = await allRepositories(world);
  return repositories.filter(({ folders }) => folders.some(({ projectId }) => here.has(projectId))).length;
}

const FOLDERS: [kind: string, folder: string][] = [
  ['originals', 'originals'],
  ['layers', 'memory'],
  ['versions', 'summaries'],
  ['compositions', 'composed'],
  ['journal', 'journal'],
  ['backups', 'backups'],
  ['kept for undo', 'decay'],
];

async function storageOf(world: World, manifests: Manifest[], whole: boolean): Promise<StorageStats[]> {
  const { machine, archive } = world;
  const sizes = new Map<string, number>();
  const add = (kind: string, bytes: number) => sizes.set(kind, (sizes.get(kind) ?? 0) + bytes);
  for (const { projectId } of manifests) {
    const project = projectId;
    const root = archive.files.path(project, 'memory-of').replace(/memory-of$/, '');
    for (const [kind, folder] of FOLDERS) add(kind, await machine.treeBytes(`${root}${folder}`));
    const place = archive.places.where(project);
    if (place.kind === 'project') add('layers', await machine.treeBytes(place.folder));
    for (const name of ['manifest.json', 'manifest.prev.json', 'manifest.log', 'history.jsonl'])
      add('records', (await sizeOf(world, `${root}${name}`)) ?? 0);
  }
  if (whole) {
    add('cache', await machine.treeBytes(`${archive.root}/cache`));
    add('logs', await machine.treeBytes(`${archive.root}/logs`));
    for (const name of ['index.sqlite', 'index.sqlite-wal', 'index.sqlite-shm'])
      add('search index', (await sizeOf(world, `${archive.root}/${name}`)) ?? 0);
  }
  return sorted(sizes);
}

async function sessionStorage(
  world: World,
  manifest: Manifest,
  sessionId: SessionId,
): Promise<StorageStats[]> {
  const project = manifest.projectId;
  const { files, originals } = world.archive;
  const record = manifest.sessions[sessionId]!;
  const sizes = new Map<string, number>();
  let copies = (await originals.size(project, originalName(sessionId))) ?? 0;
  for (const name of await originals.list(project, sessionId))
    copies += (await originals.size(project, name)) ?? 0;
  sizes.set('originals', copies);
  sizes.set('layers', record.l1.file === '' ? 0 : await files.size(project, record.l1.file));
  for (const [kind, folder] of [
    ['versions', 'summaries'],
    ['backups', 'backups'],
  ] as const)
    sizes.set(kind, await world.machine.treeBytes(files.path(project, `${folder}/${sessionId}`)));
  return sorted(sizes);
}

function sorted(sizes: Map<string, number>): StorageStats[] {
  return [...sizes]
    .map(([kind, bytes]) => ({ kind, bytes }))
    .filter(({ bytes }) => bytes > 0)
    .sort((a, b) => b.bytes - a.bytes || (a.kind < b.kind ? -1 : 1));
}

async function sizeOf(world: World, path: string): Promise<number | undefined> {
  const file = await world.transcripts.inspect(path);
  return file && file !== 'folder' ? file.size : undefined;
}

function keepitsOf(manifests: Manifest[], wanted: (id: string, registered: boolean) => boolean): KeepitStats {
  const counts = new Map<number, number>();
  const keepits: KeepitStats = { total: 0, held: 0, byWeight: [] };
  for (const manifest of manifests) {
    const overlays = overlaysBySession(manifest);
    for (const record of Object.values(manifest.sessions)) {
      if (!wanted(record.sessionId, record.registered)) continue;
      for (const { weight, held } of markersNow(record, overlays.get(record.sessionId))) {
        keepits.total++;
        if (held) keepits.held++;
        counts.set(weight, (counts.get(weight) ?? 0) + 1);
      }
    }
  }
  keepits.byWeight = [...counts]
    .map(([weight, count]) => ({ weight, count }))
    .sort((a, b) => b.weight - a.weight);
  return keepits;
}

async function ledgerOf(
  world: World,
  manifests: Manifest[] | undefined,
  session: string | undefined,
): Promise<Stats['ledger']> {
  const projects = manifests && new Set<string | undefined>(manifests.map(({ projectId }) => projectId));
  const calls = (await ledgerCalls(world)).filter(
    (call) =>
      (projects === undefined || projects.has(call.project)) &&
      (session === undefined || call.session === session),
  );
  if (calls.length === 0) return null;
  const models = [...new Set(calls.map(({ model }) => model))].sort();
  return {
    ...sumOf(calls),
    models: models.map((model) => ({ model, ...sumOf(calls.filter((call) => call.model === model)) })),
  };
}
