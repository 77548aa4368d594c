import { openProjects } from '../find/projects.ts';
import { findSession } from '../find/session.ts';
import type { SessionRow } from '../find/sessions.ts';
import type { World } from '../world.ts';
import { exportsOf, findTexts, outsideOf, type PurgePlace, placesOf } from './places.ts';
import { compositionsWith, purgeSession } from './session.ts';
import { type FoundText, messageTombstone, textTombstone, wipedTexts } from './target.ts';
import { type PurgeLeft, purgeTexts } from './text.ts';

export type PurgeTarget =
  | { kind: 'session'; session: string; project?: string }
  | { kind: 'message'; message: string }
  | { kind: 'text'; text: string }
  | { kind: 'secret'; text: string };

/** What a purge would take, and what it would not. */
export type PurgePlan = {
  kind: PurgeTarget['kind'];
  /** The session's or the message's id; of a text nothing is shown. */
  id: string | null;
  places: PurgePlace[];
  /** Compositions that go whole. */
  compositions: string[];
  /** Not the archive's: left as they are, and reported. */
  outside: { path: string; kind: 'transcript' | 'instructions' | 'export' }[];
  looked: { files: number; bytes: number };
};

export type Purged = PurgePlan & {
  /** Sessions that were refined anew, and versions made again without it. */
  sessions: { projectId: string; sessionId: string }[];
  versionsMade: number;
  /** Where it is still: empty, or the purge failed. */
  left: PurgeLeft[];
};

/** A plan with all that carrying it out needs. */
export type ReadyPurge = { plan: PurgePlan; carryOut: () => Promise<Purged> };

/** Looks what a purge would take. Nothing is changed before `carryOut`, which goes on to its end. */
export async function preparePurge(
  world: World,
  target: PurgeTarget,
  signal?: AbortSignal,
): Promise<ReadyPurge> {
  if (target.kind === 'session') {
    const { row } = await findSession(world, target.session, target.project);
    return sessionPurge(world, row);
  }
  const manifests = await openProjects(world);
  if (target.kind === 'message') {
    const found = await messageTombstone(world, manifests, target.message);
    return textPurge(world, { kind: target.kind, id: found.message ?? null }, found, signal);
  }
  const wanted = target.kind === 'secret' ? { secret: target.text } : { text: target.text };
  return textPurge(
    world,
    { kind: target.kind, id: null },
    await textTombstone(world, manifests, wanted),
    signal,
  );
}

async function textPurge(
  world: World,
  { kind, id }: Pick<PurgePlan, 'kind' | 'id'>,
  target: FoundText,
  signal: AbortSignal | undefined,
): Promise<ReadyPurge> {
  const manifests = await openProjects(world);
  const texts = wipedTexts(target);
  const found = await findTexts(world, manifests, texts, signal);
  const plan: PurgePlan = {
    kind,
    id,
    places: placesOf(world, found),
    compositions: [],
    outside: await outsideOf(world, manifests, texts, found),
    looked: found.looked,
  };
  return {
    plan,
    carryOut: async () => {
      const { sessions, versionsMade, looked, left } = await purgeTexts(world, target, found);
      return { ...plan, sessions, versionsMade, looked, left };
    },
  };
}

async function sessionPurge(world: World, row: SessionRow): Promise<ReadyPurge> {
  const manifests = await openProjects(world);
  const versions = row.compressions.length;
  const plan: PurgePlan = {
    kind: 'session',
    id: row.sessionId,
    places: [
      { kind: 'originals', files: 1 + row.metadata.subSessions.length, matches: 1 },
      { kind: 'layers', files: row.l1.file === '' ? 0 : 2, matches: row.l1.lines },
      ...(versions > 0 ? [{ kind: 'versions', files: 2 * versions, matches: versions }] : []),
    ],
    compositions: (await compositionsWith(world, row)).map(({ name }) => name),
    outside: [
      ...(await transcriptOf(world, row)),
      ...(await exportsOf(world, manifests, row.sessionId)).map((path) => ({
        path,
        kind: 'export' as const,
      })),
    ],
    looked: { files: 0, bytes: 0 },
  };
  return {
    plan,
    carryOut: async () => {
      const { places, looked, left, compositions } = await purgeSession(world, row);
      const sessions = [{ projectId: row.projectId, sessionId: row.sessionId }];
      return {
        ...plan,
        places: [...plan.places, ...places],
        compositions,
        looked,
        left,
        sessions,
        versionsMade: 0,
      };
    },
  };
}

async function transcriptOf(world: World, row: SessionRow): Promise<PurgePlan['outside']> {
  const there = await world.transcripts.inspect(row.originalFile);
  return there && there !== 'folder' ? [{ path: row.originalFile, kind: 'transcript' }] : [];
}
