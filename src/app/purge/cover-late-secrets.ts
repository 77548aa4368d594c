import { z } from 'zod';
import { isSessionId, type ProjectId, type SessionId } from '../../core/model/ids.ts';
import { type Manifest, purgeMarkSchema } from '../../core/model/manifest.ts';
import { type PurgedText, PurgeMask } from '../../core/model/purge-mask.ts';
import { openProjects } from '../find/projects.ts';
import { LATE_SECRETS } from '../intake/session-secrets.ts';
import { readStored, type StoredKind } from '../read-stored.ts';
import type { World } from '../world.ts';
import { excerptPlaces } from './places.ts';
import { cleanRecord, rehashCompositions } from './records.ts';
import { remakeVersions } from './sessions.ts';

/** Where a session's words are besides its copy and what a sync rebuilds. */
const MADE = ['summaries', 'decay', 'rolling'];

/**
 * A value was recognized as a secret after versions, compositions, memory.md or pages were made from its session: versions are
 * rebuilt, and elsewhere it is overwritten. Returns the number of sessions.
 */
export async function coverLateSecrets(world: World): Promise<number> {
  let covered = 0;
  for (const manifest of await openProjects(world)) {
    const project = manifest.projectId;
    const { texts, sessions, notes } = await lateSecrets(world, project);
    if (notes.length === 0) continue;
    await coverIn(world, manifest, texts);
    for (const session of sessions)
      if (Object.hasOwn(manifest.sessions, session)) await remakeVersions(world, { project, session });
    for (const note of notes) await world.archive.files.remove(project, note);
    covered += sessions.size;
  }
  return covered;
}

async function coverIn(world: World, manifest: Manifest, texts: PurgedText[]): Promise<void> {
  const { archive } = world;
  const project = manifest.projectId;
  const only = [...(await excerptPlaces(world, [manifest])), ...(await madeFiles(world, project))];
  await cleanRecord(world, project, new PurgeMask(texts));
  await archive.wipe(texts, { overwrite: true, only });
  const now = (await archive.open(project))?.manifest;
  if (now) await rehashCompositions(world, now);
  await archive.fold(project, { forget: true });
}

async function madeFiles(world: World, project: ProjectId): Promise<string[]> {
  const { files } = world.archive;
  const names = await Promise.all(
    MADE.map(async (folder) => (await files.list(project, folder)).map((name) => `${folder}/${name}`)),
  );
  return names.flat().map((name) => files.path(project, name));
}

type Late = { texts: PurgedText[]; sessions: Set<SessionId>; notes: string[] };

async function lateSecrets(world: World, project: ProjectId): Promise<Late> {
  const late: Late = { texts: [], sessions: new Set(), notes: [] };
  for (const name of await world.archive.files.list(project, LATE_SECRETS)) {
    const [session = ''] = name.split('/');
    if (!isSessionId(session)) continue;
    const note = `${LATE_SECRETS}/${name}`;
    const { value } = await readStored(world, project, note, LATE_SECRET);
    if (value) late.texts.push(value);
    late.sessions.add(session);
    late.notes.push(note);
  }
  return late;
}

export const LATE_SECRET: StoredKind<PurgedText> = {
  schema: z.object({ salt: z.string(), marks: z.array(purgeMarkSchema) }),
  damaged:
    'A secret may remain in compositions, memory.md or journal pages. Remove it with `keepsake purge --secret`.',
};
