import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Block, Inline, Leaf } from './nodes.ts';
import { isSafeUrl } from './parse-inline.ts';
import { parseMarkdown } from './parse-markdown.ts';

/** All words of a text, with their places. */
function leavesOf(blocks: readonly Block[]): Leaf[] {
  const inline = (nodes: readonly Inline[]): Leaf[] =>
    nodes.flatMap((node) => ('inside' in node ? inline(node.inside) : [node]));
  return blocks.flatMap((block): Leaf[] => {
    switch (block.kind) {
      case 'rule':
        return [];
      case 'code':
        return block.leaves;
      case 'list':
        return block.items.flatMap(leavesOf);
      case 'quote':
        return leavesOf(block.inside);
      case 'table':
        return [...block.head, ...block.rows.flat()].flatMap(inline);
      default:
        return inline(block.inside);
    }
  });
}
function linksOf(blocks: readonly Block[]): string[] {
  return [...JSON.stringify(blocks).matchAll(/"kind":"link","url":("(?:[^"\\]|\\.)*")/g)].map((it) =>
    JSON.parse(it[1] ?? ''),
  );
}

const signs = fc.constantFrom(
  '*',
  '**',
  '_',
  '`',
  '```',
  '[',
  '](',
  ')',
  '#',
  '# ',
  '- ',
  '1. ',
  '> ',
  '|',
  '|-|',
  '~~',
  '\n',
  '\n\n',
  '  ',
  '\\',
  '<b>',
  'http://a.b',
  'javascript:',
  'word',
  'ä',
  '👩‍👧',
  '\r\n',
  '\t',
);
const texts = fc.array(signs, { maxLength: 60 }).map((parts) => parts.join(''));

