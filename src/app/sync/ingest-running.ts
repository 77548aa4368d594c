import type { Config } from '../../core/model/config-defaults.ts';
import type { FoundTranscript } from '../../ports/transcripts.ts';
import { subName } from '../find/session-ref.ts';
import { type IngestRequest, ingestFile } from '../intake/ingest-file.ts';
import { quickReading } from '../intake/reading.ts';
import { knownState } from '../intake/session-state.ts';
import type { World } from '../world.ts';
import { indexRunning } from './index-running.ts';
import { type HookPlace, type HookSession, stampOf } from './running-session.ts';

export type RunningOptions = {
  config: Config;
  /** `l1`: copy, L1 and index, which is what a hook has time for while the agent works. */
  upTo: Exclude<IngestRequest['upTo'], 'copy'>;
};

/** Brings copy, L1 and index up to date with the file of a running session, and its record where that is wanted. */
export async function ingestRunning(
  world: World,
  place: HookPlace,
  file: FoundTranscript,
  options: RunningOptions,
): Promise<void> {
  if (place.kept === 'gone') return;
  // Rebuilding is for a sync, which someone waits for. Until then the copy grows, and nothing is lost.
  const waits = (await knownState(world, place))?.waits === true;
  if (!waits && options.upTo !== 'l1' && place.kept === 'registered' && place.recorded !== file.size) {
    const { recordRunning } = await import('./record-running.ts');
    return recordRunning(world, place, file, options);
  }
  const { status, state } = await ingestFile(world, {
    ref: place,
    agent: place.agent,
    file,
    reading: quickReading(options.config),
    upTo: place.kept === 'registered' && !waits ? 'l1' : 'copy',
  });
  if (state) await indexRunning(world, place, state);
  const isRead = state !== undefined || status !== 'same';
  if (!isRead || (await stampOf(world, place.project)) === place.stamp) return;
  // The record changed while the session was read: someone may have taken it out, and loading what undoes this is rare.
  const { dropIfGone } = await import('./drop-gone.ts');
  await dropIfGone(world, place);
}

/** A subagent's own file, when it is done. */
export async function ingestSubagent(
  world: World,
  { place }: HookSession,
  { path, agentId }: { path: string; agentId: string },
  config: Config,
): Promise<void> {
  if (!place || place.kept === 'gone') return;
  const name = subName(place.session, agentId);
  await world.archive.originals.absorb(place.project, name, { path }, config.storage.originals);
}
