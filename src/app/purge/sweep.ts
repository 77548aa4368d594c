import { isSessionId, type ProjectId, type SessionId } from '../../core/model/ids.ts';
import { injectionsFile } from '../../core/model/injection.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import { originalName } from '../find/session-ref.ts';
import { dropState } from '../intake/session-state.ts';
import { forgetPages } from '../journal/save.ts';
import { backupFolder } from '../keepit/backups.ts';
import { filesDerivedFrom } from '../layers/statements.ts';
import { answersFolder } from '../model/answers-folder.ts';
import { oneAtATime } from '../one-at-a-time.ts';
import { forgetInRun } from '../retention/record.ts';
import type { World } from '../world.ts';

/** Another process may be registering a purged session again: its copy exists before its record does. */
const SETTLED_MS = 10 * 60 * 1000;
const DECIDING = new Set(['purge', 'register', 'import']);
const REFINED = 'memory/sessions';

/** All files that are kept of a session, named in the manifest or not. */
export async function removeSessionFiles(
  world: World,
  project: ProjectId,
  session: SessionId,
  refined: string[],
): Promise<void> {
  const { originals, files } = world.archive;
  for (const name of await originals.list(project, session)) await originals.remove(project, name);
  await originals.remove(project, originalName(session));
  for (const l1 of refined) {
    await files.remove(project, l1);
    for (const file of filesDerivedFrom(l1)) await files.remove(project, file);
  }
  await files.remove(project, injectionsFile(session));
  await forgetPages(world, project, session);
  await dropState(world, { project, session });
  for (const folder of [`summaries/${session}`, backupFolder(session)]) {
    for (const name of await files.list(project, folder)) await files.remove(project, `${folder}/${name}`);
  }
  await removeAsides(world, project, session);
}

/** What decay keeps to undo, and what models answered: both hold a session's words. */
export async function removeAsides(world: World, project: ProjectId, session: SessionId): Promise<void> {
  const { files } = world.archive;
  await forgetInRun(world, project, session);
  for (const folder of [answersFolder(project, session), answersFolder(project)]) {
    for (const name of await files.list(undefined, folder))
      await files.remove(undefined, `${folder}/${name}`);
  }
}

/** A sync that ran during a purge leaves what it was just writing: `ours` are the sessions that this run archived. */
export async function sweepPurged(
  world: World,
  manifest: Manifest,
  ours: ReadonlySet<string>,
): Promise<void> {
  const tombstones = manifest.tombstones.filter(({ kind }) => kind === 'session');
  const purged = new Set(tombstones.map((tombstone) => tombstone.id));
  for (const id of Object.keys(manifest.sessions)) purged.delete(id);
  if (purged.size === 0) return;
  const project = manifest.projectId;
  const { originals, files } = world.archive;
  const copies = new Set(
    (await originals.list(project)).map((name) => name.split('/')[0]!.replace(/\.jsonl$/, '')),
  );
  const named = new Set(
    Object.values(manifest.sessions).flatMap(({ l1 }) => [l1.file, ...filesDerivedFrom(l1.file)]),
  );
  const refined = (await files.list(project, REFINED)).map((name) => `${REFINED}/${name}`);
  const states = new Set(await files.list(undefined, `ingest/${project}`));
  let last: Map<string, string> | undefined;
  // Registered after the purge, it lost its record some other way: then its copy is all there is.
  const isLastPurged = async (session: string) => {
    last ??= await lastDecisions(world, project);
    return last.get(session) === 'purge';
  };
  for (const session of purged) {
    if (!isSessionId(session)) continue;
    const ends = [session, session.slice(0, 8)].flatMap((id) => [
      `_${id}.l1.jsonl`,
      ...filesDerivedFrom(`_${id}.l1.jsonl`),
    ]);
    const left = refined.filter((file) => !named.has(file) && ends.some((end) => file.endsWith(end)));
    if (!copies.has(session) && !states.has(`${session}.json`) && left.length === 0) continue;
    if (ours.has(session) || ((await isSettled(world, project, session)) && (await isLastPurged(session))))
      await removeUnrecorded(world, project, session, left);
  }
}

/** Only while nobody brings a purged session back, who has its copy before its record. */
async function removeUnrecorded(
  world: World,
  project: ProjectId,
  session: SessionId,
  refined: string[],
): Promise<void> {
  const remove = async () => {
    const now = (await world.archive.open(project))?.manifest;
    if (now && !Object.hasOwn(now.sessions, session))
      await removeSessionFiles(world, project, session, refined);
  };
  await oneAtATime(world, remove);
}

/** What was decided last of each session, by the history: purged or taken in. */
export async function lastDecisions(world: World, project: ProjectId): Promise<Map<string, string>> {
  const events = (await world.archive.history(project)).filter(({ action }) => DECIDING.has(action));
  return new Map(events.map(({ sessionId = '', action }) => [sessionId, action]));
}

async function isSettled(world: World, project: ProjectId, session: SessionId): Promise<boolean> {
  const copy = await world.transcripts.inspect(world.archive.originals.path(project, originalName(session)));
  return !copy || copy === 'folder' || copy.mtimeMs < world.clock.millis() - SETTLED_MS;
}
