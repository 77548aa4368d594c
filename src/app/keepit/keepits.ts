import { detectedMarkers, type EffectiveMarker, removedMarkers } from '../../core/keepit/overlays.ts';
import { presetOf, type WeightPreset } from '../../core/keepit/weight.ts';
import { Fault } from '../../core/model/fault.ts';
import type { ProjectId, SessionId } from '../../core/model/ids.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import type { Via } from '../../core/model/via.ts';
import { type MissedMarker, missedIn } from '../find/missed-markers.ts';
import { openFolders, openProjects } from '../find/projects.ts';
import { findSession } from '../find/session.ts';
import { overlaysBySession } from '../find/session-markers.ts';
import { rowsOf, type SessionRow } from '../find/sessions.ts';
import { type Page, type PageRequest, page } from '../page.ts';
import { repositoryNames } from '../repository/repositories.ts';
import type { World } from '../world.ts';

/** A marker with the session it is in. */
export type KeepitRow = EffectiveMarker & {
  preset: WeightPreset;
  projectId: ProjectId;
  projectName: string;
  sessionId: SessionId;
  /** Whose session it is in: `me`, or a name; markers of others wait for this user's confirmation. */
  by: string;
  via: Via;
  /** Taken out by the user; a new weight brings it back. */
  removed?: true;
};

export type KeepitsRequest = PageRequest & {
  session?: string;
  project?: string;
  least?: number;
  most?: number;
  preset?: WeightPreset;
  origin?: 'user' | 'assistant';
  held?: boolean;
  added?: boolean;
  /** Only those that were removed. */
  removed?: boolean;
};

export type KeepitList = Page<KeepitRow> & {
  total: number;
  /** Texts that were meant as markers and are none, the newest session's first. */
  missed: MissedMarker[];
  /** The ids of every marker there is, so that a short one can be shown unique. */
  ids: string[];
};

/** The keepits of a session, a project or all projects, heaviest first. */
export async function listKeepits(world: World, request: KeepitsRequest = {}): Promise<KeepitList> {
  const all = await manifests(world, request.session ? undefined : request.project);
  const names = await repositoryNames(world);
  const everywhere = keepitsOf(all).map((it) => ({
    ...it,
    projectName: names.get(it.projectId) ?? it.projectName,
  }));
  const ids = everywhere.map((it) => it.markerId);
  let rows = everywhere;
  let missed = missedIn(sessionsOf(all));
  if (request.session !== undefined) {
    const { row } = await findSession(world, request.session, request.project);
    rows = rows.filter((it) => it.sessionId === row.sessionId && it.projectId === row.projectId);
    missed = missedIn([row]);
  } else {
    rows = rows.filter((it) => it.registered);
  }
  const wanted = rows.filter((it) => isWanted(it, request)).map(({ registered: _, ...row }) => row);
  const keyOf = request.session === undefined ? newestFirst : inTextOrder;
  return { ...page(wanted, keyOf, request), total: wanted.length, missed, ids };
}

/** The marker that an id or its unique beginning means, removed or not, and what is recorded of its project. */
export async function findKeepit(
  world: World,
  id: string,
  project?: string,
): Promise<{ keepit: KeepitRow; row: SessionRow; manifest: Manifest }> {
  const wanted = id
    .trim()
    .toLowerCase()
    .replace(/^(k_)?/, 'k_');
  const found: { keepit: KeepitRow; manifest: Manifest }[] = [];
  if (/^k_[0-9a-f]+$/.test(wanted)) {
    for (const manifest of await manifests(world, project)) {
      const fitting = keepitsOf([manifest]).filter((it) => it.markerId.startsWith(wanted));
      found.push(...fitting.map(({ registered: _, ...keepit }) => ({ keepit, manifest })));
    }
  }
  const exact = found.filter(({ keepit }) => keepit.markerId === wanted);
  const chosen = exact.length > 0 ? exact : found;
  const [first] = chosen;
  if (!first) throw notFound(id);
  if (chosen.length > 1) throw ambiguous(id, chosen);
  const row = rowsOf(first.manifest).find((it) => it.sessionId === first.keepit.sessionId);
  if (!row) throw notFound(id);
  return { ...first, row };
}

