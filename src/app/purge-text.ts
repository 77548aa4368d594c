import type { ProjectId } from '../core/model/ids.ts';
import type { Tombstone } from '../core/model/manifest.ts';
import { type PurgedText, PurgeMask } from '../core/model/purge-mask.ts';
import type { Wiped } from '../ports/archive.ts';
import { dropLayers, updateLayers } from './layers-update.ts';
import { openProjects } from './projects.ts';
import { type PurgePlace, placesOf, wipeEverywhere } from './purge-places.ts';
import { cleanRecord, rehashCompositions } from './purge-records.ts';
import { cleanOriginals, OPEN_PURGE, refineAnew, remakeVersions } from './purge-sessions.ts';
import { textsOf } from './purged-marks.ts';
import type { World } from './world.ts';

/** Below `cache/`: made again from the records, with what is new in them. */
const KNOWN = 'purged.json';

export type Erased = {
  /** Where it was, by kind. */
  places: PurgePlace[];
  sessions: { projectId: string; sessionId: string }[];
  versionsMade: number;
  /** The look afterwards: what was looked at, and where it is still. */
  looked: { files: number; bytes: number };
  left: { path: string; matches: number }[];
};

/** Tombstones first, so that nothing brings it back; then every place; then a look whether it is gone. */
export async function purgeTexts(
  world: World,
  stone: Tombstone,
  note: string,
  found: Wiped,
): Promise<Erased> {
  const projects = await world.archive.projects();
  for (const project of projects)
    await world.archive.files.write(project, OPEN_PURGE, `${JSON.stringify({ sessions: [] })}\n`);
  for (const project of projects)
    await world.archive.change(
      project,
      [{ at: ['tombstones'], append: stone, unique: 'id' }],
      [{ at: stone.at, action: 'purge', note, details: { tombstone: stone } }],
    );
  return eraseEverywhere(world, textsOf([stone]), found);
}

/** Finishes a purge that was cut off. Undefined where none was. */
export async function finishPurges(world: World): Promise<Erased | undefined> {
  const projects = await world.archive.projects();
  const open = await Promise.all(projects.map((project) => world.archive.files.size(project, OPEN_PURGE)));
  if (open.every((size) => size === 0)) return undefined;
  const stones = (await openProjects(world)).flatMap(({ tombstones }) => tombstones);
  const texts = textsOf(stones);
  return eraseEverywhere(world, texts, await wipeEverywhere(world, await openProjects(world), texts, false));
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
async function eraseEverywhere(world: World, texts: PurgedText[], before: Wiped): Promise<Erased> {
  const { archive } = world;
  await archive.files.remove(undefined, KNOWN);
  const mask = new PurgeMask(texts);
  const manifests = await openProjects(world);
  const found = before.files.map(({ path }) => path);
  const hit = projectsIn(world, before);
  const sessions: Erased['sessions'] = [];
  let versionsMade = 0;
  for (const manifest of manifests) {
    const project = manifest.projectId as ProjectId;
    const touched = await cleanOriginals(world, manifest, texts, found);
    if (touched.length > 0) hit.add(project);
    if (!hit.has(project)) continue;
    for (const ref of touched) await refineAnew(world, manifest, ref);
    const refined = (await archive.open(project))?.manifest;
    if (refined) await cleanRecord(world, refined, mask);
    for (const ref of touched) {
      versionsMade += await remakeVersions(world, ref);
      sessions.push({ projectId: project, sessionId: ref.session });
    }
    await dropLayers(world, project);
  }
  await archive.wipe(texts, { overwrite: true, only: found });
  for (const { projectId } of manifests) {
    const project = projectId as ProjectId;
    if (hit.has(project)) {
      const now = (await archive.open(project))?.manifest;
      if (now) await rehashCompositions(world, now);
      await updateLayers(world, project);
    }
    await archive.fold(project, { forget: true });
  }
  // It holds the words; the next search makes it again without them.
  await world.index.destroy();
  const after = await wipeEverywhere(world, manifests, texts, false);
  const only = after.files.map(({ path }) => path);
  // What somebody wrote meanwhile.
  if (only.length > 0) await archive.wipe(texts, { overwrite: true, only });
  const last = only.length > 0 ? await archive.wipe(texts, { overwrite: false, only }) : after;
  const left = last.files.map(({ path, matches }) => ({ path, matches }));
  if (left.length === 0)
    for (const { projectId } of manifests) await archive.files.remove(projectId as ProjectId, OPEN_PURGE);
  return { places: placesOf(world, before), sessions, versionsMade, looked: after.looked, left };
}
