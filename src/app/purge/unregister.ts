import type { Change } from '../../core/model/change.ts';
import { Fault } from '../../core/model/fault.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import { sessionOfEdit } from '../../core/model/session-of-edit.ts';
import { streamBase } from '../../core/model/stream-id.ts';
import type { FoundTranscript } from '../../ports/transcripts.ts';
import { findProject } from '../find/project.ts';
import { openProjects } from '../find/projects.ts';
import { findSession } from '../find/session.ts';
import { rowsOf, type SessionRow } from '../find/sessions.ts';
import { findOfOthers } from '../intake/find-of-others.ts';
import { identifyReadable } from '../intake/identify-file.ts';
import { dropLayers } from '../layers/update.ts';
import { oneAtATime } from '../one-at-a-time.ts';
import { ifPossible } from '../or-fault.ts';
import { forgetInMemory } from '../rolling/forget.ts';
import type { World } from '../world.ts';
import { forgetTopics } from './forget-topics.ts';
import { removeSessionFiles } from './sweep.ts';

export type UnregisterTarget = { session?: string; project?: string };
export type UnregisterOptions = {
  purge?: boolean;
  force?: boolean;
  /** The whole project is meant, not only the sessions it still has. */
  project?: ProjectId;
  /** When another machine purged them: what is carried out here is the same purge. */
  at?: string | undefined;
};
export type Unregistered = {
  sessions: { projectId: string; sessionId: string }[];
  purged: boolean;
  /** Compositions that used them; only with `force`. */
  usedIn: string[];
  /** The project is gone from the archive, its name too. */
  projectRemoved: boolean;
};

/** The sessions that a request means: one, or all of a project. */
export async function whatToUnregister(world: World, target: UnregisterTarget): Promise<SessionRow[]> {
  if (target.session !== undefined) return [(await findSession(world, target.session, target.project)).row];
  if (target.project === undefined) {
    throw new Fault('usage', 'Missing session id, or --project.', {
      hint: '`keepsake sessions` lists them.',
    });
  }
  const opened = await world.archive.open(await findProject(world, target.project));
  return opened ? rowsOf(opened.manifest) : [];
}

/** Marks sessions as unregistered, so that sync leaves them out; with `purge` removes all that is kept of them. */
export async function unregister(
  world: World,
  rows: SessionRow[],
  options: UnregisterOptions = {},
): Promise<Unregistered> {
  const work = () => unregisterNow(world, rows, options);
  return options.purge ? oneAtATime(world, work) : work();
}

/** With `purge`, only while no other purge is at work. */
export async function unregisterNow(
  world: World,
  rows: SessionRow[],
  options: UnregisterOptions,
): Promise<Unregistered> {
  const usedIn = await usesOf(world, rows);
  if (usedIn.length > 0 && !options.force) {
    throw new Fault(
      'in-use',
      `Used in ${usedIn.length === 1 ? 'a composition' : 'compositions'}: ${usedIn.join(', ')}.`,
      {
        hint: 'Add --force to continue anyway; the compositions keep their text.',
      },
    );
  }
  // One time for all streams of a session: on other machines they are one purge.
  const at = options.at ?? world.clock.now();
  for (const row of rows) {
    if (options.purge) await purge(world, row, at);
    else if (row.registered) await mark(world, row);
  }
  if (options.purge) {
    for (const project of new Set(rows.map((row) => row.projectId))) {
      await forgetTopics(world, project);
      await world.archive.fold(project, { forget: true });
      await dropLayers(world, project);
    }
    // It contains the words of what was purged; the next search rebuilds it without them.
    await world.index.destroy();
  }
  const projectRemoved = options.purge === true && (await dropEmptied(world, options.project));
  const sessions = rows.map(({ projectId, sessionId }) => ({ projectId, sessionId }));
  return { sessions, purged: options.purge === true, usedIn, projectRemoved };
}

async function mark(world: World, row: SessionRow): Promise<void> {
  const at = world.clock.now();
  await world.archive.change(
    row.projectId,
    [{ at: ['sessions', row.sessionId], merge: { registered: false } }],
    [{ at, action: 'unregister', sessionId: row.sessionId, note: 'The archived copy is kept.' }],
  );
}

