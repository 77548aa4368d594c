import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergeText } from './merge-text.ts';
import { sectionBlocks, sectionsOf, textOfSections } from './sections.ts';

const BASE = '# Title\n\n## Context\nWhat it was.\n\n## Points\n- one (a)\n- two (b)\n';

test('untouched, the new text replaces it', () => {
  expect(mergeText(BASE, BASE, '# New\n\n## Points\n- three\n')).toEqual({
    text: '# New\n\n## Points\n- three\n',
    own: 0,
  });
});

test('lines, changes, sections and a title of the user stay; what the user took out stays out', () => {
  const theirs =
    '# My title\n\n## Context\nWhat it was.\n\n## Points\n- one, in my words\n- mine\n\n## My section\nEverything  here\n\n- stays\n';
  const ours =
    '# Title 2\n\n## Context\nWhat it was, and more.\n\n## Points\n- one (a; c)\n- two (b)\n- three (c)\n';
  const { text, own } = mergeText(BASE, theirs, ours);
  expect(text).toBe(
    '# My title\n\n## Context\nWhat it was, and more.\n\n## Points\n- one, in my words\n- mine\n- three (c)\n\n## My section\nEverything  here\n\n- stays\n',
  );
  expect(own).toBeGreaterThan(0);
});

test('without a base the whole text is the user’s', () => {
  const { text } = mergeText(undefined, '# Mine\n\nFree words.\n', '# Ours\n\n## Points\n- one\n');
  expect(text).toContain('# Mine');
  expect(text).toContain('Free words.');
  expect(text).toContain('- one');
});

test('a file with CRLF keeps it', () => {
  expect(mergeText(BASE, BASE.replace(/\n/g, '\r\n'), '# N\n\n- x\n').text).toBe('# N\r\n\r\n- x\r\n');
});

const word = fc.constantFrom('alpha', 'beta', 'gamma', 'delta', 'own words', '```\n# code\n```', '> quoted');
const section = fc.record({
  name: fc.constantFrom('Context', 'Points', 'Mine', 'Files'),
  blocks: fc.array(word, { maxLength: 4 }),
});
const page = fc
  .array(section, { maxLength: 4 })
  .map((parts) =>
    [
      '# T',
      ...parts.map(
        ({ name, blocks }) =>
          `## ${name}\n${blocks.map((it, i) => (it.startsWith('`') ? it : `- ${it} ${i}`)).join('\n\n')}`,
      ),
    ]
      .join('\n\n')
      .concat('\n'),
  );

test('no block that the user wrote is ever lost, and merging again changes nothing', () => {
  fc.assert(
    fc.property(page, page, page, (base, theirs, ours) => {
      const { text } = mergeText(base, theirs, ours);
      const before = new Set(sectionsOf(base).flatMap(({ lines }) => sectionBlocks(lines)));
      const after = new Set(sectionsOf(text).flatMap(({ lines }) => sectionBlocks(lines)));
      for (const { lines } of sectionsOf(theirs))
        for (const block of sectionBlocks(lines)) if (!before.has(block)) expect([...after]).toContain(block);
      expect(mergeText(base, theirs, base).text).toBe(theirs === base ? base : theirs);
      expect(mergeText(ours, text, ours).text).toBe(text);
    }),
  );
});

test('a text is its sections put together', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('# a', 'x', '', '```', '## b', '- c')), (lines) => {
      expect(textOfSections(sectionsOf(lines.join('\n')))).toBe(lines.join('\n'));
    }),
  );
});
