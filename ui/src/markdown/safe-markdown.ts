import { computed, defineComponent, h, type PropType, type VNode } from 'vue';
import { type RouteLocationRaw, RouterLink } from 'vue-router';
import type { Block, Inline, Leaf, TextSpan } from './nodes.ts';
import { parseMarkdown } from './parse-markdown.ts';
import { splitBlocks } from './split-blocks.ts';
import { type Mark, splitByMarks } from './split-by-marks.ts';
import { splitByWords } from './split-by-words.ts';

/** Ranges of the source that another text does not have, and how they are shown. */
type Differences = { as: 'del' | 'ins'; ranges: readonly TextSpan[] };
/** Where an id that a text names leads to, and what people call it. */
export type References = (id: string) => { title: string; to: RouteLocationRaw } | undefined;
type Shown = {
  references?: References | undefined;
  marks: readonly Mark[];
  find: string;
  under: number;
  differences?: Differences | undefined;
};

/** Markdown of transcripts as nodes of the page: text stays text, whatever it holds; nothing is fetched. */
export const SafeMarkdown = defineComponent({
  name: 'SafeMarkdown',
  props: {
    text: { type: String, required: true },
    /** Ranges of the source that are shown as kept. */
    marks: { type: Array as PropType<readonly Mark[]>, default: () => [] },
    /** Words that are looked for. */
    find: { type: String, default: '' },
    /** Compared with another text: the ranges that only this one has. */
    differences: { type: Object as PropType<Differences | undefined>, default: undefined },
    /** Ids of sessions and exchanges in the text are shown as links with a title. */
    references: { type: Function as PropType<References | undefined>, default: undefined },
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
      return how.references ? namedIds(node, how.references) : leaves(node, how);
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

const IDS = /\b(ex_[0-9a-f]{12}|[0-9a-f]{8})\b/;

/** A text with the ids that are known shown by their titles, each a way to what it names. */
function namedIds({ text }: Leaf, references: References): VNode[] {
  return text.split(IDS).map((part) => {
    const named = IDS.test(part) ? references(part) : undefined;
    return named ? h(RouterLink, { to: named.to }, () => named.title) : h('span', part);
  });
}

const madeMarks = new WeakMap<Differences, readonly Mark[]>();
function asMarks(of: Differences): readonly Mark[] {
  const marks = madeMarks.get(of) ?? of.ranges.map((range) => ({ id: '', weight: 0, ...range }));
  madeMarks.set(of, marks);
  return marks;
}

/** Each piece knows its place in the source: a selection leads back to it. */
function leaves(leaf: Leaf, { marks, find, differences }: Shown): VNode[] {
  if (differences)
    return splitByMarks(leaf, asMarks(differences)).map(({ mark, text }) =>
      h(mark ? differences.as : 'span', text),
    );
  return splitByMarks(leaf, marks).flatMap(({ mark, ...piece }) =>
    splitByWords(piece, find).map(({ text, at, found }) => {
      const own = { 'data-at': at, ...(found ? { class: 'found' } : {}) };
      if (mark)
        return h('mark', { ...own, 'data-marker': mark.id, 'data-weight': mark.weight.toFixed(2) }, text);
      return h(found ? 'mark' : 'span', own, text);
    }),
  );
}
