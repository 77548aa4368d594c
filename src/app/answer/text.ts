import { shortHash } from '../../core/model/ids.ts';
import { type Packed, type PackedPiece, pack } from '../../core/search/pack.ts';
import { type KnownTokens, mostPackedTokens } from '../../core/search/packed-tokens.ts';
import { estimateTokens } from '../../core/text/estimate-tokens.ts';
import { hasPlainWords } from '../../core/text/plain-words.ts';

/** The agent puts an answer of more than 10,000 characters into a file; what frames ours has room besides. */
const MOST_CHARACTERS = 9300;
/** By how much an estimate may be too low: misspelled words take more tokens than their length suggests. */
const MOST_OFF = 2.5;

export type PackedAnswer<P extends PackedPiece> = { text: string; tokens: number; included: P[] };

/** As much as a hook may say: inside its tokens and, as JSON, inside what the agent takes from a hook. `known`: counts that spare it the counter. */
export async function packWithin<P extends PackedPiece>(
  title: string,
  pieces: P[],
  tokens: number,
  known?: KnownTokens,
): Promise<PackedAnswer<P>> {
  if (pieces.length === 0 || tokens <= 0) return { text: '', tokens: 0, included: [] };
  const asJson = (text: string) => JSON.stringify(text).length - 2;
  const estimate = (text: string) =>
    Math.max(estimateTokens(text), Math.ceil((asJson(text) * tokens) / MOST_CHARACTERS));
  let packed = pack(title, pieces, tokens, estimate);
  const most = known && mostPackedTokens(packed.taken, known);
  if (most !== undefined && most <= tokens) return answerOf(packed, most);
  const estimated = estimateTokens(packed.text);
  // Estimates cost less than a count: a text far below its tokens is not counted. Letters of other scripts take many tokens each.
  if (estimated * MOST_OFF <= tokens && hasPlainWords(packed.text)) return answerOf(packed, estimated);
  const { loadTokenCounter } = await import('../../core/text/tokens.ts');
  const count = await loadTokenCounter();
  let counted = count(packed.text);
  for (let scale = 1; counted > tokens; counted = count(packed.text)) {
    scale *= Math.max(1.01, counted / tokens);
    packed = pack(title, pieces, tokens, (text) => Math.ceil(scale * estimate(text)));
  }
  return answerOf(packed, counted);
}

function answerOf<P extends PackedPiece>({ text, included }: Packed<P>, tokens: number): PackedAnswer<P> {
  return { text: text.trimEnd(), tokens, included };
}

/** By which a piece is known again: the same words from the same place are injected once in a context. */
export function pieceKey(piece: { text: string; sessionId?: string; exchange?: string }): string {
  return shortHash(`${piece.sessionId ?? ''}\n${piece.exchange ?? piece.text}`, 10);
}

/** Leaves out what was injected already, and notes nothing itself: only what is really answered counts as injected. */
export function notInjected<P extends { text: string }>(pieces: P[], injected: string[]): P[] {
  if (injected.length === 0) return pieces;
  const known = new Set(injected);
  return pieces.filter((piece) => !known.has(pieceKey(piece)));
}
