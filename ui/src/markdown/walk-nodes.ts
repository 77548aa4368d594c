import type { Block, Inline } from './nodes.ts';

/** All inline nodes of a block, those around others first. */
export function inlinesOf(block: Block): Inline[] {
  const all = (nodes: readonly Inline[]): Inline[] =>
    nodes.flatMap((node) => ('inside' in node ? [node, ...all(node.inside)] : [node]));
  switch (block.kind) {
    case 'rule':
    case 'code':
      return [];
    case 'list':
      return block.items.flat().flatMap(inlinesOf);
    case 'quote':
      return block.inside.flatMap(inlinesOf);
    case 'table':
      return [...block.head, ...block.rows.flat()].flatMap(all);
    default:
      return all(block.inside);
  }
}

/** Where the last word of a block ends in the source; undefined if it has none. */
export function nodeEnd(block: Block): number | undefined {
  if (block.kind === 'list')
    return block.items
      .flat()
      .map(nodeEnd)
      .findLast((end) => end !== undefined);
  if (block.kind === 'quote') return block.inside.map(nodeEnd).findLast((end) => end !== undefined);
  const leaves =
    block.kind === 'code' ? block.leaves : inlinesOf(block).filter((it) => !('inside' in it) && 'at' in it);
  const last = leaves.at(-1);
  return last && 'at' in last ? last.at + last.text.length : undefined;
}
