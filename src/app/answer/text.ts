import { shortHash } from '../../core/model/ids.ts';
import { type PackedPiece, pack } from '../../core/search/pack.ts';
import { estimateTokens } from '../../core/text/estimate-tokens.ts';
import { hasPlainWords } from '../../core/text/plain-words.ts';

/** The agent puts an answer of more than 10,000 characters into a file; what frames ours has room besides. */
const MOST_CHARACTERS = 9300;
/** By how much an estimate may be too low: misspelt words take more tokens than their length tells. */
const MOST_OFF = 2.5;

export type PackedAnswer<P extends PackedPiece> = { text: string; tokens: number; included: P[] };

/** As much as a hook may say: inside its tokens and, as JSON, inside what the agent takes from a hook. */
export async function packWithin<P extends PackedPiece>(
  title: string,
  pieces: P[],
  tokens: number,
): Promise<PackedAnswer<P>> {
  if (pieces.length === 0 || tokens <= 0) return { text: '', tokens: 0, included: [] };
  const asJson = (text: string) => JSON.stringify(text).length - 2;
  const estimate = (text: string) =>
    Math.max(estimateTokens(text), Math.ceil((asJson(text) * tokens) / MOST_CHARACTERS));
  let packed = pack(title, pieces, tokens, estimate);
  const estimated = estimateTokens(packed.text);
  // Estimates cost less than a count: a text far below its tokens is not counted. Letters of other scripts take many tokens each.
  if (estimated * MOST_OFF <= tokens && hasPlainWords(packed.text))
    return { text: packed.text.trimEnd(), tokens: estimated, included: packed.included };
  const { loadTokenCounter } = await import('../../core/text/tokens.ts');
  const count = await loadTokenCounter();
  let counted = count(packed.text);
  for (let scale = 1; counted > tokens; counted = count(packed.text)) {
    scale *= Math.max(1.01, counted / tokens);
    packed = pack(title, pieces, tokens, (text) => Math.ceil(scale * estimate(text)));
  }
  return { text: packed.text.trimEnd(), tokens: counted, included: packed.included };
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
