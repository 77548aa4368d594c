import { type CompressRequest, compressSettings } from '../../core/compress/compress-settings.ts';
import { detectedMarkers } from '../../core/keepit/overlays.ts';
import { Fault } from '../../core/model/fault.ts';
import { sessionTitle } from '../../core/model/session-title.ts';
import type { CompressSettings, Receipt, VersionRecord } from '../../core/model/version.ts';
import { projectDistance } from '../find/session-distance.ts';
import type { SessionRef } from '../find/session-ref.ts';
import { markerWeights } from '../keepit/marker-outcomes.ts';
import { engineLabel, type ModelOptions, openEngine } from '../model/engine.ts';
import { LATELY_MINUTES } from '../session/changed-lately.ts';
import { type NewPart, nextPart, partNumbered } from '../session/parts.ts';
import { openSource, readSource, type SessionSource } from '../session/session-source.ts';
import type { World } from '../world.ts';
import { estimateByModel, type ModelEstimate } from './estimate-model.ts';
import { type ByModel, type MadeVersion, makeVersion } from './make-version.ts';
import { compressByModel } from './model.ts';
import { storeVersion } from './store-version.ts';

/** Grows whenever the same answers would give another version. */
const MODEL_ENGINE = 2;

export type CompressAsk = CompressRequest & {
  /** Only this part; without it every part, or a first one with everything. */
  part?: number;
  /** What is new becomes the next part. */
  delta?: boolean;
  /** The last exchange too, although it is unfinished and the agent may still write to it. */
  force?: boolean;
  /** Nothing is written. */
  dryRun?: boolean;
  /** In a dry run: the text comes along. */
  withText?: boolean;
  sourceVersion?: string;
};

/** What became, or would become, of one part. */
export type CompressOutcome = Omit<MadeVersion['facts'], 'settings'> & {
  part: number;
  messages: [number, number];
  settings: CompressSettings;
  receipt: Receipt;
  /** Lowest weight that survives, per tier, in ten-thousandths. */
  thresholds: number[];
  /** Not set in a dry run. */
  version?: VersionRecord;
  /** The very same version existed already. */
  existed: boolean;
  /** In a dry run `withText`; not of a model, which has not written it yet. */
  text?: string;
  /** In a dry run by a model: what it would cost. The receipt then holds what is certain whatever the model says. */
  estimate?: ModelEstimate;
};

/** Makes a version of each part that is asked for, always from the original. */
export async function compressSession(
  world: World,
  ref: SessionRef,
  ask: CompressAsk = {},
  options: ModelOptions = {},
): Promise<CompressOutcome[]> {
  const source = await (ask.dryRun ? readSource(world, ref) : openSource(world, ref));
  const outcomes: CompressOutcome[] = [];
  let estimate: ModelEstimate | undefined;
  const byModel: ByModel = async (_, name, input) => {
    const engine = await openEngine(world, source.config, name);
    const label = `model-${MODEL_ENGINE}/${engineLabel(engine)}`;
    if (!ask.dryRun)
      return { compressed: await compressByModel(world, engine, { ref, input }, options), engine: label };
    const planned = await estimateByModel(world, engine, ref, input);
    estimate = planned.estimate;
    return { compressed: planned.compressed, engine: label };
  };
  const distance = await projectDistance(world, source.manifest, ref.session);
  for (const part of await partsFor(world, source, ask)) {
    const settings = settingsFor(source, part, ask, distance);
    const { signal } = options;
    const made = await makeVersion(world, { source, part }, settings, { byModel, signal });
    // From here on the version is stored whole: an abort comes too late for it.
    signal?.throwIfAborted();
    const stored = ask.dryRun
      ? undefined
      : await storeVersion(world, { source, part }, made, ask.sourceVersion);
    outcomes.push({
      ...made.facts,
      part: part.part,
      messages: part.messages,
      receipt: made.compressed.receipt,
      thresholds: [...new Set(made.compressed.receipt.keepits.map(({ threshold }) => threshold))].sort(
        (a, b) => a - b,
      ),
      ...(stored ? { version: stored.record } : {}),
      existed: stored?.existed ?? false,
      ...(ask.dryRun && ask.withText && !estimate ? { text: made.markdown } : {}),
      ...(estimate ? { estimate } : {}),
    });
  }
  return outcomes;
}

function settingsFor(
  source: SessionSource,
  part: NewPart,
  ask: CompressAsk,
  distance: number,
): CompressSettings {
  const { manifest, record, ref, config } = source;
  const overlays = manifest.overlays.filter((overlay) => overlay.sessionId === ref.session);
  return compressSettings(ask, config, {
    distance,
    title: part.part > 1 ? undefined : sessionTitle(record),
    ...markerWeights(detectedMarkers(record), overlays, part.bytes),
  });
}

async function partsFor(world: World, source: SessionSource, ask: CompressAsk): Promise<NewPart[]> {
  const { parts } = source;
  if (ask.part !== undefined && parts.length > 0) return [partNumbered(parts, ask.part)];
  if (ask.part !== undefined && ask.part !== 1) partNumbered(parts, ask.part);
  if (parts.length > 0 && !ask.delta) return parts;
  const { part, waiting } = await nextPart(world, source, ask);
  if (part) return [part];
  if (waiting) {
    throw new Fault(
      'conflict',
      `The only new messages belong to an unfinished exchange, and the session changed in the last ${LATELY_MINUTES} minutes.`,
      { hint: 'Try again when the agent has answered, or add --force to include the unfinished exchange.' },
    );
  }
  if (parts.length > 0) throw new Fault('conflict', 'Nothing new to compress.');
  throw new Fault('bad-input', 'The session has no messages.');
}
