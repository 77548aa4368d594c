import { allowanceOf, type Compressed, type CompressInput, compress } from '../../core/compress/compress.ts';
import { askChunk, type Chunk, chunksOf } from '../../core/compress/model/ask.ts';
import { overturnedWords } from '../../core/compress/model/overturned.ts';
import { type ExchangePiece, exchangePieces } from '../../core/compress/model/pieces.ts';
import type { Tier } from '../../core/model/version.ts';
import type { SessionRef } from '../find/session-ref.ts';
import type { ModelRequest } from '../model/call.ts';

/** The model reads a source this many times as long as its output: more would be wasted money. */
const SOURCE_SHARE = 3;
const LEAST_SHARE = 1.5;
const LARGEST_PIECE = 4000;
const CHUNK_TOKENS = 8000;

/** What there is to say in pieces, the pieces that are asked for together, and what the offline engine would say. */
export type ModelPlan = { pieces: ExchangePiece[]; chunks: Chunk[]; selected: Compressed };

/** What the model will be asked: the offline engine chooses what is worth reading, the model puts it into words. */
export function planOf(input: CompressInput): ModelPlan {
  const looser = (ratio: number) => Math.max(1, ratio / SOURCE_SHARE);
  const tiers = input.tiers.map((tier): Tier => ({ ...tier, compactionRatio: looser(tier.compactionRatio) }));
  const selected = compress({ ...input, tiers, settings: { ...input.settings, telegraphic: false } });
  // At light ratios there is less to choose from than that.
  const most = selected.outputTokens / Math.max(1, allowanceOf(input));
  const share = Math.min(SOURCE_SHARE, Math.max(LEAST_SHARE, most));
  const pieces = exchangePieces(selected.lines, {
    count: input.count,
    share,
    largest: LARGEST_PIECE,
  });
  return {
    pieces,
    chunks: chunksOf(pieces.filter(hasWords), CHUNK_TOKENS, overturnedWords(input)),
    selected,
  };
}

/** Nothing to compress where all is kept word for word. */
function hasWords({ lines }: ExchangePiece): boolean {
  return lines.some(({ form, text }) => form !== 'kept' && text.trim() !== '');
}

export function chunkRequest({ project, session }: SessionRef, chunk: Chunk): ModelRequest {
  return { use: 'compress', project, session, ...askChunk(chunk) };
}
