import {
  type DecayAt,
  decayLevelOf,
  judgeKeepit,
  type KeepitMode,
  type KeepitVerdict,
  thresholdIn,
} from '../../core/keepit/decay.ts';
import type { EffectiveMarker } from '../../core/keepit/overlays.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import { sessionTitle } from '../../core/model/session-title.ts';
import type { Aggressiveness, Decay } from '../../core/model/version.ts';
import { openFolders } from '../find/projects.ts';
import { findSession } from '../find/session.ts';
import { projectDistance, projectDistances } from '../find/session-distance.ts';
import { rowsOf, type SessionRow } from '../find/sessions.ts';
import { type Page, type PageRequest, pageInOrder } from '../page.ts';
import type { World } from '../world.ts';

export type DecayRequest = {
  ratio: number;
  aggressiveness?: Aggressiveness;
  /** Without it: the session's own. */
  distance?: number;
  mode?: KeepitMode;
};

export type PreviewedMarker = {
  markerId: string;
  weight: number;
  survives: boolean;
  verdict: KeepitVerdict;
  why: string;
  content: string;
  held: boolean;
};

/** What a compression at these settings would keep of a session. */
export type DecayPreview = { markers: PreviewedMarker[]; threshold: number };

export type ProjectPreview = DecayPreview & { sessionId: string; sessionDistance: number; title: string };

/** The distances and ratios of the overview. */
export const DISTANCES = [1, 5, 10];
export const RATIOS = [5, 10, 15, 30, 50];

export type DecayMatrix = {
  distances: number[];
  ratios: number[];
  /** By distance, then by ratio. */
  thresholds: number[][];
  markers: (Omit<PreviewedMarker, 'survives' | 'verdict' | 'why'> & {
    sessionId: string;
    verdicts: KeepitVerdict[][];
  })[];
};

type Settings = { decay: Decay; mode: KeepitMode };

export async function previewSession(
  world: World,
  id: string,
  request: DecayRequest & { project?: string },
): Promise<DecayPreview & { sessionDistance: number }> {
  const { manifest, row } = await sessionOf(world, id, request.project);
  const settings = await settingsOf(world, manifest, request.mode);
  const distance = request.distance ?? (await projectDistance(world, manifest, row.sessionId));
  return { ...preview(row.keepitMarkers, request, distance, settings), sessionDistance: distance };
}

/** Every session of a project that has markers, the nearest first, each at its own distance. */
export async function previewProject(
  world: World,
  project: string,
  request: DecayRequest & PageRequest,
): Promise<Page<ProjectPreview>> {
  const { manifest, rows } = await projectOf(world, project);
  const settings = await settingsOf(world, manifest, request.mode);
  const distances = await projectDistances(world, manifest);
  const items = rows
    .map((row) => {
      const distance = request.distance ?? distances.get(row.sessionId) ?? 1;
      const { sessionId } = row;
      const of = preview(row.keepitMarkers, request, distance, settings);
      return { sessionId, sessionDistance: distance, title: sessionTitle(row) ?? '', ...of };
    })
    .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  return pageInOrder(items, keyOf, request);
}

/** Every marker at several distances and ratios: where each begins to fade. */
export async function previewMatrix(
  world: World,
  of: { session?: string; project?: string },
  request: Omit<DecayRequest, 'ratio'>,
): Promise<DecayMatrix> {
  const { manifest, rows } =
    of.session === undefined
      ? await projectOf(world, of.project ?? '')
      : await sessionOf(world, of.session, of.project).then((it) => ({ ...it, rows: [it.row] }));
  const { decay, mode } = await settingsOf(world, manifest, request.mode);
  const distances = request.distance === undefined ? DISTANCES : [request.distance];
  const grid = distances.map((distance) =>
    RATIOS.map(
      (ratio): DecayAt => ({ ratio, distance, base: decayLevelOf(request.aggressiveness, ratio), decay }),
    ),
  );
  const judge = (marker: EffectiveMarker) =>
    grid.map((line) => line.map((at) => judgeKeepit(marker, at, mode).verdict));
  return {
    distances,
    ratios: RATIOS,
    thresholds: grid.map((line) => line.map((at) => thresholdIn(mode, at) / 10_000)),
    markers: rows.flatMap(({ sessionId, keepitMarkers }) =>
      keepitMarkers.map((marker) => {
        const { markerId, weight, content, held } = marker;
        return { sessionId, markerId, weight, content, held, verdicts: judge(marker) };
      }),
    ),
  };
}

function preview(
  markers: EffectiveMarker[],
  { ratio, aggressiveness }: DecayRequest,
  distance: number,
  { decay, mode }: Settings,
): DecayPreview {
  const at: DecayAt = { ratio, distance, base: decayLevelOf(aggressiveness, ratio), decay };
  return {
    markers: markers.map((marker) => {
      const { markerId, weight, content, held } = marker;
      const { survives, verdict, why } = judgeKeepit(marker, at, mode);
      return { markerId, weight, survives, verdict, why, content, held };
    }),
    threshold: thresholdIn(mode, at) / 10_000,
  };
}

async function settingsOf(world: World, manifest: Manifest, mode?: KeepitMode): Promise<Settings> {
  const { config } = await world.settings.resolve(manifest.settings);
  const usual = config.defaults.keepitDecayEnabled ? 'decay' : 'preserve-all';
  return { decay: config.keepitDecay, mode: mode ?? usual };
}

async function sessionOf(
  world: World,
  id: string,
  project: string | undefined,
): Promise<{ manifest: Manifest; row: SessionRow }> {
  const { projectId, row } = await findSession(world, id, project);
  return { manifest: (await world.archive.open(projectId))!.manifest, row };
}

async function projectOf(world: World, project: string): Promise<{ manifest: Manifest; rows: SessionRow[] }> {
  const manifests = await openFolders(world, project);
  const rows = manifests
    .flatMap((manifest) => rowsOf(manifest))
    .filter((row) => row.registered && row.keepitMarkers.length > 0);
  return { manifest: manifests[0]!, rows };
}

function keyOf(it: { sessionDistance: number; sessionId: string }): string {
  return `${String(it.sessionDistance).padStart(9, '0')} ${it.sessionId}`;
}
