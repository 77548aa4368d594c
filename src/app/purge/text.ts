import { needlesOf } from '../../core/model/folded-text.ts';
import { type PurgedText, PurgeMask } from '../../core/model/purge-mask.ts';
import type { SecondSearch, Wiped } from '../../ports/archive.ts';
import { openProjects } from '../find/projects.ts';
import { textsOf } from '../find/purged-marks.ts';
import { dropLayers, updateLayers } from '../layers/update.ts';
import { oneAtATime } from '../one-at-a-time.ts';
import type { World } from '../world.ts';
import { addToOpen, closePurge, type OpenPurge, readOpen } from './open-purge.ts';
import { excerptPlaces, findTexts, memoryFolders, type PurgePlace, placesOf } from './places.ts';
import { cleanRecord, rehashCompositions } from './records.ts';
import { cleanOriginals, rebuildSession, remakeVersions } from './sessions.ts';
import { type FoundText, wipedTexts } from './target.ts';

/** Below `cache/`: rebuilt from the records, with what is new in them. */
const KNOWN = 'purged.json';
const ROUNDS = 4;
/** A file that someone else keeps writing is reported; on a busy machine a process may write late what it read early. */
const LATE_ROUNDS = 20;

/** Where a text, or a part of it, is still. */
export type PurgeLeft = SecondSearch['files'][number];

export type Erased = {
  /** Where it was, by kind. */
  places: PurgePlace[];
  sessions: { projectId: string; sessionId: string }[];
  versionsMade: number;
  /** The search after a purge: what was searched, and where the text still is. */
  looked: { files: number; bytes: number };
  left: PurgeLeft[];
};

type ErasedOnce = Omit<Erased, 'left'> & {
  /** Where it is after all of that. */
  late: Wiped;
};

/** What is to do first, so that a kill can't hide it; then tombstones, so that nothing brings it back; then every place. */
export async function purgeTexts(world: World, target: FoundText, found: Wiped): Promise<Erased> {
  return oneAtATime(world, () => purgeNow(world, target, found));
}

async function purgeNow(world: World, target: FoundText, found: Wiped): Promise<Erased> {
  const { tombstone, excerpts } = target;
  const before = await openPurges(world);
  for (const project of await world.archive.projects())
    await addToOpen(world, project, { stones: [tombstone], excerpts });
  const open = await openPurges(world);
  let erased = await finishAll(world, open, before.length > 0 ? undefined : { target, found });
  let again = await lookAgain(world, target.texts);
  // Others wrote it meanwhile from what they had read before, or are still writing it.
  for (let round = 0; round < LATE_ROUNDS && again.files.length + erased.left.length > 0; round++) {
    const late = await finishAll(world, open);
    const next = await lookAgain(world, target.texts);
    const isSame = late.places.every(({ matches }) => matches === 0) && pathsOf(next) === pathsOf(again);
    erased = joined(erased, late);
    again = next;
    if (isSame) break;
  }
  if (erased.left.length === 0) await closeAll(world, open);
  const known = new Set(erased.left.map(({ path }) => path));
  return {
    ...erased,
    looked: again.looked,
    left: [...erased.left, ...again.files.filter(({ path }) => !known.has(path))],
  };
}

function pathsOf({ files }: SecondSearch): string {
  return files.map(({ path }) => path).join('\n');
}

/** One purge in two rounds: places are those of the first. */
function joined<Round extends Omit<Erased, 'left'>>(first: Round, next: Round): Round {
  const ids = new Set(first.sessions.map(({ sessionId }) => sessionId));
  return {
    ...next,
    places: first.places,
    sessions: [...first.sessions, ...next.sessions.filter(({ sessionId }) => !ids.has(sessionId))],
    versionsMade: first.versionsMade + next.versionsMade,
  };
}

async function closeAll(world: World, open: OpenPurge[]): Promise<void> {
  for (const project of await world.archive.projects()) await closePurge(world, project, open);
}

/** Every file of the archive and of the projects' own memory, by another way than the one that overwrote them. */
async function lookAgain(world: World, texts: string[]): Promise<SecondSearch> {
  const own = await memoryFolders(world, await openProjects(world));
  return world.archive.lookAgain(needlesOf(texts), own);
}

/** Finishes a purge of a text or a message that was cut off. False if none was. */
export async function finishTexts(world: World): Promise<boolean> {
  return (await openPurges(world)).length > 0 && oneAtATime(world, () => finishTextsNow(world));
}

/** Only while no other purge is at work. */
export async function finishTextsNow(world: World): Promise<boolean> {
  const open = await openPurges(world);
  if (open.length === 0) return false;
  const { left } = await finishAll(world, open);
  if (left.length === 0) await closeAll(world, open);
  return true;
}

