import { tiersOf } from '../../core/compress/choose/tiers.ts';
import { type Compressed, type CompressInput, compressing } from '../../core/compress/compress.ts';
import { detectedMarkers } from '../../core/keepit/overlays.ts';
import { Fault } from '../../core/model/fault.ts';
import { LAYERS_ENGINE } from '../../core/model/layers-engine.ts';
import { sha256 } from '../../core/model/sha256.ts';
import type { CompressSettings, VersionRecord } from '../../core/model/version.ts';
import { TOKEN_COUNTER } from '../../core/text/tokens.ts';
import type { SessionRef } from '../find/session-ref.ts';
import { inSteps } from '../in-steps.ts';
import { markersThen, marksOf } from '../keepit/marker-outcomes.ts';
import { linesOfPart, type SourcePart } from '../session/parts.ts';
import { readTurns } from '../session/read-part.ts';
import type { SessionSource } from '../session/session-source.ts';
import type { World } from '../world.ts';
import { statedWords } from './stated-words.ts';
import type { VersionHeader } from './version-files.ts';

/** Grows whenever the same turns and settings would give other bytes. */
const EXTRACTIVE = { uniform: 10, tiered: 10, manual: 11 };

/** All of a record but its number, its place and its time. */
export type VersionFacts = Omit<
  VersionRecord,
  'versionId' | 'part' | 'file' | 'createdAt' | 'markdownHash' | 'jsonlHash' | 'sourceVersion'
>;

export type MadeVersion = {
  compressed: Compressed;
  facts: VersionFacts;
  markdown: string;
  jsonl: string;
  markdownHash: string;
  jsonlHash: string;
};

/** Has a model write it; names what did. */
export type ByModel = (
  ref: SessionRef,
  model: string,
  input: CompressInput,
) => Promise<{ compressed: Compressed; engine: string }>;

export type MakeOptions = { byModel?: ByModel; signal?: AbortSignal | undefined };

/** What made a version's bytes: the compression, and before it the refining and the statements. */
export function engineName(source: Pick<SessionSource, 'state'>, mode: CompressSettings['mode']): string {
  return `extractive-${EXTRACTIVE[mode]}.${source.state.engine}.${LAYERS_ENGINE}`;
}

/** One version of one part, always from the original. Writes nothing. */
export async function makeVersion(
  world: World,
  of: SourcePart,
  settings: CompressSettings,
  { byModel, signal }: MakeOptions = {},
): Promise<MadeVersion> {
  const { source } = of;
  const input = await compressInput(world, of, settings);
  if (settings.model === 'extractive') {
    const compressed = await inSteps(compressing(input), signal);
    const engine = engineName(source, settings.mode);
    return finished(of, settings, { engine, compressed, input });
  }
  if (!byModel)
    throw new Fault('config', `The model ${JSON.stringify(settings.model)} can't be used here.`, {
      hint: 'Run `keepsake compress` instead, or omit the model.',
    });
  const { compressed, engine } = await byModel(source.ref, settings.model, input);
  return finished(of, settings, { engine, compressed, input });
}

/** What a version's bytes depend on. */
async function compressInput(
  world: World,
  { source, part }: SourcePart,
  settings: CompressSettings,
): Promise<CompressInput & { hash: string; derivedHash: string }> {
  const { ref, record, state, count } = source;
  const lines = await linesOfPart(world, source, part);
  const { turns, hash } = await readTurns(world, { ref, agent: state.agent, bytes: part.bytes, lines });
  const tiers = tiersOf(settings);
  const markers = markersThen(detectedMarkers(record), overlaysOf(source), settings);
  const { kept, outcomes } = marksOf(markers, turns, settings, tiers);
  const { title } = settings;
  const stated = statedWords(lines.map(({ line }) => line));
  return {
    turns,
    stated,
    kept,
    outcomes: outcomes.map(({ verdict: _, ...outcome }) => outcome),
    settings,
    tiers,
    inputTokens: part.tokens,
    count,
    ...(title === undefined ? {} : { title }),
    header: { session: ref.session, part: part.part },
    hash,
    derivedHash: sha256(JSON.stringify([stated, kept])),
  };
}

function overlaysOf({ manifest, ref }: SessionSource) {
  return manifest.overlays.filter((overlay) => overlay.sessionId === ref.session);
}

/** What shows that a version's sources are the same. */
type Hashes = { hash: string; derivedHash: string };

function finished(
  { source, part }: SourcePart,
  settings: CompressSettings,
  { engine, compressed, input }: { engine: string; compressed: Compressed; input: Hashes },
): MadeVersion {
  const { receipt, outputTokens, outputMessages, markdown } = compressed;
  const survived = receipt.keepits.filter((outcome) => outcome.survives);
  const summarized = receipt.keepits.filter((outcome) => !outcome.survives);
  const facts: VersionFacts = {
    settings,
    engine,
    inputTokens: part.tokens,
    inputMessages: part.messages[1] - part.messages[0] + 1,
    outputTokens,
    outputMessages,
    tokenCounter: TOKEN_COUNTER,
    compressionRatio: Math.round((100 * part.tokens) / Math.max(1, outputTokens)) / 100,
    keepitStats: {
      preserved: survived.length,
      summarized: summarized.length,
      weights: byWeight(survived.map(({ weight }) => weight)),
    },
    inputHash: input.hash,
    derivedHash: input.derivedHash,
    survived: survived.map(({ markerId }) => markerId),
    summarized: summarized.map(({ markerId }) => markerId),
    ...(receipt.reason === undefined ? {} : { reason: receipt.reason }),
  };
  const header: VersionHeader = {
    keepsake: 'version',
    format: 1,
    sessionId: source.ref.session,
    part: part.part,
    bytes: part.bytes,
    messages: part.messages,
    ...facts,
    receipt,
  };
  const jsonl = `${JSON.stringify(header)}\n${compressed.jsonl}`;
  return { compressed, facts, markdown, jsonl, markdownHash: sha256(markdown), jsonlHash: sha256(jsonl) };
}

/** Survivors by weight, as `0.80`; weights come in ten-thousandths. */
function byWeight(weights: number[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const weight of [...weights].sort((a, b) => b - a)) {
    const name = (weight / 10_000).toFixed(2);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return Object.fromEntries(counts);
}
