import { purgesOf } from '../../core/model/change.ts';
import type { Config } from '../../core/model/config-defaults.ts';
import { ESTIMATE_COUNTER, estimateTokens } from '../../core/text/estimate-tokens.ts';
import type { FoundTranscript } from '../../ports/transcripts.ts';
import { isGone } from '../find/is-gone.ts';
import { ingestFile } from '../intake/ingest-file.ts';
import type { World } from '../world.ts';
import { leaveIfGone, readingOf, readOn } from './ingest-running.ts';
import { type HookPlace, stampOf } from './running-session.ts';

/** Own copy, the files beside it, L1, and what the manifest says. The exchanges wait for the session's end. */
export async function recordSession(
  world: World,
  place: HookPlace,
  file: FoundTranscript,
  config: Config,
): Promise<void> {
  if (place.kept !== 'registered') return;
  const manifest = (await world.archive.open(place.project))?.manifest;
  if (!manifest || isGone(manifest, place.session)) {
    place.kept = 'gone';
    return;
  }
  const { size, mtimeMs, dev, ino } = file;
  const taken = await ingestFile(world, place, place.agent, file, {
    ...readingOf(config),
    count: estimateTokens,
    counter: ESTIMATE_COUNTER,
    seen: place.seen,
    exchanges: false,
  });
  const unless = { purged: place.session as string, beyond: purgesOf(manifest, place.session) };
  const changes = taken.changes.map((change) => ({ ...change, unless }));
  const known = Object.hasOwn(manifest.sessions, place.session);
  const events = taken.events.filter(({ action }) => !known || action !== 'register');
  const { gen } = await world.archive.change(place.project, changes, events);
  place.stamp = await stampOf(world, place.project);
  place.recorded = size;
  place.seen = { size, mtimeMs, dev, ino };
  await readOn(world, place, readingOf(config));
  const isAlone = gen === manifest.gen + 1 && place.stamp === (await stampOf(world, place.project));
  if (!isAlone) await leaveIfGone(world, place);
}
