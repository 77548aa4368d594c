import { z } from 'zod';
import { sessionIdSchema } from '../../core/model/id-schemas.ts';
import { isSessionId, type ProjectId, type SessionId } from '../../core/model/ids.ts';
import { purgeMarkSchema, tombstoneSchema } from '../../core/model/manifest.ts';
import { readStored, type StoredKind } from '../read-stored.ts';
import type { World } from '../world.ts';

/** Records in a project's folder that a purge is running and what is left to do: the next sync finishes it. */
const OPEN = 'purge/open.json';
const LEAVING = 'purge/leaving';

const textsSchema = z.array(z.object({ salt: z.string(), marks: z.array(purgeMarkSchema) }));
const openSchema = z.object({
  /** Their copies may be clean already, and what was made from them not. */
  sessions: z.array(sessionIdSchema).default([]),
  /** Every project gets them. */
  stones: z.array(tombstoneSchema).default([]),
  /** Searched only in what quotes sessions. */
  excerpts: textsSchema.default([]),
});
export type OpenPurge = z.infer<typeof openSchema>;

const leavingSchema = z.object({
  refined: z.array(z.string()),
  words: textsSchema,
  /** When it was purged, here or on another machine: finished later, it is the same purge. */
  at: z.string().optional(),
  /** How many purges of it the record had before this one. */
  known: z.number().optional(),
});
/** What is known of a session that goes whole: once its files are gone, nobody would know its words any more. */
export type Leaving = z.infer<typeof leavingSchema>;

export const OPEN_PURGE: StoredKind<OpenPurge> = {
  schema: openSchema,
  damaged: 'A purge was interrupted and may be incomplete. Run the same `keepsake purge` command again.',
};
export const LEAVING_SESSION: StoredKind<Leaving> = {
  schema: leavingSchema,
  damaged:
    'The session is deleted, but its text may remain in memory built from it. Search for it with `keepsake purge --text`.',
};

/** Undefined where no purge is open. One that can't be read is open anyway. */
export async function readOpen(world: World, project: ProjectId): Promise<OpenPurge | undefined> {
  const { state, value } = await readStored(world, project, OPEN, OPEN_PURGE);
  return state === 'missing' ? undefined : (value ?? openSchema.parse({}));
}

/** Adds to what is open: a purge that was cut off before is finished along with this one. */
export async function addToOpen(world: World, project: ProjectId, more: Partial<OpenPurge>): Promise<void> {
  await world.archive.exclusive(async () => {
    const { sessions = [], stones: tombstones = [], excerpts = [] } = (await readOpen(world, project)) ?? {};
    const all: OpenPurge = {
      sessions: [...new Set([...sessions, ...(more.sessions ?? [])])],
      stones: [
        ...new Map(
          [...tombstones, ...(more.stones ?? [])].map((tombstone) => [tombstone.id, tombstone]),
        ).values(),
      ],
      excerpts: [...excerpts, ...(more.excerpts ?? [])],
    };
    await write(world, project, all);
  });
}

/** Takes out what is done. What someone else opened meanwhile stays open, with the sessions that it may be in. */
export async function closePurge(world: World, project: ProjectId, done: OpenPurge[]): Promise<void> {
  const stones = new Set(done.flatMap((it) => it.stones.map(({ id }) => id)));
  const salts = new Set(done.flatMap((it) => it.excerpts.map(({ salt }) => salt)));
  await world.archive.exclusive(async () => {
    const now = await readOpen(world, project);
    const left = now?.stones.filter(({ id }) => !stones.has(id)) ?? [];
    const excerpts = now?.excerpts.filter(({ salt }) => !salts.has(salt)) ?? [];
    if (now && left.length + excerpts.length > 0)
      await write(world, project, { ...now, stones: left, excerpts });
    else await world.archive.files.remove(project, OPEN);
  });
}

async function write(world: World, project: ProjectId, open: OpenPurge): Promise<void> {
  await world.archive.files.write(project, OPEN, `${JSON.stringify(open)}\n`);
}

export async function writeLeaving(
  world: World,
  project: ProjectId,
  session: SessionId,
  leaving: Leaving,
): Promise<void> {
  await world.archive.files.write(project, `${LEAVING}/${session}.json`, `${JSON.stringify(leaving)}\n`);
}

export async function readLeaving(world: World, project: ProjectId): Promise<Map<SessionId, Leaving>> {
  const all = new Map<SessionId, Leaving>();
  for (const name of await world.archive.files.list(project, LEAVING)) {
    const session = name.replace(/\.json$/, '');
    if (!name.endsWith('.json') || !isSessionId(session)) continue;
    const { state, value } = await readStored(world, project, `${LEAVING}/${name}`, LEAVING_SESSION);
    if (state !== 'missing') all.set(session, value ?? { refined: [], words: [] });
  }
  return all;
}

export async function removeLeaving(world: World, project: ProjectId, session: SessionId): Promise<void> {
  await world.archive.files.remove(project, `${LEAVING}/${session}.json`);
}

/** Projects with a purge that was cut off. */
export async function unfinishedPurges(world: World): Promise<ProjectId[]> {
  const unfinished: ProjectId[] = [];
  for (const project of await world.archive.projects())
    if ((await readOpen(world, project)) || (await readLeaving(world, project)).size > 0)
      unfinished.push(project);
  return unfinished;
}
