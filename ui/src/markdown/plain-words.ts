import type { Block, Inline } from './nodes.ts';
import { parseMarkdown } from './parse-markdown.ts';

/** The words of a Markdown text without its marks: for places where a line or two of it is shown. */
export function plainWords(text: string): string {
  return parseMarkdown(text)
    .map(wordsOfBlock)
    .filter((words) => words !== '')
    .join('\n')
    .replace(/^(?:\*\*|__)\s*|\s*(?:\*\*|__)$/g, '');
}

function wordsOfBlock(block: Block): string {
  switch (block.kind) {
    case 'paragraph':
    case 'heading':
      return wordsOf(block.inside);
    case 'code':
      return block.leaves.map(({ text }) => text).join('');
    case 'quote':
      return block.inside.map(wordsOfBlock).join('\n');
    case 'list':
      return block.items.map((item) => item.map(wordsOfBlock).join('\n')).join('\n');
    case 'table':
      return [block.head, ...block.rows].map((row) => row.map(wordsOf).join(', ')).join('\n');
    case 'rule':
      return '';
  }
}

function wordsOf(inside: readonly Inline[]): string {
  return inside.map((node) => ('inside' in node ? wordsOf(node.inside) : node.text)).join('');
}
