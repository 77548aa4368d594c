import type { Tombstone } from '../../core/model/manifest.ts';
import { openProjects } from '../find/projects.ts';
import { textsOf } from '../find/purged-marks.ts';
import { rowsOf } from '../find/sessions.ts';
import { addToOpen } from '../purge/open-purge.ts';
import { findTexts } from '../purge/places.ts';
import { purgeSession } from '../purge/session.ts';
import { finishTexts } from '../purge/text.ts';
import { forgetInMemory } from '../rolling/forget.ts';
import type { World } from '../world.ts';
import type { ComingStone } from './note-stones.ts';
import { type RepoState, streamKey } from './repo-state.ts';
import { idAt, stoneId } from './sent-again.ts';

/** A purge that is not carried out here yet. */
export type FreshStone = ComingStone & { again: ReadonlySet<string> };

/** Carries purges out in the archive. Gives how many places are left of each, by its id. */
export async function purgeHere(
  world: World,
  state: RepoState,
  fresh: readonly FreshStone[],
): Promise<Map<string, number>> {
  const texts = fresh.flatMap(({ stone }) => (stone.kind === 'session' ? [] : [stone]));
  const left = texts.length === 0 ? new Map<string, number>() : await purgeTexts(world, texts);
  for (const coming of fresh)
    if (coming.stone.kind === 'session')
      left.set(stoneId(coming.stone), await purgeStreams(world, state, coming));
  return left;
}

async function purgeTexts(world: World, stones: Tombstone[]): Promise<Map<string, number>> {
  // Only marks of them are known here: they are carried out as one purge that was cut off.
  for (const project of await world.archive.projects())
    await addToOpen(world, project, { stones, excerpts: [] });
  await finishTexts(world);
  const manifests = await openProjects(world);
  const placesOf = async (some: Tombstone[]) =>
    (await findTexts(world, manifests, textsOf(some))).files.length;
  const isClean = (await placesOf(stones)) === 0;
  const left = new Map<string, number>();
  for (const stone of stones) left.set(stoneId(stone), isClean ? 0 : await placesOf([stone]));
  return left;
}

/** A session in all its streams. */
async function purgeStreams(world: World, state: RepoState, { stone, again }: FreshStone): Promise<number> {
  const sent = streamsFrom(state, again, stone.id);
  let left = 0;
  for (const manifest of await openProjects(world)) {
    // Its entries may have come from a machine that did not know of the purge, without the session.
    if (!Object.hasOwn(manifest.sessions, stone.id))
      await forgetInMemory(world, manifest.projectId, stone.id);
    for (const row of rowsOf(manifest)) {
      const isIts = row.sessionId === stone.id || row.sessionId.startsWith(`${stone.id}@`);
      if (!isIts || sent.has(streamKey({ project: row.projectId, session: row.sessionId }, ''))) continue;
      // Registered again where this very purge was known: the user wants it. Times of two machines cannot be compared.
      const known = stoneId({ ...stone, id: row.sessionId });
      const isKnown = manifest.tombstones.some((it) => stoneId(it) === known);
      if (!isKnown || row.registeredAt <= stone.at)
        left += (await purgeSession(world, row, stone.at)).left.length;
    }
  }
  return left;
}

/** What a session of some devices is called here. */
function streamsFrom({ streams }: RepoState, devices: ReadonlySet<string>, session: string): Set<string> {
  const found = [...streams].filter(([source]) => {
    const [device = '', , theirs] = source.split('/');
    return devices.has(device) && theirs === idAt(device, session);
  });
  return new Set(found.map(([, stream]) => stream));
}
