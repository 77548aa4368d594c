import type { Agent } from '../../core/model/agent.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { type L1Line, readL1Line } from '../../core/model/l1.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import type { PurgedText } from '../../core/model/purge-mask.ts';
import { purgeMarks } from '../../core/purge/forms.ts';
import type { SecondSearch } from '../../ports/archive.ts';
import { deleteComposition, listCompositions } from '../compose/compositions.ts';
import { openProjects } from '../find/projects.ts';
import { readL1 } from '../find/read-l1.ts';
import { rowsOf, type SessionRow } from '../find/sessions.ts';
import { ifReadable } from '../if-readable.ts';
import { refineAgain } from '../intake/refine-original.ts';
import { JOURNAL } from '../journal/place.ts';
import { dropLayers } from '../layers/update.ts';
import { ifPossible } from '../or-fault.ts';
import { forgetInMemory } from '../rolling/forget.ts';
import type { World } from '../world.ts';
import { forgetId } from './forget-id.ts';
import { forgetTopics } from './forget-topics.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { readLeaving, removeLeaving, writeLeaving } from './open-purge.ts';
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

async function purgeSessionNow(world: World, row: SessionRow, at?: string): Promise<SessionPurge> {
  const project = row.projectId;
  const texts = await wordsOf(world, row);
  const refined = row.l1.file === '' ? [] : [row.l1.file];
  await writeLeaving(world, project, row.sessionId, { refined, words: texts, at });
  const manifests = await openProjects(world);
  const where = await excerptFiles(world, manifests, project);
  const before = await world.archive.wipe(texts, { overwrite: false, only: where });
  const compositions = await compositionsWith(world, row);
  const { items } = await listCompositions(world, {});
  for (const it of items) {
    if (compositions.some(({ name, projectId }) => name === it.name && projectId === it.projectId))
      await deleteComposition(world, it);
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
    for (const [session, { refined, words, at }] of await readLeaving(world, project)) {
      found = true;
      const manifests = await openProjects(world);
      const own = manifests.find(({ projectId }) => projectId === project);
      const row = own && rowsOf(own).find(({ sessionId }) => sessionId === session);
      if (row) {
        await purgeSessionNow(world, row, at);
        continue;
      }
      await removeSessionFiles(world, project, session, refined);
      await forgetInMemory(world, project, session);
      await world.archive.wipe(words, {
        overwrite: true,
        only: await excerptFiles(world, manifests, project),
      });
      await forgetTopics(world, project);
      await world.archive.fold(project, { forget: true });
      await dropLayers(world, project);
      await world.index.destroy();
      await removeLeaving(world, project, session);
      await forgetId(world, session);
    }
  }
  return found;
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
