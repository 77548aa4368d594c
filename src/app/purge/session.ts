import type { Agent } from '../../core/model/agent.ts';
import { purgesOf } from '../../core/model/change.ts';
import type { ProjectId, SessionId } from '../../core/model/ids.ts';
import { type L1Line, readL1Line } from '../../core/model/l1.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import type { PurgedText } from '../../core/model/purge-mask.ts';
import { purgeMarks } from '../../core/purge/forms.ts';
import type { SecondSearch } from '../../ports/archive.ts';
import { deleteComposition, listCompositions } from '../compose/compositions.ts';
import { openProjects } from '../find/projects.ts';
import { readL1 } from '../find/read-l1.ts';
import type { SessionRef } from '../find/session-ref.ts';
import { rowsOf, type SessionRow } from '../find/sessions.ts';
import { refineAgain } from '../intake/refine-original.ts';
import { JOURNAL } from '../journal/place.ts';
import { dropLayers } from '../layers/update.ts';
import { oneAtATime } from '../one-at-a-time.ts';
import { ifPossible, ifReadable } from '../or-fault.ts';
import { forgetInMemory } from '../rolling/forget.ts';
import type { World } from '../world.ts';
import { forgetId } from './forget-id.ts';
import { forgetTopics } from './forget-topics.ts';
import { type Leaving, readLeaving, removeLeaving, writeLeaving } from './open-purge.ts';
import { excerptPlaces, type PurgePlace, placesOf } from './places.ts';
import { removeSessionFiles } from './sweep.ts';
import { unregisterNow } from './unregister.ts';

/** Sentences of this length are a session's own: they are searched in what quotes it elsewhere. */
const LEAST_SEARCHED = 24;
const MOST_TEXTS = 2000;

export type SessionPurge = {
  places: PurgePlace[];
  compositions: string[];
  looked: { files: number; bytes: number };
  left: SecondSearch['files'];
};

/** Compositions that hold a session: they go with it, for their text is its text. */
export async function compositionsWith(
  world: World,
  row: SessionRow,
): Promise<{ name: string; projectId: string }[]> {
  const { items } = await listCompositions(world, {});
  return items.filter(({ projectId, components }) =>
    components.some((it) => it.sessionId === row.sessionId && (it.projectId ?? projectId) === row.projectId),
  );
}

/** Takes a session away with all that was made from it, and its sentences out of what is left. `at`: when another machine did. */
export async function purgeSession(world: World, row: SessionRow, at?: string): Promise<SessionPurge> {
  return oneAtATime(world, () => purgeSessionNow(world, row, at));
}

/** All streams of a session as one: what stops the wait for another purge leaves none of them half done. */
export async function purgeStreamsOf(
  world: World,
  rows: readonly SessionRow[],
  at: string,
): Promise<SessionPurge[]> {
  return oneAtATime(world, async () => {
    const done: SessionPurge[] = [];
    for (const row of rows) done.push(await purgeSessionNow(world, row, at));
    return done;
  });
}

async function purgeSessionNow(world: World, row: SessionRow, at = world.clock.now()): Promise<SessionPurge> {
  const project = row.projectId;
  const texts = await wordsOf(world, row);
  const refined = row.l1.file === '' ? [] : [row.l1.file];
  const manifests = await openProjects(world);
  const known = purgesOf(
    manifests.find(({ projectId }) => projectId === project),
    row.sessionId,
  );
  await writeLeaving(world, project, row.sessionId, { refined, words: texts, at, known });
  const where = await excerptFiles(world, manifests, project);
  const before = await world.archive.wipe(texts, { overwrite: false, only: where });
  const compositions = await compositionsWith(world, row);
  const { items } = await listCompositions(world, {});
  for (const it of items) {
    if (compositions.some(({ name, projectId }) => name === it.name && projectId === it.projectId))
      await deleteComposition(world, it, { isPurge: true });
  }
  await world.archive.change(project, [
    { at: ['links'], without: { sourceProject: row.projectId, sourceSession: row.sessionId } },
  ]);
  const pages = await journalPages(world, manifests, row);
  for (const { root, name } of pages) await world.projectFiles.remove(root, name);
  await unregisterNow(world, [row], { purge: true, force: true, at });
  await world.archive.wipe(texts, { overwrite: true, only: where });
  await world.archive.fold(project, { forget: true });
  await world.index.destroy();
  const after = await world.archive.wipe(texts, { overwrite: false, only: where });
  await removeLeaving(world, project, row.sessionId);
  const own = await forgetId(world, row.sessionId);
  return {
    places: [
      ...placesOf(world, before),
      ...(pages.length > 0 ? [{ kind: 'journal pages', files: pages.length, matches: 0 }] : []),
    ],
    compositions: compositions.map(({ name }) => name),
    looked: own.looked,
    left: [
      ...after.files.map(({ path, matches }) => ({ path, matches, what: 'line' as const })),
      ...own.files,
    ],
  };
}

