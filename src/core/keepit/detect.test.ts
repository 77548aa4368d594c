import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { detectKeepits, keepitId } from './detect.ts';
import { presetOf, validWeight, WEIGHT_PRESETS } from './weight.ts';

const contents = (text: string, extent?: 'paragraph' | 'message') =>
  detectKeepits(text, extent ? { extent } : {}).map((keepit) => keepit.content);

const EDITOR = `The architecture should use a layered approach:

##keepit0.80## This is the critical decision:

We will use PostgreSQL for the main database because:
1. JSONB support for flexible schemas
2. Strong ACID compliance
3. Excellent tooling ecosystem

Please implement this starting with the data layer.`;

describe('detectKeepits', () => {
  it('keeps the whole decision of the Keepit Editor and not the request after it', () => {
    const [keepit, ...rest] = detectKeepits(EDITOR);
    expect(rest).toEqual([]);
    expect(keepit).toMatchObject({
      weight: 0.8,
      start: EDITOR.indexOf('##'),
      contentEnd: EDITOR.indexOf('\n\nPlease'),
    });
    expect(keepit!.content).toBe(EDITOR.slice(EDITOR.indexOf('This is'), EDITOR.indexOf('\n\nPlease')));
  });

  it.each([
    ['a marker in the middle of a line', 'a ##keepit0.50## b c', ['b c']],
    ['any case', '##KeepIt0.50## b', ['b']],
    ['several lines of one paragraph', '##keepit0.50## b\nc\n\nd', ['b\nc']],
    ['Windows line ends', '##keepit0.50## b\r\nc\r\n\r\nd', ['b\r\nc']],
    ['the next marker ends the one before', '##keepit0.50## a ##keepit0.75## b', ['a', 'b']],
    ['a closing tag ends it', '##keepit0.50## a ##/keepit## b', ['a']],
    ['a closing tag reaches over blank lines', '##keepit0.50## a\n\nb\n\n##/KEEPIT## c', ['a\n\nb']],
    [
      'a closing tag belongs to the marker right before it',
      '##keepit0.50## a\n\nb\n\n##keepit0.10## c\n\nd ##/keepit##',
      ['a', 'c\n\nd'],
    ],
    ['a marker alone on its line keeps the block below', '##keepit0.50##\n\na\nb\n\nc', ['a\nb']],
    ['a marker with nothing after it keeps nothing', 'a ##keepit0.50##  \n', []],
    ['one decimal is no marker', '##keepit1.5## a', []],
    ['three decimals are no marker', '##keepit0.500## a', []],
    ['no weight is no marker', '##keepit## a', []],
    ['no marker does not end one', '##keepit0.50## a ##keepit1.5## b', ['a ##keepit1.5## b']],
    ['inline code is no marker', 'write `##keepit0.50## x` to keep', []],
    ['double backticks neither', 'write ``a ` ##keepit0.50## x`` to keep', []],
    ['an open backtick is no code', 'a ` ##keepit0.50## x', ['x']],
    ['backticks do not pair across paragraphs', 'a `\n\n##keepit0.50## x `', ['x `']],
    [
      'inline code stands in the content',
      '##keepit0.50## use `##keepit0.10##` so',
      ['use `##keepit0.10##` so'],
    ],
    ['a closing tag in code does not close', '##keepit0.50## a `##/keepit##` b', ['a `##/keepit##` b']],
    ['a fence is no marker', '```\n##keepit0.50## x\n```\n', []],
    ['tildes neither', '~~~sh\n##keepit0.50## x\n~~~', []],
    ['an unclosed fence neither', 'a\n```\n##keepit0.50## x\n\ny', []],
    ['an indented fence in a list neither', '1. a\n\n   ```js\n   ##keepit0.50## x\n   ```\n', []],
    ['a fence on the line of a bullet neither', '- ```\n  ##keepit0.50## x\n  ```\n', []],
    ['a shorter fence does not close a longer one', '````\n```\n##keepit0.50## x\n````', []],
    ['tildes do not close backticks', '```\n~~~\n##keepit0.50## x\n```', []],
    ['after a fence it is text again', '```\nx\n```\n##keepit0.50## y', ['y']],
    [
      'a fence after a colon is kept whole',
      '##keepit0.50## run:\n\n```\na\n\nb\n```\n\nc',
      ['run:\n\n```\na\n\nb\n```'],
    ],
    [
      'a fence without a blank line too',
      '##keepit0.50## run\n```\na\n\nb\n```\n\nc',
      ['run\n```\na\n\nb\n```'],
    ],
    [
      'a fence on the line of the marker too',
      '##keepit0.50## ```sh\na\n\nb\n```\n\nc',
      ['```sh\na\n\nb\n```'],
    ],
    ['a fence without a colon is not carried', '##keepit0.50## run\n\n```\na\n```', ['run']],
    ['a colon carries a paragraph', '##keepit0.50## so:\n\na\nb\n\nc', ['so:\n\na\nb']],
    ['a bold colon too', '##keepit0.50## **so:**\n\na\n\nc', ['**so:**\n\na']],
    [
      'a colon carries a loose list',
      '##keepit0.50## so:\n\n- a\n\n- b\n  more\n\n  and\n\n- c\n\nd',
      ['so:\n\n- a\n\n- b\n  more\n\n  and\n\n- c'],
    ],
    [
      'a list right below its colon may be loose too',
      '##keepit0.50## so:\n1. a\n\n2. b\n\nc',
      ['so:\n1. a\n\n2. b'],
    ],
    ['a colon at the end of the message', '##keepit0.50## so:\n\n', ['so:']],
    ['a colon before the next marker', '##keepit0.50## so:\n\n##keepit0.10## b', ['so:', 'b']],
    ['a marked item of a list is that item', '- a\n- ##keepit0.50## b\n  more\n- c', ['b\n  more']],
    ['a marked item has its inner list', '- ##keepit0.50## b:\n  - x\n  - y\n- c', ['b:\n  - x\n  - y']],
    ['a heading ends a paragraph', '##keepit0.50## a\n## Next\nb', ['a']],
    ['a quotation ends at its empty line', '> ##keepit0.50## a\n> b\n>\n> c', ['a\n> b']],
  ])('%s', (_, text, expected) => {
    expect(contents(text)).toEqual(expected);
  });

  it('takes everything to the next marker or the end where the extent is the message', () => {
    expect(contents('##keepit0.50## a\n\nb\n\n##keepit1.00## c\n\nd', 'message')).toEqual([
      'a\n\nb',
      'c\n\nd',
    ]);
    expect(contents('##keepit0.50## a ##/keepit## b ##keepit9 c', 'message')).toEqual(['a ##/keepit## b']);
    expect(contents('`##keepit0.50## a`', 'message')).toEqual([]);
  });

  it('clamps weights', () => {
    expect(detectKeepits('##keepit7.25## a ##keepit0.00## b').map((keepit) => keepit.weight)).toEqual([1, 0]);
  });

  it('counts the closing tag to the marker', () => {
    const text = 'x ##keepit0.50## a ##/keepit## b';
    const [keepit] = detectKeepits(text);
    expect(text.slice(keepit!.start, keepit!.end)).toBe('##keepit0.50## a ##/keepit##');
  });

  const pieces = [
    ...[
      '##keepit0.50##',
      '##KEEPIT1.00##',
      '##/keepit##',
      '##keepit1.5##',
      '`',
      '``',
      '```',
      '~~~',
      '\n',
      '\n\n',
      '\r\n',
    ],
    ...[' ', ':', 'word', '- ', '1. ', '   ', '> ', '# ', '##', 'é😀', 'so:\n\n'],
  ];
  const message = fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 5 })), {
    maxLength: 40,
  });

  it('gives positions that are right, in order, without overlap', () => {
    fc.assert(
      fc.property(message, fc.constantFrom('paragraph' as const, 'message' as const), (list, extent) => {
        const text = list.join('');
        let last = 0;
        for (const keepit of detectKeepits(text, { extent })) {
          expect(keepit.start).toBeGreaterThanOrEqual(last);
          expect(text.slice(keepit.start)).toMatch(/^##keepit\d+\.\d\d##/i);
          expect(text.slice(keepit.contentStart, keepit.contentEnd)).toBe(keepit.content);
          expect(keepit.content.trim()).toBe(keepit.content);
          expect(keepit.content).not.toBe('');
          expect(keepit.contentStart).toBeGreaterThan(keepit.start);
          expect(keepit.end).toBeGreaterThanOrEqual(keepit.contentEnd);
          last = keepit.end;
        }
      }),
      { numRuns: 3_000 },
    );
  });

  it('never removes a marker from code, whatever surrounds it', () => {
    const plain = fc
      .array(fc.constantFrom('word', ' ', '\n', '\n\n', ':', '- ', '1. ', 'é'))
      .map((list) => list.join(''));
    const code = fc.constantFrom(
      '`##keepit0.50## x`',
      '\n\n```\n##keepit0.50## x\n```\n',
      '\n\n~~~\n##keepit0.50## x\n~~~\n',
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(plain, code), { maxLength: 5 }), plain, (list, rest) => {
        expect(detectKeepits(list.flat().join('') + rest)).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });

  it('gets through a megabyte of hostile text', () => {
    // Quadratic work on these would take hours.
    for (const piece of [
      '##keepit0.50##',
      '##keepit0.50## a\n\n',
      '`##keepit0.50##',
      '``` `` `',
      'a:\n\n',
      '##keepit0.50## a:\n\n- ',
      '\n> ',
      '##/keepit##',
    ]) {
      const text = `##keepit0.50## a:\n\n${piece.repeat(Math.ceil(1e6 / piece.length))}`;
      expect(detectKeepits(text).every((keepit) => keepit.weight === 0.5)).toBe(true);
    }
  });
});

describe('keepitId', () => {
  it('is the same for the same marker and differs for another', () => {
    expect(keepitId('s', 'm', 3)).toBe(keepitId('s', 'm', 3));
    expect(keepitId('s', 'm', 3)).toMatch(/^k_[0-9a-f]{16}$/);
    expect(
      new Set([keepitId('s', 'm', 3), keepitId('s', 'm', 4), keepitId('t', 'm', 3), keepitId('s', 'n', 3)])
        .size,
    ).toBe(4);
  });
});

describe('weights', () => {
  it('have two decimals between 0 and 1', () => {
    expect([-1, 0.004, 0.755, 1.2].map(validWeight)).toEqual([0, 0, 0.76, 1]);
  });

  it('are named after the heaviest preset they reach', () => {
    expect(Object.values(WEIGHT_PRESETS).map(presetOf)).toEqual(Object.keys(WEIGHT_PRESETS));
    expect([0.95, 0.8, 0.51, 0.3, 0.05].map(presetOf)).toEqual([
      'critical',
      'important',
      'notable',
      'minor',
      'hint',
    ]);
  });
});