/** The manifest first: a crash after it leaves files that nothing names, never a name without its file. */
async function purge(world: World, row: SessionRow, at: string): Promise<void> {
  const projectId = row.projectId;
  const manifest = (await world.archive.open(projectId))?.manifest;
  const changes = purgeChanges(manifest, row.sessionId, at);
  await world.archive.change(projectId, changes, [{ at, action: 'purge', sessionId: row.sessionId }]);
  await removeSessionFiles(world, projectId, row.sessionId, row.l1.file === '' ? [] : [row.l1.file]);
  await forgetInMemory(world, projectId, row.sessionId);
}

/** A project's record without a session, and the tombstone that keeps it away. */
export function purgeChanges(manifest: Manifest | undefined, session: string, at: string): Change[] {
  return [
    { at: ['tombstones'], append: { kind: 'session', id: session, at } },
    { at: ['sessions', session], drop: true },
    { at: ['parts', session], drop: true },
    { at: ['fieldEdits'], without: { field: 'session', key: session } },
    ...[session, ...calledElsewhere(manifest, session)].flatMap((id): Change[] => [
      { at: ['overlays'], without: { sessionId: id } },
      { at: ['factEdits'], without: { from: id } },
    ]),
  ];
}

/** Streams that only keepits and facts of other machines name: what they quote may be this session under its name there. */
function calledElsewhere(manifest: Manifest | undefined, session: string): Set<string> {
  const base = streamBase(session);
  const held = new Set(Object.keys(manifest?.sessions ?? {}));
  const isAlone = session === base || ![...held].some((id) => id !== session && streamBase(id) === base);
  const named = [
    ...(manifest?.overlays ?? []).map(({ sessionId }) => sessionId),
    ...(manifest?.factEdits ?? []).map(sessionOfEdit),
  ];
  return new Set(isAlone ? named.filter((id) => streamBase(id) === base && !held.has(id)) : []);
}

/** Stays while something could bring its sessions or texts back: its tombstones are what keeps them away. */
async function dropEmptied(world: World, project: ProjectId | undefined): Promise<boolean> {
  const opened = project === undefined ? undefined : await world.archive.open(project);
  if (!project || !opened || opened.manifest.sample) return false;
  const { sessions, tombstones, settings } = opened.manifest;
  // It says whether new sessions are recorded, which a purge of the old ones does not undo.
  if ('record' in settings) return false;
  if (Object.keys(sessions).length > 0 || (await holdsLastTombstone(world, opened.manifest))) return false;
  if ((await agentHasOneOf(world, tombstones)) || (await hasRemote(world))) return false;
  await world.archive.removeProject(project);
  return true;
}

/** A purged text is masked in every project, as long as one of them remembers it. */
async function holdsLastTombstone(world: World, { projectId, tombstones }: Manifest): Promise<boolean> {
  const texts = tombstones.filter(({ kind }) => kind !== 'session');
  if (texts.length === 0) return false;
  const others = (await openProjects(world)).filter((it) => it.projectId !== projectId);
  const known = new Set(others.flatMap((it) => it.tombstones.map(({ id }) => id)));
  return texts.some(({ id }) => !known.has(id));
}

/** Other machines may have its sessions: they learn of the purge by its tombstones. */
async function hasRemote(world: World): Promise<boolean> {
  const names = (await (await world.remotes?.())?.files.list('')) ?? [];
  return names.some((name) => /^[^/]+\/remote\.json$/.test(name));
}

/** Recognized by the files' names and first lines, since half of them have other names. */
async function agentHasOneOf(world: World, gone: { id: string }[]): Promise<boolean> {
  const ids = new Set(gone.map((tombstone) => tombstone.id));
  const files: FoundTranscript[] = [];
  for (const folder of world.places.claudeProjects) files.push(...(await world.transcripts.find(folder, [])));
  files.push(...(await findOfOthers(world, [])));
  for (const file of files) {
    const staged = file.stage && (await ifPossible(file.stage(), world.log));
    const identity = await identifyReadable(world, staged?.path ?? file.path);
    await staged?.remove();
    if (identity && ids.has(identity.session)) return true;
  }
  return false;
}

/** Names of the compositions, in any project, that one of these sessions is a component of. */
async function usesOf(world: World, rows: SessionRow[]): Promise<string[]> {
  const ids = new Set(rows.map((row) => row.sessionId));
  const names: string[] = [];
  for (const manifest of await openProjects(world)) {
    for (const [name, composition] of Object.entries(manifest.compositions)) {
      if (composition.components.some((component) => ids.has(component.sessionId))) names.push(name);
    }
  }
  return names;
}
