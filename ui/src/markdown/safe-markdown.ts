import { computed, defineComponent, h, type PropType, type VNode } from 'vue';
import type { Block, Inline, Leaf } from './nodes.ts';
import { parseMarkdown } from './parse-markdown.ts';
import { type Mark, splitByMarks } from './split-by-marks.ts';

/** Markdown of transcripts as nodes of the page: text stays text, whatever it holds; nothing is fetched. */
export const SafeMarkdown = defineComponent({
  name: 'SafeMarkdown',
  props: {
    text: { type: String, required: true },
    /** Ranges of the source that are shown as kept. */
    marks: { type: Array as PropType<readonly Mark[]>, default: () => [] },
  },
  setup(props) {
    const blocks = computed(() => parseMarkdown(props.text));
    return () => h('div', { class: 'prose' }, shown(blocks.value, props.marks));
  },
});

function shown(blocks: readonly Block[], marks: readonly Mark[]): VNode[] {
  return blocks.map((block) => shownBlock(block, marks));
}

function shownBlock(block: Block, marks: readonly Mark[]): VNode {
  const inline = (nodes: readonly Inline[]) => nodes.flatMap((node) => shownInline(node, marks));
  switch (block.kind) {
    case 'paragraph':
      return h('p', inline(block.inside));
    case 'heading':
      // A page has one first heading, and it is not this one.
      return h(
        'p',
        { class: 'prose-heading', role: 'heading', 'aria-level': Math.min(6, block.level + 3) },
        inline(block.inside),
      );
    case 'code':
      return h(
        'pre',
        { tabindex: 0 },
        h(
          'code',
          block.leaves.flatMap((leaf) => leaves(leaf, marks)),
        ),
      );
    case 'quote':
      return h('blockquote', shown(block.inside, marks));
    case 'rule':
      return h('hr');
    case 'list':
      return h(
        block.ordered ? 'ol' : 'ul',
        block.ordered && block.start !== 1 ? { start: block.start } : {},
        block.items.map((item) => h('li', shown(item, marks))),
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

function shownInline(node: Inline, marks: readonly Mark[]): VNode[] {
  switch (node.kind) {
    case 'text':
      return leaves(node, marks);
    case 'code':
      return [h('code', leaves(node, marks))];
    case 'link': {
      const { url } = node;
      const to = { href: url, title: url, target: '_blank', rel: 'noopener noreferrer nofollow' };
      return [
        h(
          'a',
          to,
          node.inside.flatMap((it) => shownInline(it, marks)),
        ),
      ];
    }
    default: {
      const tag = node.kind === 'strike' ? 's' : node.kind;
      return [
        h(
          tag,
          node.inside.flatMap((it) => shownInline(it, marks)),
        ),
      ];
    }
  }
}

/** Each piece knows its place in the source: a selection leads back to it. */
function leaves(leaf: Leaf, marks: readonly Mark[]): VNode[] {
  return splitByMarks(leaf, marks).map(({ text, at, mark }) =>
    mark
      ? h('mark', { 'data-at': at, 'data-marker': mark.id, 'data-weight': mark.weight.toFixed(2) }, text)
      : h('span', { 'data-at': at }, text),
  );
}
