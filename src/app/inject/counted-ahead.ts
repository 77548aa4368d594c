import { headingTokens, partKey, pieceTokens } from '../../core/search/packed-tokens.ts';
import { loadTokenCounter } from '../../core/text/tokens.ts';
import { rulePieces } from '../answer/rules.ts';
import type { RecallScope } from '../find/scope.ts';
import type { RecallPiece } from '../recall/sources.ts';
import type { World } from '../world.ts';
import { titleParts } from './start-title.ts';

/** What a start says, with its tokens: a session that starts need not load the counter, which takes longer than all it counts. */
export async function countedAhead(
  world: World,
  { name = '', manifests }: Pick<RecallScope, 'name' | 'manifests'>,
  pieces: readonly RecallPiece[],
): Promise<{ pieces: (RecallPiece & { tokens: number })[]; tokens: Record<string, number> }> {
  const count = await loadTokenCounter();
  const rules = await rulePieces(
    world,
    manifests.map(({ projectId }) => projectId),
  );
  const headings = new Set([...rules, ...pieces].map(({ section }) => section));
  return {
    pieces: pieces.map((piece) => ({ ...piece, tokens: pieceTokens(piece, count) })),
    tokens: Object.fromEntries([
      ...titleParts(name).map((part) => [part, count(part)] as const),
      ...[...headings].map((heading) => [heading, headingTokens(heading, count)] as const),
      ...rules.map((rule) => [partKey(rule), pieceTokens(rule, count)] as const),
    ]),
  };
}
