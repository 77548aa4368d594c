import type { Config } from '../../core/model/config-defaults.ts';
import type { World } from '../world.ts';
import { readingOf, takeInDelta } from './ingest-running.ts';
import { type HookSession, stampOf } from './running-session.ts';

/**
 * Brings the archive up to date with a running session. The first time it is placed and registered, later only followed;
 * what only the first time needs is loaded then.
 */
export async function syncSession(
  world: World,
  state: HookSession,
  path: string,
  config: Config,
): Promise<void> {
  const file = await world.transcripts.inspect(path);
  if (!file || file === 'folder' || file.size === 0) return;
  const { place } = state;
  const isSteady =
    place?.path === file.path && place.stamp !== '' && place.stamp === (await stampOf(world, place.project));
  if (!isSteady) {
    const { placed } = await import('./place-running.ts');
    const found = await placed(world, state, file, config);
    if (!found) return;
    state.place = found;
  }
  if (state.place?.kept === 'registered' && state.place.recorded === 0) {
    const { recordSession } = await import('./record-running.ts');
    await recordSession(world, state.place, file, config);
  } else if (state.place) await takeInDelta(world, state.place, file, readingOf(config));
}
