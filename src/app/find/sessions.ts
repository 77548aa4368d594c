import type { EffectiveMarker } from '../../core/keepit/overlays.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import type { SessionRecord } from '../../core/model/session.ts';
import { type Page, type PageRequest, page } from '../page.ts';
import { repositoryNames } from '../repository/repositories.ts';
import type { World } from '../world.ts';
import { openFolders, openProjects } from './projects.ts';
import { markersNow, overlaysBySession } from './session-markers.ts';

/** A session with the project it belongs to. Its markers are those that count now, overlays applied. */
export type SessionRow = Omit<SessionRecord, 'keepitMarkers'> & {
  keepitMarkers: EffectiveMarker[];
  projectId: ProjectId;
  projectName: string;
  /** The folder that it ran in, one of the project's. */
  folder: string;
  sample?: true;
};

export type SessionList = Page<SessionRow> & {
  /** All that fit the request, on this page or not. */
  total: number;
  /** The ids of every session there is, so that a short one can be shown unique. */
  ids: string[];
};

export type SessionsRequest = PageRequest & {
  project?: string;
  /** Those that were unregistered, too. */
  unregistered?: boolean;
};

/** Sessions of all projects or of one, newest first. */
export async function listSessions(world: World, request: SessionsRequest = {}): Promise<SessionList> {
  const rows = await allSessions(world, request.project);
  const wanted = rows.filter((row) => row.registered || request.unregistered);
  return { ...page(wanted, keyOf, request), total: wanted.length, ids: rows.map((row) => row.sessionId) };
}

export async function allSessions(world: World, project?: string): Promise<SessionRow[]> {
  const names = await repositoryNames(world);
  const manifests = project === undefined ? await openProjects(world) : await openFolders(world, project);
  return manifests.flatMap((manifest) => {
    const name = names.get(manifest.projectId) ?? manifest.displayName;
    return name === manifest.displayName
      ? rowsOf(manifest)
      : rowsOf(manifest).map((row) => ({ ...row, projectName: name }));
  });
}

/** For manifests that cannot change: a long-running process asks for the same rows again and again. */
const known = new WeakMap<Manifest, readonly SessionRow[]>();

export function rowsOf(manifest: Manifest): SessionRow[] {
  if (!Object.isFrozen(manifest)) return makeRows(manifest);
  const rows = known.get(manifest) ?? makeRows(manifest).map((row) => Object.freeze(row));
  known.set(manifest, rows);
  return [...rows];
}

/** The row of a record that did not change, and what else it was made of. */
const rowOf = new WeakMap<
  SessionRecord,
  { row: SessionRow; overlays: Manifest['overlays']; about: string }
>();

function makeRows(manifest: Manifest): SessionRow[] {
  const { projectId, displayName, originalPath, sample, overlays } = manifest;
  const bySession = overlaysBySession(manifest);
  const about = JSON.stringify([projectId, displayName, originalPath, sample]);
  return Object.values(manifest.sessions).map((session) => {
    const before = rowOf.get(session);
    if (before && before.overlays === overlays && before.about === about) return before.row;
    const row: SessionRow = {
      ...{ projectId, projectName: displayName, folder: originalPath },
      ...(sample ? { sample: true } : {}),
      ...session,
      keepitMarkers: markersNow(session, bySession.get(session.sessionId)),
    };
    if (Object.isFrozen(session) && Object.isFrozen(overlays)) rowOf.set(session, { row, overlays, about });
    return row;
  });
}

/** By the last message; ids keep two of one moment apart. */
function keyOf(row: SessionRow): string {
  return `${row.lastTimestamp}\u0000${row.projectId}\u0000${row.sessionId}`;
}
