import type { Config } from '../../core/model/config-defaults.ts';
import { Fault } from '../../core/model/fault.ts';
import { ESTIMATE_COUNTER, estimateTokens } from '../../core/text/estimate-tokens.ts';
import type { IndexCursor } from '../../ports/search-index.ts';
import type { FoundTranscript } from '../../ports/transcripts.ts';
import { originalName, subName } from '../find/session-ref.ts';
import { recordOf, refineOriginal } from '../intake/refine-original.ts';
import type { SessionState } from '../intake/session-state.ts';
import { orFault } from '../or-fault.ts';
import { type Indexed, sessionUpdates } from '../search/index-archive.ts';
import type { World } from '../world.ts';
import { type HookPlace, type HookSession, stampOf } from './running-session.ts';

/** What the settings of a hook say of reading. */
export type HookReading = { originals: 'copy' | 'link' | 'symlink'; extent: 'paragraph' | 'message' };

export function readingOf(config: Config): HookReading {
  return { originals: config.storage.originals, extent: config.keepit.extent };
}

/**
 * Takes in what a session's file has more than the archive: own copy, L1, index. Not the manifest: that is for the end
 * of a session. False when there was nothing new.
 */
export async function takeInDelta(
  world: World,
  place: HookPlace,
  file: FoundTranscript,
  reading: HookReading,
): Promise<boolean> {
  if (place.kept === 'gone' || isSeen(place, file)) return false;
  const { project, session } = place;
  await world.archive.originals.absorb(
    project,
    originalName(session),
    file.path,
    reading.originals,
    place.seen,
  );
  const { size, mtimeMs, dev, ino } = file;
  if (place.kept === 'registered') await readOn(world, place, reading);
  place.seen = { size, mtimeMs, dev, ino };
  if ((await stampOf(world, project)) !== place.stamp) await leaveIfGone(world, place);
  return true;
}

/** The record changed while the session was read: somebody may have taken it out, and loading what undoes this is rare. */
export async function leaveIfGone(world: World, place: HookPlace): Promise<void> {
  const { dropIfGone } = await import('./drop-gone.ts');
  await dropIfGone(world, place);
}

/** L1 and the index, from the archived copy. */
export async function readOn(world: World, place: HookPlace, { extent }: HookReading): Promise<void> {
  const counting = { count: estimateTokens, counter: ESTIMATE_COUNTER };
  await indexOn(
    world,
    place,
    await refineOriginal(world, place, { agent: place.agent, extent, ...counting }),
  );
}

/** A subagent's own file, when it is done. */
export async function takeInSubagent(
  world: World,
  { place }: HookSession,
  path: string,
  agentId: string,
  reading: HookReading,
): Promise<void> {
  if (!place || place.kept === 'gone') return;
  const name = subName(place.session, agentId);
  await world.archive.originals.absorb(place.project, name, path, reading.originals);
}

function isSeen({ seen, path }: HookPlace, file: FoundTranscript): boolean {
  return (
    path === file.path &&
    seen.size === file.size &&
    seen.mtimeMs === file.mtimeMs &&
    seen.ino === file.ino &&
    seen.dev === file.dev
  );
}

/** What the index lacks of this session; where it stands elsewhere than we left it, it is asked. */
async function indexOn(world: World, place: HookPlace, state: SessionState): Promise<void> {
  const record = recordOf(place, state, place.path, '', 0);
  const { file, bytes } = state.l1;
  if (file === '' || place.indexed === bytes) return;
  const cursor = { to: place.indexed, engine: state.engine, file };
  const put = await orFault(putIn(world, place, record, place.indexed === 0 ? undefined : cursor));
  if (put instanceof Fault) {
    if (put.code !== 'conflict') throw put;
    const cursors = await world.index.cursors();
    await putIn(world, place, record, cursors.get(`${place.project}/session/${place.session}`));
  }
  place.indexed = bytes;
}

async function putIn(
  world: World,
  { project }: HookPlace,
  record: Indexed,
  cursor: IndexCursor | undefined,
): Promise<void> {
  for await (const update of sessionUpdates(world, project, record, cursor))
    await world.index.update([update]);
}