function sessionsOf(all: Manifest[]): SessionRow[] {
  const newest = (a: SessionRow, b: SessionRow) => (a.lastTimestamp < b.lastTimestamp ? 1 : -1);
  return all
    .flatMap(rowsOf)
    .filter(({ registered }) => registered)
    .sort(newest);
}

async function manifests(world: World, project: string | undefined): Promise<Manifest[]> {
  if (project === undefined) return openProjects(world);
  return openFolders(world, project);
}

function keepitsOf(all: Manifest[]): (KeepitRow & { registered: boolean })[] {
  return all.flatMap((manifest) => {
    const overlays = overlaysBySession(manifest);
    return rowsOf(manifest).flatMap(
      ({ by, projectId, projectName, sessionId, registered, keepitMarkers }) => {
        const of = (marker: EffectiveMarker) => ({
          ...marker,
          preset: presetOf(marker.weight),
          projectId,
          projectName,
          sessionId,
          registered,
          by: by ?? 'me',
          via: viaOf(marker, by),
        });
        const record = manifest.sessions[sessionId];
        const detected = record ? detectedMarkers(record) : [];
        const removed = removedMarkers(detected, overlays.get(sessionId) ?? []);
        return [...keepitMarkers.map(of), ...removed.map((it) => ({ ...of(it), removed: true as const }))];
      },
    );
  });
}

function viaOf({ origin, added }: EffectiveMarker, by: string | undefined): Via {
  if (added) return 'typed';
  if (by !== undefined) return 'import';
  return origin === 'user' ? 'typed' : 'agent';
}

function isWanted(it: KeepitRow, request: KeepitsRequest): boolean {
  return (
    (it.removed === true) === (request.removed === true) &&
    it.weight >= (request.least ?? 0) &&
    it.weight <= (request.most ?? 1) &&
    (request.preset === undefined || it.preset === request.preset) &&
    (request.origin === undefined || it.origin === request.origin) &&
    (request.held === undefined || it.held === request.held) &&
    (request.added === undefined || (it.added === true) === request.added)
  );
}

function newestFirst(it: KeepitRow): string {
  return [it.weight.toFixed(2), it.createdAt, it.projectId, it.sessionId, backwards(it)].join('\u0000');
}

function inTextOrder(it: KeepitRow): string {
  return [it.weight.toFixed(2), backwards(it)].join('\u0000');
}

/** Pages begin with the largest key: what is earlier must be larger. */
function backwards(it: KeepitRow): string {
  const place = (value: number) => String(Number.MAX_SAFE_INTEGER - value).padStart(16, '0');
  return `${place(it.src)}${place(it.position.start)}${it.markerId}`;
}

function notFound(id: string): Fault {
  return new Fault('not-found', `No keepit ${JSON.stringify(id.slice(0, 60))}.`, {
    hint: '`keepsake keepits` lists them, `keepsake keepits --removed` those that were removed.',
  });
}

function ambiguous(id: string, found: { keepit: KeepitRow }[]): Fault {
  const list = found
    .slice(0, 10)
    .map(
      ({ keepit }) =>
        `  ${keepit.markerId}  --project=${keepit.projectId}  ${keepit.content.slice(0, 50).replace(/\s+/g, ' ')}`,
    );
  const rest = found.length > list.length ? `\n  and ${found.length - list.length} more` : '';
  return new Fault('ambiguous', `${JSON.stringify(id.slice(0, 60))} matches ${found.length} keepits.`, {
    hint: `Choose one:\n${list.join('\n')}${rest}`,
    choices: found.map(({ keepit: { projectId, sessionId, markerId, content } }) => ({
      projectId,
      sessionId,
      id: markerId,
      name: content.slice(0, 200),
    })),
  });
}
