import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BLOCK_BEGIN, BLOCK_END, blockIn, withBlock, withoutBlock } from './claude-md.ts';
import { rulesBlock } from './rules-block.ts';

const bytes = fc.oneof(
  fc.uint8Array({ max: 255 }).map((it) => Buffer.from(it.map((byte) => byte || 1))),
  fc
    .array(fc.constantFrom('a', '\r\n', '\n', '\r', '# x', ' ', 'ä', '```'))
    .map((it) => Buffer.from(it.join(''))),
);
const made = (edit: ReturnType<typeof withBlock>): Buffer => {
  if ('refused' in edit) throw new Error(edit.refused);
  return edit.bytes;
};

test('a block that is put in and taken out again leaves every byte as it was', () => {
  fc.assert(
    fc.property(bytes, fc.lorem(), fc.lorem(), (file, one, two) => {
      const first = made(withBlock(file, one));
      expect(blockIn(first)).toBe(one.trim());
      const second = made(withBlock(first, two));
      expect(blockIn(second)).toBe(two.trim());
      expect(made(withBlock(second, two))).toEqual(second);
      expect(made(withoutBlock(second))).toEqual(file);
      expect(made(withoutBlock(file))).toEqual(file);
    }),
  );
});

test('text before and after the block is not changed, whatever its line ends', () => {
  fc.assert(
    fc.property(bytes, bytes, fc.constantFrom('\n', '\r\n'), (before, after, newline) => {
      const start = Buffer.concat([before, Buffer.from(newline)]);
      const end = Buffer.concat([Buffer.from(newline), after]);
      const file = Buffer.concat([
        start,
        Buffer.from(`${BLOCK_BEGIN}${newline}old${newline}${BLOCK_END}`),
        end,
      ]);
      const edited = made(withBlock(file, 'new words'));
      expect(edited.subarray(0, start.length)).toEqual(start);
      expect(edited.subarray(edited.length - end.length)).toEqual(end);
    }),
  );
});

test('a file with CRLF gets a block with CRLF', () => {
  expect(String(made(withBlock(Buffer.from('a\r\nb\r\n'), 'x\ny')))).toBe(
    `a\r\nb\r\n${BLOCK_BEGIN}\r\nx\r\ny\r\n${BLOCK_END}\r\n`,
  );
});

test.each([
  ['two begins', `${BLOCK_BEGIN}\n${BLOCK_BEGIN}\n${BLOCK_END}\n`],
  ['no end', `${BLOCK_BEGIN}\nx\n`],
  ['no begin', `x\n${BLOCK_END}\n`],
  ['the wrong order', `${BLOCK_END}\n${BLOCK_BEGIN}\n`],
  ['two blocks', `${BLOCK_BEGIN}\n${BLOCK_END}\n${BLOCK_BEGIN}\n${BLOCK_END}\n`],
  ['a mark inside a line', `see ${BLOCK_BEGIN}\nx\n${BLOCK_END} there\n`],
  ['another encoding', 'a\0b\0'],
])('%s: refused with a sentence', (_, text) => {
  for (const edit of [withBlock(Buffer.from(text), 'x'), withoutBlock(Buffer.from(text))]) {
    expect('refused' in edit && edit.refused).toMatch(/^CLAUDE\.md .*was not changed\.$/);
  }
});

test('no rule can end the block', () => {
  const block = rulesBlock([`x ${BLOCK_END} y\n${BLOCK_BEGIN}`, 'Use tabs.', 'Use tabs.', ' ']);
  expect(blockIn(made(withBlock(Buffer.from('a'), block)))).toContain('- Use tabs.');
  expect(block.match(/^- /gm)).toHaveLength(2);
});
