import { parseMarkdown } from './parse-markdown.ts';
import { nodeEnd } from './walk-nodes.ts';

/** The beginning of a long text: at most so many characters, to the end of a block, or of a line where a block is longer. */
export function cutAtBlock(text: string, most: number): string {
  if (text.length <= most) return text;
  // Blocks that end before `most` are the same in the beginning alone, except for the last one.
  const ends = parseMarkdown(text.slice(0, most))
    .slice(0, -1)
    .flatMap((block) => nodeEnd(block) ?? []);
  const block = ends.at(-1) ?? 0;
  if (block >= most / 2) return text.slice(0, block);
  const line = text.lastIndexOf('\n', most);
  return text.slice(0, line >= most / 2 ? line : most);
}
