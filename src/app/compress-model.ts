import { askChunk, type Chunk, chunksOf } from '../core/compress/ask.ts';
import { allowanceOf, type Compressed, type CompressInput, compress } from '../core/compress/compress.ts';
import { type Piece, piecesOf } from '../core/compress/pieces.ts';
import { type Reply, readReply, type Told, type Why } from '../core/compress/read.ts';
import { receiptOf } from '../core/compress/receipt.ts';
import { toldTurns } from '../core/compress/told-turns.ts';
import { Fault } from '../core/model/fault.ts';
import { costOf } from '../core/model/model-names.ts';
import type { Tier } from '../core/model/version.ts';
import { atOnce } from './at-once.ts';
import { askModel, isAnswered, type ModelRequest, mostOf } from './model-call.ts';
import type { Engine } from './model-engine.ts';
import type { SessionRef } from './session-ref.ts';
import type { World } from './world.ts';

export type ModelProgress = { done: number; total: number; cached: number };

export type ModelOptions = {
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: ModelProgress) => void) | undefined;
};

/** What a version would ask for and cost at most, before anything is asked. */
export type ModelEstimate = {
  service: string;
  model: string;
  calls: number;
  /** Calls that were answered before and cost nothing. */
  answered: number;
  inputTokens: number;
  outputTokens: number;
  /** At most; undefined where nobody knows the price. */
  mostInputTokens: number;
  mostOutputTokens: number;
  usd?: number;
  mostUsd?: number;
};

/** The source that a model reads is so many times as long as what it may write: the rest would be paid for nothing. */
const SOURCE_SHARE = 3;
const LARGEST_PIECE = 4000;
const CHUNK_TOKENS = 8000;
/** Tokens of the source that may stay untold before a version is none. */
const MOST_MISSING = 0.25;
const MOST_DROPPED = 300;

type Plan = { pieces: Piece[]; chunks: Chunk[]; selected: Compressed };

/** What the model will be asked: the offline engine chooses what is worth reading, the model puts it into words. */
function planOf(input: CompressInput): Plan {
  const looser = (ratio: number) => Math.max(1, ratio / SOURCE_SHARE);
  const tiers = input.tiers.map((tier): Tier => ({ ...tier, compactionRatio: looser(tier.compactionRatio) }));
  const selected = compress({ ...input, tiers, settings: { ...input.settings, telegraphic: false } });
  const pieces = piecesOf(selected.lines, {
    count: input.count,
    share: SOURCE_SHARE,
    largest: LARGEST_PIECE,
  });
  return { pieces, chunks: chunksOf(pieces.filter(hasWords), CHUNK_TOKENS), selected };
}

/** Nothing to tell where all is kept word for word. */
function hasWords({ lines }: Piece): boolean {
  return lines.some(({ form, text }) => form !== 'kept' && text.trim() !== '');
}

/** A version whose prose a model wrote, within the same budget and with everything kept in its place. Writes no file. */
export async function compressByModel(
  world: World,
  engine: Engine,
  ref: SessionRef,
  input: CompressInput,
  options: ModelOptions = {},
): Promise<Compressed> {
  const { pieces, chunks, selected } = planOf(input);
  const told = new Map<Piece, Told>();
  const missing = await askAll(world, engine, ref, chunks, told, options);
  refuseHoles(engine, pieces, missing, told);
  return laidOut(input, selected, pieces, told, missing);
}

/** Asks for every chunk; what came back without a sound telling is asked for once more, alone. */
async function askAll(
  world: World,
  engine: Engine,
  ref: SessionRef,
  chunks: Chunk[],
  told: Map<Piece, Told>,
  { signal, onProgress }: ModelOptions,
): Promise<Map<Piece, Why>> {
  const missing = new Map<Piece, Why>();
  const progress = { done: 0, total: chunks.length, cached: 0 };
  const ask = async (chunk: Chunk) => {
    const isSound = (text: string, end: 'done' | 'cut' | 'refused') =>
      readReply(text, end, chunk).told.length * 2 >= chunk.pieces.length;
    const said = await askModel(world, engine, requestOf(ref, chunk), { signal, isSound });
    progress.done++;
    if (said.cached) progress.cached++;
    onProgress?.({ ...progress });
    return readReply(said.text, said.end, chunk);
  };
  const note = (reply: Reply) => {
    for (const it of reply.told) {
      told.set(it.piece, it);
      missing.delete(it.piece);
    }
    for (const { piece, why } of reply.missing) missing.set(piece, why);
  };
  onProgress?.({ ...progress });
  for (const reply of await atOnce(chunks, engine.settings.atOnce, ask)) note(reply);
  const again = [...missing.keys()].map((piece): Chunk => ({ pieces: [piece] }));
  // A chunk of one was asked alone already.
  const apart = again.filter(
    ({ pieces: [piece] }) => !chunks.some(({ pieces }) => pieces.length === 1 && pieces[0] === piece),
  );
  progress.total += apart.length;
  for (const reply of await atOnce(apart, engine.settings.atOnce, ask)) note(reply);
  return missing;
}

