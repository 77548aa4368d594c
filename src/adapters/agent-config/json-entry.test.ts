import fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { describe, expect, test } from 'vitest';
import { configFiles } from './config-files.ts';
import { jsonEntry, withJsonEntry, withoutJsonEntry } from './json-entry.ts';
import { withJsonItem, withoutJsonItem } from './json-item.ts';

const ENTRY = { command: 'node', args: ['keepsake', 'mcp'] };
const AT = ['mcpServers', 'keepsake'];

describe('an entry in a file of somebody else', () => {
  test('leaves the lines of its neighbors and their comments where they are', () => {
    const before = [
      '{',
      '  // mine',
      '  "mcpServers": {',
      '    "a": {"command": "x"}, // the first one',
      '    "b": {"command": "y"} // the second one',
      '    // a note at the end',
      '  },',
      '}',
    ];
    const after = withJsonEntry(before.join('\r\n'), AT, { command: 'node' });
    expect(after?.split('\r\n')).toEqual([
      '{',
      '  // mine',
      '  "mcpServers": {',
      '    "a": {"command": "x"}, // the first one',
      '    "b": {"command": "y"}, // the second one',
      '    "keepsake": {',
      '      "command": "node"',
      '    }',
      '    // a note at the end',
      '  },',
      '}',
    ]);
  });

  test('keeps a comment in an object that was empty but for it, when it goes', () => {
    const before = '{\n\t"mcpServers": {\n\t\t/* none yet */\n\t},\n\t"z": 1\n}\n';
    expect(withoutJsonEntry(withJsonEntry(before, AT, ENTRY)!, AT)).toBe(before);
  });

  test('is removed without its neighbor in the same line, which stays outside any comment', () => {
    const before = '{ "mcpServers": { // servers\n  "keepsake": { "a": 1 }, "b": { "c": 2 } } }';
    const after = withoutJsonEntry(before, AT) ?? '';
    expect(parse(after)).toEqual({ mcpServers: { b: { c: 2 } } });
    expect(after).toContain('// servers\n');
  });

  test('stays in one line where the document has only one', () => {
    const after = withJsonEntry('{"mcpServers":{"a":{}},"z":[]}', AT, ENTRY);
    expect(after).toBe(
      '{"mcpServers":{"a":{}, "keepsake":{"command":"node","args":["keepsake","mcp"]}},"z":[]}',
    );
  });

  test('can be put into a file that begins with a byte order mark, and taken out', () => {
    const files = configFiles();
    const place = { format: 'json' as const, at: AT };
    const before = '\uFEFF{ "mcpServers" : { "a": 1 } }\n\n';
    const after = files.withEntry(before, place, ENTRY)!;
    expect(after.startsWith('\uFEFF{')).toBe(true);
    expect(files.entry(after, place)).toEqual(ENTRY);
    expect(files.withoutEntry(after, place)).toBe(before);
  });

  test('in any document with any comments, commas and line ends, is the only change, and can be removed without a trace', () => {
    fc.assert(
      fc.property(document(), ({ text, path }) => {
        const at = [...path, 'keepsake'];
        const after = withJsonEntry(text, at, ENTRY)!;
        expect(jsonEntry(after, at)).toEqual(ENTRY);
        expect(comments(after)).toEqual(comments(text));
        expect(withoutJsonEntry(after, at)).toBe(text);
        const list = [...path, 'list'];
        const item = withJsonItem(text, { at: list, own: 'mcp' }, ENTRY)!;
        expect(parse(item, [], { allowTrailingComma: true })).not.toEqual(
          parse(text, [], { allowTrailingComma: true }),
        );
        expect(withoutJsonItem(item, { at: list, own: 'mcp' })).toBe(text);
      }),
      { numRuns: 500 },
    );
  });
});

function comments(text: string): string[] {
  return text.match(/\/\/ c\d+|\/\* c\d+ \*\//g) ?? [];
}

/** An object with at least one member on the way to where the entry goes, and a list there. */
function document(): fc.Arbitrary<{ text: string; path: string[] }> {
  return fc
    .record({
      eol: fc.constantFrom('\n', '\r\n'),
      unit: fc.constantFrom('  ', '    ', '\t'),
      depth: fc.nat(2),
      style: fc.array(fc.nat(7), { minLength: 12, maxLength: 12 }),
    })
    .map(({ eol, unit, depth, style }) => {
      let count = 0;
      const bit = (which: number, of: number) => ((style[count % 12] ?? 0) & which) === of;
      const note = () => {
        count++;
        return bit(3, 1) ? ` // c${count}` : bit(3, 2) ? ` /* c${count} */` : '';
      };
      const object = (left: number, indent: string): string => {
        const inner = indent + unit;
        const rows = [
          '"one": {"x": 1}',
          `"list": [${note().includes('*') ? '"z", ' : ''}"y"]`,
          '"last": true',
        ];
        if (left > 0) rows.splice(count % 3, 0, `"deep": ${object(left - 1, inner)}`);
        const lines = rows.map((row, at) => {
          const isLast = at === rows.length - 1;
          const comma = !isLast || bit(4, 4) ? ',' : '';
          return `${inner}${row}${comma}${note()}`;
        });
        return ['{', ...lines, `${indent}}`].join(eol);
      };
      return { text: object(depth, '') + eol, path: Array.from({ length: depth }, () => 'deep') };
    });
}
