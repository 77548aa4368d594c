import type { Compressed, CompressInput } from '../../core/compress/compress.ts';
import type { Chunk } from '../../core/compress/model/ask.ts';
import type { ExchangePiece } from '../../core/compress/model/pieces.ts';
import { type CompressedPiece, type ReadReply, readReply, type Why } from '../../core/compress/model/read.ts';
import { Fault } from '../../core/model/fault.ts';
import type { SessionRef } from '../find/session-ref.ts';
import { inParallel } from '../in-parallel.ts';
import { askModel } from '../model/call.ts';
import type { Engine, ModelOptions } from '../model/engine.ts';
import type { World } from '../world.ts';
import { type Answered, laidOut, missingText } from './model-layout.ts';
import { chunkRequest, planOf } from './model-plan.ts';

/** Share of the source's tokens that may be missing before a version is refused. */
const MOST_MISSING = 0.25;

/** A version whose prose a model wrote, within the same budget and with everything kept in its place. Writes no file. */
export async function compressByModel(
  world: World,
  engine: Engine,
  { ref, input }: { ref: SessionRef; input: CompressInput },
  options: ModelOptions = {},
): Promise<Compressed> {
  const plan = planOf(input);
  const answered = await askAll(world, engine, { ref, chunks: plan.chunks }, options);
  refuseHoles(engine, plan.pieces, answered);
  return laidOut(input, plan, answered);
}

/** Asks for every chunk; what came back without a sound answer is asked for once more, alone. */
async function askAll(
  world: World,
  engine: Engine,
  { ref, chunks }: { ref: SessionRef; chunks: Chunk[] },
  { signal, onProgress }: ModelOptions,
): Promise<Answered> {
  const compressed = new Map<ExchangePiece, CompressedPiece>();
  const missing = new Map<ExchangePiece, Why>();
  const progress = { done: 0, total: chunks.length, cached: 0 };
  const ask = async (chunk: Chunk) => {
    const isSound = (text: string, end: 'done' | 'cut' | 'refused') =>
      readReply(text, end, chunk).compressed.length * 2 >= chunk.pieces.length;
    const answer = await askModel(world, engine, chunkRequest(ref, chunk), { signal, isSound });
    progress.done++;
    if (answer.cached) progress.cached++;
    onProgress?.({ ...progress });
    return readReply(answer.text, answer.end, chunk);
  };
  const note = (reply: ReadReply) => {
    for (const it of reply.compressed) {
      compressed.set(it.piece, it);
      missing.delete(it.piece);
    }
    for (const { piece, why } of reply.missing) missing.set(piece, why);
  };
  onProgress?.({ ...progress });
  for (const reply of await inParallel(chunks, engine.settings.atOnce, ask)) note(reply);
  const overturned = chunks[0]?.overturned ?? [];
  const again = [...missing.keys()].map((piece): Chunk => ({ pieces: [piece], overturned }));
  // A chunk of one was asked alone already.
  const apart = again.filter(
    ({ pieces: [piece] }) => !chunks.some(({ pieces }) => pieces.length === 1 && pieces[0] === piece),
  );
  progress.total += apart.length;
  for (const reply of await inParallel(apart, engine.settings.atOnce, ask)) note(reply);
  return { compressed, missing };
}

function refuseHoles(engine: Engine, pieces: ExchangePiece[], answered: Answered): void {
  const { missing, compressed } = answered;
  const tokens = (list: Iterable<ExchangePiece>) => [...list].reduce((sum, piece) => sum + piece.tokens, 0);
  if (missing.size === 0 || (compressed.size > 0 && tokens(missing.keys()) <= MOST_MISSING * tokens(pieces)))
    return;
  throw new Fault(
    'model',
    `${engine.id} gave no usable answer for ${missingText(answered)}. No version was made.`,
    {
      hint: 'Run the command again, or choose another model with --model. Usable answers are cached and not paid for twice.',
    },
  );
}
