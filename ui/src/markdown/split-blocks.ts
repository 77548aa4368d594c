import type { Block } from './nodes.ts';
import { nodeEnd } from './walk-nodes.ts';

/** Blocks up to the one that holds a place of the source, and those after it; of a list, up to its item. */
export function splitBlocks(blocks: readonly Block[], at: number): [Block[], Block[]] {
  const index = blocks.findIndex((block) => (nodeEnd(block) ?? 0) >= at);
  const block = blocks[index];
  if (!block) return [[...blocks], []];
  const [before, after] = [blocks.slice(0, index), blocks.slice(index + 1)];
  if (block.kind !== 'list') return [[...before, block], after];
  const items = 1 + block.items.findIndex((item) => item.some((it) => (nodeEnd(it) ?? 0) >= at));
  const rest: Block = { ...block, start: block.start + items, items: block.items.slice(items) };
  return [
    [...before, { ...block, items: block.items.slice(0, items) }],
    rest.items.length > 0 ? [rest, ...after] : after,
  ];
}