/** Finishes purges of whole sessions that were cut off. False if none was. Only while no other purge is at work. */
export async function finishSessions(world: World): Promise<boolean> {
  let found = false;
  for (const project of await world.archive.projects()) {
    for (const [session, leaving] of await readLeaving(world, project)) {
      found = true;
      const own = (await openProjects(world)).find(({ projectId }) => projectId === project);
      const row = own && rowsOf(own).find(({ sessionId }) => sessionId === session);
      if (row && isCarriedOut(own, session, leaving)) await removeLeaving(world, project, session);
      else if (row) await purgeSessionNow(world, row, leaving.at);
      else {
        await removeLeft(world, { project, session }, leaving);
        await forgetId(world, session);
      }
    }
  }
  return found;
}

/** Before a purged session is brought back: later its purge could not tell what is left of it from what came back. As `finishSessions`. */
export async function finishLeaving(world: World, { project, session }: SessionRef): Promise<void> {
  const leaving = (await readLeaving(world, project)).get(session);
  if (!leaving) return;
  const manifest = (await world.archive.open(project))?.manifest;
  if (manifest && !Object.hasOwn(manifest.sessions, session))
    await removeLeft(world, { project, session }, leaving);
}

/** Whether the record knows of this very purge: a session that is there nevertheless was brought back after it. */
function isCarriedOut({ tombstones }: Manifest, session: SessionId, { at, known }: Leaving): boolean {
  if (known === undefined) return false;
  const purges = tombstones.filter(({ kind, id }) => kind === 'session' && id === session);
  return purges.length > known && purges.some((purge) => purge.at === at);
}

async function removeLeft(world: World, ref: SessionRef, { refined, words }: Leaving): Promise<void> {
  const { project, session } = ref;
  await removeSessionFiles(world, project, session, refined);
  await forgetInMemory(world, project, session);
  const only = await excerptFiles(world, await openProjects(world), project);
  await world.archive.wipe(words, { overwrite: true, only });
  await forgetTopics(world, project);
  await world.archive.fold(project, { forget: true });
  await dropLayers(world, project);
  await world.index.destroy();
  await removeLeaving(world, project, session);
}

/** What a session said, as texts to look for: its messages, its title, what the history noted of it. */
async function wordsOf(world: World, row: SessionRow): Promise<PurgedText[]> {
  const words = new Set<string>();
  const add = (text: string) => {
    for (const line of text.split('\n'))
      if (line.trim().length >= LEAST_SEARCHED && words.size < MOST_TEXTS) words.add(line.trim());
  };
  for (const title of [row.name, row.metadata.title]) if (title !== undefined) add(title);
  for (const marker of row.keepitMarkers) add(marker.content);
  for (const line of await refinedLines(world, row))
    if (line.role === 'user' || line.role === 'assistant') add(line.text ?? '');
  for (const event of await world.archive.history(row.projectId)) {
    if (event.sessionId !== row.sessionId || event.action === 'purge') continue;
    const details = event.details as { overlay?: { content?: unknown } } | undefined;
    if (typeof details?.overlay?.content === 'string') add(details.overlay.content);
  }
  const salt = world.random.uuid();
  return [{ salt, marks: [...words].flatMap((text) => purgeMarks(text, salt)) }];
}

/** A damaged refined transcript is rebuilt in memory, so that no word is overlooked. */
async function refinedLines(world: World, row: SessionRow): Promise<L1Line[]> {
  const stored = await ifReadable(readL1(world, row), world.report);
  if (stored) return stored;
  const ref = { project: row.projectId, session: row.sessionId };
  const lines: L1Line[] = [];
  for await (const { text } of refineAgain(world, ref, {
    agent: row.metadata.agent as Agent,
    extent: 'paragraph',
  }))
    lines.push(...text.split('\n').flatMap((line) => readL1Line(line) ?? []));
  return lines;
}

/** memory.md is left out: its entries say whose they are, and go with their session. */
async function excerptFiles(world: World, manifests: Manifest[], project: ProjectId): Promise<string[]> {
  const own = manifests.filter(({ projectId }) => projectId === project);
  const rolling = world.archive.files.path(project, 'memory');
  return (await excerptPlaces(world, own)).filter(
    (path) => !path.startsWith(rolling) && !path.includes('.claude'),
  );
}

async function journalPages(
  world: World,
  manifests: Manifest[],
  row: SessionRow,
): Promise<{ root: string; name: string }[]> {
  const root = manifests.find(({ projectId }) => projectId === row.projectId)?.originalPath ?? '';
  if (root === '') return [];
  const found = (await ifPossible(world.projectFiles.list(root, JOURNAL, 5000), world.report)) ?? [];
  return found
    .filter(({ name }) => name.endsWith(`/${row.sessionId}.md`))
    .map(({ name }) => ({ root, name }));
}
