import { computed, defineComponent, h, type PropType, type VNode } from 'vue';
import type { Block, Inline, Leaf } from './nodes.ts';
import { parseMarkdown } from './parse-markdown.ts';
import { splitBlocks } from './split-blocks.ts';
import { type Mark, splitByMarks } from './split-by-marks.ts';
import { splitByWords } from './split-by-words.ts';

type Shown = { marks: readonly Mark[]; find: string; under: number };

/** Markdown of transcripts as nodes of the page: text stays text, whatever it holds; nothing is fetched. */
export const SafeMarkdown = defineComponent({
  name: 'SafeMarkdown',
  props: {
    text: { type: String, required: true },
    /** Ranges of the source that are shown as kept. */
    marks: { type: Array as PropType<readonly Mark[]>, default: () => [] },
    /** Words that are looked for. */
    find: { type: String, default: '' },
    /** The slot is after the block that holds this place of the source. */
    asideAt: { type: Number as PropType<number | undefined>, default: undefined },
    /** The level of the page's heading above it. */
    under: { type: Number, default: 2 },
  },
  setup(props, { slots }) {
    const blocks = computed(() => parseMarkdown(props.text));
    return () => {
      const prose = (of: readonly Block[]) => h('div', { class: 'prose' }, shown(of, props));
      if (props.asideAt === undefined) return prose(blocks.value);
      const [before, after] = splitBlocks(blocks.value, props.asideAt);
      return h('div', [prose(before), h('div', { 'data-aside': '' }, slots.default?.()), prose(after)]);
    };
  },
});

function shown(blocks: readonly Block[], how: Shown): VNode[] {
  const levels = headingLevels(blocks, how.under);
  return blocks.map((block, at) => shownBlock(block, how, levels[at] ?? 6));
}

/** For who hears the page: each heading one level below the one it belongs to, whatever signs the text uses. */
function headingLevels(blocks: readonly Block[], under: number): number[] {
  const above: number[] = [];
  return blocks.map((block) => {
    if (block.kind !== 'heading') return 6;
    while ((above.at(-1) ?? 0) >= block.level) above.pop();
    above.push(block.level);
    return Math.min(6, under + above.length);
  });
}

function shownBlock(block: Block, how: Shown, level: number): VNode {
  const inline = (nodes: readonly Inline[]) => nodes.flatMap((node) => shownInline(node, how));
  switch (block.kind) {
    case 'paragraph':
      return h('p', inline(block.inside));
    case 'heading':
      return h(
        'p',
        {
          class: ['prose-heading', `prose-heading-${Math.min(4, block.level)}`],
          role: 'heading',
          'aria-level': level,
        },
        inline(block.inside),
      );
    case 'code':
      return h(
        'pre',
        { tabindex: 0 },
        h(
          'code',
          block.leaves.flatMap((leaf) => leaves(leaf, how)),
        ),
      );
    case 'quote':
      return h('blockquote', shown(block.inside, how));
    case 'rule':
      return h('hr');
    case 'list':
      return h(
        block.ordered ? 'ol' : 'ul',
        block.ordered && block.start !== 1 ? { start: block.start } : {},
        block.items.map((item) => h('li', shown(item, how))),
      );
    case 'table':
      return h('div', { class: 'prose-table', tabindex: 0 }, [
        h('table', [
          h(
            'thead',
            h(
              'tr',
              block.head.map((cell) => h('th', inline(cell))),
            ),
          ),
          h(
            'tbody',
            block.rows.map((row) =>
              h(
                'tr',
                row.map((cell) => h('td', inline(cell))),
              ),
            ),
          ),
        ]),
      ]);
  }
}

function shownInline(node: Inline, how: Shown): VNode[] {
  switch (node.kind) {
    case 'text':
      return leaves(node, how);
    case 'code':
      return [h('code', leaves(node, how))];
    case 'link': {
      const { url } = node;
      const to = { href: url, title: url, target: '_blank', rel: 'noopener noreferrer nofollow' };
      return [
        h(
          'a',
          to,
          node.inside.flatMap((it) => shownInline(it, how)),
        ),
      ];
    }
    default: {
      const tag = node.kind === 'strike' ? 's' : node.kind;
      return [
        h(
          tag,
          node.inside.flatMap((it) => shownInline(it, how)),
        ),
      ];
    }
  }
}

/** Each piece knows its place in the source: a selection leads back to it. */
function leaves(leaf: Leaf, { marks, find }: Shown): VNode[] {
  return splitByMarks(leaf, marks).flatMap(({ mark, ...piece }) =>
    splitByWords(piece, find).map(({ text, at, found }) => {
      const own = { 'data-at': at, ...(found ? { class: 'found' } : {}) };
      if (mark)
        return h('mark', { ...own, 'data-marker': mark.id, 'data-weight': mark.weight.toFixed(2) }, text);
      return h(found ? 'mark' : 'span', own, text);
    }),
  );
}
