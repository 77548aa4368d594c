import { sessionTitle } from '../../core/model/session-title.ts';
import { streamBase } from '../../core/model/stream-id.ts';
import { openProjects } from '../find/projects.ts';
import { findSession } from '../find/session.ts';
import { rowsOf, type SessionRow } from '../find/sessions.ts';
import { projectsOf } from '../repository/repositories.ts';
import type { World } from '../world.ts';
import { foundIn, type PurgeFind } from './found-in.ts';
import { exportsOf, findTexts, outsideOf, type PurgePlace, type PurgeSearch, placesOf } from './places.ts';
import { compositionsWith, purgeStreamsOf } from './session.ts';
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
  /** The same by session, composition or project, most matches first; empty once it is purged. */
  found: PurgeFind[];
  /** Compositions that go whole. */
  compositions: string[];
  /** Not the archive's: left as they are, and reported. */
  outside: { path: string; kind: 'transcript' | 'instructions' | 'export' }[];
  looked: { files: number; bytes: number };
};

export type Purged = PurgePlan & {
  /** Sessions that were refined again, and versions rebuilt without it. */
  sessions: { projectId: string; sessionId: string }[];
  versionsMade: number;
  /** Where it is still: empty, or the purge failed. */
  left: PurgeLeft[];
};

/** A plan with all that carrying it out needs. */
export type ReadyPurge = { plan: PurgePlan; carryOut: () => Promise<Purged> };

/** Plans a purge. Nothing is changed before `carryOut`, which runs to its end. */
export async function preparePurge(
  world: World,
  target: PurgeTarget,
  look?: PurgeSearch,
): Promise<ReadyPurge> {
  if (target.kind === 'session') {
    const { row } = await findSession(world, target.session, target.project);
    return sessionPurge(world, row);
  }
  const manifests = await openProjects(world);
  if (target.kind === 'message') {
    const found = await messageTombstone(world, manifests, target.message);
    return textPurge(world, { kind: target.kind, id: found.message ?? null }, found, look);
  }
  const wanted = target.kind === 'secret' ? { secret: target.text } : { text: target.text };
  return textPurge(
    world,
    { kind: target.kind, id: null },
    await textTombstone(world, manifests, wanted),
    look,
  );
}

async function textPurge(
  world: World,
  { kind, id }: Pick<PurgePlan, 'kind' | 'id'>,
  target: FoundText,
  look: PurgeSearch | undefined,
): Promise<ReadyPurge> {
  const manifests = await openProjects(world);
  const texts = wipedTexts(target);
  const found = await findTexts(world, manifests, texts, look);
  const plan: PurgePlan = {
    kind,
    id,
    places: placesOf(world, found),
    found: foundIn(world, manifests, found),
    compositions: [],
    outside: await outsideOf(world, manifests, { texts, found, look }),
    looked: found.looked,
  };
  return {
    plan,
    carryOut: async () => {
      const { sessions, versionsMade, looked, left } = await purgeTexts(world, target, found);
      // Titles may hold what was purged.
      return { ...plan, found: [], sessions, versionsMade, looked, left };
    },
  };
}

/** A session that continued elsewhere is in several streams, and maybe in several folders of its repository: all of them are deleted. */
async function sessionPurge(world: World, row: SessionRow): Promise<ReadyPurge> {
  const manifests = await openProjects(world);
  const rows = await streamsWith(world, row);
  const sum = (count: (it: SessionRow) => number) => rows.reduce((all, it) => all + count(it), 0);
  const versions = sum((it) => it.compressions.length);
  const outside: PurgePlan['outside'] = [];
  for (const it of rows) outside.push(...(await transcriptOf(world, it)));
  for (const id of new Set(rows.map(({ sessionId }) => sessionId)))
    for (const path of await exportsOf(world, manifests, id)) outside.push({ path, kind: 'export' });
  const compositions = new Set<string>();
  for (const it of rows) for (const { name } of await compositionsWith(world, it)) compositions.add(name);
  const plan: PurgePlan = {
    kind: 'session',
    id: row.sessionId,
    places: [
      { kind: 'originals', files: sum((it) => 1 + it.metadata.subSessions.length), matches: rows.length },
      { kind: 'layers', files: sum((it) => (it.l1.file === '' ? 0 : 2)), matches: sum((it) => it.l1.lines) },
      ...(versions > 0 ? [{ kind: 'versions', files: 2 * versions, matches: versions }] : []),
    ],
    found: rows.map((it) => ({
      kind: 'originals',
      projectId: it.projectId,
      sessionId: it.sessionId,
      title: sessionTitle(it)?.trim() || it.sessionId.slice(0, 8),
      matches: it.l1.lines,
    })),
    compositions: [...compositions],
    outside,
    looked: { files: 0, bytes: 0 },
  };
  return {
    plan,
    carryOut: async () => {
      const done: Purged = {
        ...plan,
        found: [],
        places: [...plan.places],
        left: [],
        sessions: [],
        versionsMade: 0,
      };
      const gone = new Set<string>();
      // Other machines may call its streams otherwise: by its time they see that this is one purge.
      const at = world.clock.now();
      for (const { places, looked, left, compositions: dropped } of await purgeStreamsOf(world, rows, at)) {
        done.places.push(...places);
        done.left.push(...left);
        done.looked = looked;
        for (const name of dropped) gone.add(name);
      }
      for (const { projectId, sessionId } of rows) done.sessions.push({ projectId, sessionId });
      return { ...done, compositions: [...gone] };
    },
  };
}

/** The session itself first. */
async function streamsWith(world: World, row: SessionRow): Promise<SessionRow[]> {
  const folders = new Set(await projectsOf(world, row.projectId));
  const all = (await openProjects(world)).filter(({ projectId }) => folders.has(projectId)).flatMap(rowsOf);
  const isOther = (it: SessionRow) => it.projectId !== row.projectId || it.sessionId !== row.sessionId;
  const base = streamBase(row.sessionId);
  return [row, ...all.filter((it) => streamBase(it.sessionId) === base && isOther(it))];
}

async function transcriptOf(world: World, row: SessionRow): Promise<PurgePlan['outside']> {
  const there = await world.transcripts.inspect(row.originalFile);
  return there && there !== 'folder' ? [{ path: row.originalFile, kind: 'transcript' }] : [];
}