describe('Markdown of a transcript', () => {
  test('every word is at its recorded place, in any text', () => {
    fc.assert(
      fc.property(texts, (text) => {
        for (const leaf of leavesOf(parseMarkdown(text))) {
          // A line of code ends with one sign, whatever ends it in the text.
          const words = leaf.text.replace(/\n$/, '').replaceAll('\r\n', ' \n');
          expect(text.replaceAll('\r\n', ' \n').slice(leaf.at, leaf.at + words.length)).toBe(words);
        }
      }),
    );
  });

  test('no letter is lost: what is not a sign of Markdown is shown, in its order', () => {
    const letters = fc
      .array(fc.constantFrom('a', 'b', 'c', ' ', '\n', '*', '`', '> ', '- '), { maxLength: 80 })
      .map((it) => it.join(''));
    fc.assert(
      fc.property(letters, (text) => {
        const shown = leavesOf(parseMarkdown(text))
          .map((leaf) => leaf.text)
          .join('');
        const only = (it: string) => it.replace(/[^abc]/g, '');
        expect(only(shown)).toBe(only(text));
      }),
    );
  });

  test('an address keeps the brackets that it opens itself', () => {
    const of = (text: string) => linksOf(parseMarkdown(text));
    expect(of('[Copyright](https://a.b/mark_(c)) it is')).toEqual(['https://a.b/mark_(c)']);
    expect(of('([here](https://a.b/x) and [there](https://a.b/y_(a_(b))z))')).toEqual([
      'https://a.b/x',
      'https://a.b/y_(a_(b))z',
    ]);
    expect(of('(see https://a.b/mark_(c)) or https://a.b/d).')).toEqual([
      'https://a.b/mark_(c)',
      'https://a.b/d',
    ]);
    expect(of('[open](https://a.b/(c)')).toEqual(['https://a.b/(c)']);
  });

  test('only addresses of pages and mail become links', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const links = linksOf(parseMarkdown(text));
        expect(links.filter((url) => !/^(https?:\/\/|mailto:)/i.test(url))).toEqual([]);
      }),
    );
    expect(
      [
        'javascript:a()',
        ' javascript:a()',
        'JAVASCRIPT:a',
        'data:text/html,x',
        'vbscript:x',
        '//a.b',
        'file:///etc/passwd',
        'https://a.b/"><i>',
      ].filter(isSafeUrl),
    ).toEqual([]);
  });

  test('of a link to a file of the project its name is shown, nothing else that is no page', () => {
    const of = (text: string) =>
      leavesOf(parseMarkdown(text))
        .map((it) => it.text)
        .join('');
    expect(of('[tool.go](go/cmd/tool.go) is')).toBe('tool.go is');
    expect(of('see [`tool.go:42`](../go/tool.go#L42)')).toBe('see tool.go:42');
    expect(of('it is [here](src/cart.ts#L12)')).toBe('it is src/cart.ts#L12');
    for (const other of [
      '[a](javascript:a.js)',
      '[a](//evil.com/a.js)',
      '[a](data:text/html)',
      '[a](words in it.md)',
    ])
      expect(of(other)).toBe(other);
  });

  test('no link gives our own page another key', () => {
    const hosts = [
      '127.0.0.1:4711',
      'LOCALHOST',
      'a.localhost:1',
      '[::1]:80',
      '2130706433',
      '0x7f.1',
      '0',
      'me@127.9.9.9',
    ];
    const own = [...hosts, '[::ffff:127.0.0.1]', 'localhost.'].map((host) => `http://${host}/memory#key=x`);
    expect(own.filter(isSafeUrl)).toEqual([]);
    expect(linksOf(parseMarkdown(`[here](${own[0]}) or ${own[0]}`))).toEqual([]);
    const others = ['http://127.0.0.1:4711/#keys', 'http://localhost/?a#b', 'https://a.b/c#key=x'];
    expect(others.filter(isSafeUrl)).toEqual(others);
  });

  test('blocks and words are distinguished', () => {
    const text =
      '# Title\n\nSome **bold** and `code`, see [here](https://a.b/c).\n\n- one\n  - two\n- three\n\n> quoted\n\n```ts\nlet a = 1;\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n---\n3. third';
    expect(parseMarkdown(text).map((block) => block.kind)).toEqual([
      'heading',
      'paragraph',
      'list',
      'quote',
      'code',
      'table',
      'rule',
      'list',
    ]);
    expect(parseMarkdown(text)[1]).toEqual({
      kind: 'paragraph',
      inside: [
        { kind: 'text', text: 'Some ', at: 9 },
        { kind: 'strong', span: { start: 14, end: 22 }, inside: [{ kind: 'text', text: 'bold', at: 16 }] },
        { kind: 'text', text: ' and ', at: 22 },
        { kind: 'code', span: { start: 27, end: 33 }, text: 'code', at: 28 },
        { kind: 'text', text: ', see ', at: 33 },
        {
          kind: 'link',
          url: 'https://a.b/c',
          span: { start: 39, end: 60 },
          inside: [{ kind: 'text', text: 'here', at: 40 }],
        },
        { kind: 'text', text: '.', at: 60 },
      ],
    });
  });

  test('HTML and pictures stay text', () => {
    expect(
      leavesOf(parseMarkdown('<img src=x onerror=a()> ![a](http://b.c/d.png)'))
        .map((leaf) => leaf.text)
        .join(''),
    ).toContain('<img src=x onerror=a()> ![a](');
    expect(JSON.stringify(parseMarkdown('![a](https://b.c/d.png)'))).not.toContain('image');
  });

  test('names with low lines are no stress, and a marker is no heading', () => {
    expect(leavesOf(parseMarkdown('some_snake_case and __init__x'))).toHaveLength(1);
    expect(parseMarkdown('##keepit0.80## Words')[0]?.kind).toBe('paragraph');
  });

  test('a hundred thousand signs that open and never close are read in one pass', () => {
    for (const sign of ['*', '**', '`', '[', '[a](', '> ', '- ', '|', '_a ', '\\', '~~a ']) {
      const text = sign.repeat(100_000);
      expect(leavesOf(parseMarkdown(text)).length).toBeLessThan(400_000);
    }
  });
});
