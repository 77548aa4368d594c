import { isKeptOut } from '../find/recording.ts';
import type { World } from '../world.ts';
import type { RunningOptions } from './ingest-running.ts';
import { type HookPlace, type HookSession, stampOf } from './running-session.ts';

/**
 * Brings the archive up to date with a running session. The first time it is placed and recorded, later as far as is
 * asked for; what only the first time needs is loaded then.
 */
export async function syncSession(
  world: World,
  state: HookSession,
  path: string,
  options: RunningOptions,
): Promise<void> {
  const file = await world.transcripts.inspect(path);
  if (!file || file === 'folder' || file.size === 0) return;
  const { place } = state;
  if (place && (await isKeptOutNow(world, place))) {
    place.kept = 'gone';
    return;
  }
  const isSteady =
    place?.path === file.path && place.stamp !== '' && place.stamp === (await stampOf(world, place.project));
  if (!isSteady) {
    const { placeRunning } = await import('./place-running.ts');
    const found = await placeRunning(world, state, file, options.config);
    if (!found) return;
    state.place = found;
  }
  if (!state.place) return;
  // Most sessions have nothing new: who only looks need not load what reads them.
  const { ingestRunning } = await import('./ingest-running.ts');
  const isFirst = state.place.recorded === 0 && options.upTo === 'l1';
  await ingestRunning(world, state.place, file, isFirst ? { ...options, upTo: 'record' } : options);
}

/** Turned off after it was first read: by its session, a marker file or a setting. */
export async function isKeptOutNow(world: World, { project, session }: HookPlace): Promise<boolean> {
  const cwd = (await world.archive.head(project))?.originalPath;
  return isKeptOut(world, { session, project, cwd });
}
