import { type Change, purgesOf } from '../../core/model/change.ts';
import type { Config } from '../../core/model/config-defaults.ts';
import type { SessionRecord } from '../../core/model/session.ts';
import type { FoundTranscript } from '../../ports/transcripts.ts';
import { isGone } from '../find/is-gone.ts';
import { type IngestRequest, ingestFile } from '../intake/ingest-file.ts';
import { quickReading } from '../intake/reading.ts';
import type { World } from '../world.ts';
import { dropIfGone } from './drop-gone.ts';
import { indexRunning } from './index-running.ts';
import { type HookPlace, stampOf } from './running-session.ts';

/** Ingests a running session with the files beside it, and writes its record. A record that says all of it stays as it is. */
export async function recordRunning(
  world: World,
  place: HookPlace,
  file: FoundTranscript,
  { config, upTo }: { config: Config; upTo: IngestRequest['upTo'] },
): Promise<void> {
  const before = await stampOf(world, place.project);
  const manifest = (await world.archive.open(place.project))?.manifest;
  if (!manifest || isGone(manifest, place.session)) {
    place.kept = 'gone';
    return;
  }
  const reading = quickReading(config);
  const request = { ref: place, agent: place.agent, file, reading, upTo };
  const { state, change, events } = await ingestFile(world, request);
  const known = manifest.sessions[place.session];
  const unless = { purged: place.session, beyond: purgesOf(manifest, place.session) };
  const news = events.filter(({ action }) => !known || action !== 'register');
  const isNew = change !== undefined && (news.length > 0 || !isRecordedIn(known, change));
  let isAlone = true;
  if (isNew) {
    const { gen } = await world.archive.change(place.project, [{ ...change, unless }], news);
    isAlone = gen === manifest.gen + 1;
  }
  place.stamp = isNew ? await stampOf(world, place.project) : before;
  place.recorded = file.size;
  if (state) await indexRunning(world, place, state);
  if (!isAlone || place.stamp !== (await stampOf(world, place.project))) await dropIfGone(world, place);
}

/** A sync may have recorded all of it already. */
function isRecordedIn(known: SessionRecord | undefined, { merge }: Change): boolean {
  return known !== undefined && holds(known, merge);
}

function holds(known: unknown, wanted: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null || Array.isArray(wanted))
    return JSON.stringify(known) === JSON.stringify(wanted);
  const fields = (known ?? {}) as Record<string, unknown>;
  return Object.entries(wanted).every(([key, value]) => holds(fields[key], value));
}