async function openPurges(world: World): Promise<OpenPurge[]> {
  const all = await Promise.all((await world.archive.projects()).map((project) => readOpen(world, project)));
  return all.filter((open) => open !== undefined);
}

async function finishAll(
  world: World,
  open: OpenPurge[],
  fresh?: { target: FoundText; found: Wiped },
): Promise<Erased> {
  const openTombstones = [
    ...new Map(open.flatMap((it) => it.stones).map((tombstone) => [tombstone.id, tombstone])).values(),
  ];
  const manifests = await openProjects(world);
  for (const { projectId, tombstones } of manifests) {
    const known = new Set(tombstones.map(({ id }) => id));
    for (const tombstone of openTombstones) {
      if (known.has(tombstone.id)) continue;
      const note = tombstone.kind === 'message' ? `Message ${tombstone.id} purged.` : 'Text purged.';
      await world.archive.change(
        projectId,
        [{ at: ['tombstones'], append: tombstone, unique: 'id' }],
        [{ at: tombstone.at, action: 'purge', note, details: { tombstone } }],
      );
    }
  }
  // Where what is open could not be read, all that was ever purged is.
  const all = open.some((it) => it.stones.length === 0) ? manifests.flatMap((it) => it.tombstones) : [];
  const texts = fresh ? wipedTexts(fresh.target) : textsOf([...all, ...openTombstones]);
  const before = fresh?.found ?? (await findTexts(world, manifests, texts));
  // Each project's file names all of them.
  const excerpts = [...new Map(open.flatMap((it) => it.excerpts).map((text) => [text.salt, text])).values()];
  if (excerpts.length > 0)
    await world.archive.wipe(excerpts, { overwrite: true, only: await excerptPlaces(world, manifests) });
  let erased = await eraseEverywhere(world, texts, before);
  // What someone wrote meanwhile from what was read before: what was made of it has to go, too.
  for (let round = 1; round < ROUNDS && erased.late.files.some(({ matches }) => matches > 0); round++) {
    const again = await eraseEverywhere(world, texts, erased.late);
    erased = joined(erased, again);
  }
  const { late, ...done } = erased;
  const left = late.files.map(({ path, matches }) => ({ path, matches, what: 'text' as const }));
  return { ...done, left };
}

/** Projects with a match in the archive or in their own memory. */
function projectsIn(world: World, { files }: Wiped): Set<string> {
  const { archive } = world;
  const found = new Set<string>();
  for (const { path } of files) {
    if (!path.startsWith(archive.root)) continue;
    const [top, project] = path.slice(archive.root.length + 1).split(/[\\/]/);
    if (top === 'projects' && project !== undefined) found.add(project);
  }
  return found;
}

/** `before`: where it was found just now. All of that is cleaned, then every file is looked at again. */
async function eraseEverywhere(world: World, texts: PurgedText[], before: Wiped): Promise<ErasedOnce> {
  const { archive } = world;
  await archive.files.remove(undefined, KNOWN);
  const mask = new PurgeMask(texts);
  const manifests = await openProjects(world);
  const found = before.files.map(({ path }) => path);
  const hit = projectsIn(world, before);
  const sessions: Erased['sessions'] = [];
  let versionsMade = 0;
  for (const manifest of manifests) {
    const project = manifest.projectId;
    const touched = await cleanOriginals(world, manifest, texts, found);
    if (touched.length > 0) hit.add(project);
    if (!hit.has(project)) continue;
    for (const ref of touched) await rebuildSession(world, manifest, ref);
    await cleanRecord(world, project, mask);
    for (const ref of touched) {
      versionsMade += await remakeVersions(world, ref);
      sessions.push({ projectId: project, sessionId: ref.session });
    }
    await dropLayers(world, project);
  }
  await archive.wipe(texts, { overwrite: true, only: found });
  for (const { projectId } of manifests) {
    const project = projectId;
    if (hit.has(project)) {
      const now = (await archive.open(project))?.manifest;
      if (now) await rehashCompositions(world, now);
      await updateLayers(world, project);
    }
    await archive.fold(project, { forget: true });
  }
  // It contains the words; the next search rebuilds it without them.
  await world.index.destroy();
  // A process that opened the archive meanwhile may have read what was not erased yet: it sees that the list changed.
  await archive.files.remove(undefined, KNOWN);
  const after = await findTexts(world, manifests, texts);
  return { places: placesOf(world, before), sessions, versionsMade, looked: after.looked, late: after };
}