function requestOf({ project, session }: SessionRef, chunk: Chunk): ModelRequest {
  return { use: 'compress', project, session, ...askChunk(chunk) };
}

const WHY: Record<Why, string> = {
  refused: 'refused',
  empty: 'left empty',
  unfounded: 'answered with what the session does not say',
  cut: 'cut off',
  foreign: 'answered in words that are not those of the session',
};

function refuseHoles(
  engine: Engine,
  pieces: Piece[],
  missing: Map<Piece, Why>,
  told: Map<Piece, Told>,
): void {
  const tokens = (list: Iterable<Piece>) => [...list].reduce((sum, piece) => sum + piece.tokens, 0);
  if (missing.size === 0 || (told.size > 0 && tokens(missing.keys()) <= MOST_MISSING * tokens(pieces)))
    return;
  throw new Fault(
    'model',
    `${engine.id} gave no sound answer for ${missingText(missing, told)}. No version was made.`,
    {
      hint: 'Run it again, or name another model with --model. What was answered soundly is kept and not paid for twice.',
    },
  );
}

/** `3 of 20 stretches: 2 refused, 1 left empty` */
function missingText(missing: Map<Piece, Why>, told: Map<Piece, Told>): string {
  const counts = new Map<Why, number>();
  for (const why of missing.values()) counts.set(why, (counts.get(why) ?? 0) + 1);
  const reasons = [...counts].map(([why, count]) => `${count} ${WHY[why]}`).join(', ');
  return `${missing.size} of ${missing.size + told.size} stretches: ${reasons}`;
}

/** The telling cut to the budget that the ratio allows, sentence by sentence, by the offline engine's own measure. */
function laidOut(
  input: CompressInput,
  selected: Compressed,
  pieces: Piece[],
  told: Map<Piece, Told>,
  missing: Map<Piece, Why>,
): Compressed {
  const weights = new Map(input.kept.map(({ markerId, weight }) => [markerId, weight]));
  const { turns, kept, origins } = toldTurns(pieces, told, (marker) => weights.get(marker) ?? 1);
  const allowed = allowanceOf(input);
  const ratio = Math.max(1, input.inputTokens / Math.max(1, allowed));
  const [tier] = input.tiers;
  const made = compress({
    ...input,
    turns,
    kept,
    fates: selected.receipt.keepits,
    settings: { ...input.settings, mode: 'uniform', skipFirstMessages: 0, telegraphic: false },
    tiers: [{ endPercent: 100, compactionRatio: ratio, aggressiveness: tier?.aggressiveness ?? 'moderate' }],
  });
  const lines = made.lines.map((line) => {
    const places = line.l1.map((at) => origins[at - 1]!);
    return { ...line, l1: places.flatMap(({ l1 }) => l1), src: places.flatMap(({ src }) => src) };
  });
  const asked = input.tiers.length === 1 ? tier!.compactionRatio : Math.round(100 * ratio) / 100;
  const reached = made.receipt.reachedRatio;
  const hole =
    missing.size === 0 ? undefined : `The model gave no sound answer for ${missingText(missing, told)}.`;
  const reason = [made.receipt.reason, hole].filter((it) => it !== undefined).join(' ');
  const dropped = pieces.flatMap((piece) => told.get(piece)?.dropped ?? []);
  return {
    ...made,
    lines,
    jsonl: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    receipt: {
      ...receiptOf(input.turns, lines, made.markdown, made.receipt.keepits, {
        asked,
        reached,
        reason: reason === '' ? undefined : reason,
      }),
      ...(dropped.length === 0 ? {} : { dropped: dropped.slice(0, MOST_DROPPED) }),
    },
  };
}

/** What is certain whatever a model answers, and what the answers would cost. Asks nothing. */
export async function estimateByModel(
  world: World,
  engine: Engine,
  ref: SessionRef,
  input: CompressInput,
): Promise<{ compressed: Compressed; estimate: ModelEstimate }> {
  const { pieces, chunks, selected } = planOf(input);
  const estimate: ModelEstimate = {
    service: engine.model.service,
    model: engine.id,
    calls: chunks.length,
    answered: 0,
    inputTokens: 0,
    outputTokens: 0,
    mostInputTokens: 0,
    mostOutputTokens: 0,
  };
  for (const chunk of chunks) {
    const request = requestOf(ref, chunk);
    if (await isAnswered(world, engine, request)) {
      estimate.answered++;
      continue;
    }
    const most = mostOf(engine, request.system, request.prompt, request.maxTokens, input.count);
    estimate.inputTokens += input.count(request.system) + input.count(request.prompt);
    estimate.outputTokens += chunk.pieces.reduce((sum, { target }) => sum + target, 0);
    estimate.mostInputTokens += most.input;
    estimate.mostOutputTokens += most.output;
  }
  if (engine.price) {
    const { inputTokens: input_, outputTokens: output, mostInputTokens, mostOutputTokens } = estimate;
    estimate.usd = costOf(engine.price, { input: input_, output });
    estimate.mostUsd = costOf(engine.price, { input: mostInputTokens, output: mostOutputTokens });
  }
  return { compressed: laidOut(input, selected, pieces, new Map(), new Map()), estimate };
}
