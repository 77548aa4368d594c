import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { l1LineShape } from './l1.ts';
import { parseOutside, parseStored, parseStoredLine, parseStoredLines } from './parse-stored.ts';
import { anything, fields, figure, list, oneOf, record, type Schema, text } from './shape.ts';

const shape = fields(
  { version: oneOf(1), name: text, told: list(text), made: record(figure) },
  { place: fields({ at: figure }) },
);
const value = fc.record(
  {
    version: fc.constant(1),
    name: fc.string(),
    told: fc.array(fc.string()),
    made: fc.dictionary(fc.string(), fc.double({ noNaN: true, noDefaultInfinity: true })),
    place: fc.record({ at: fc.integer() }),
    later: fc.jsonValue(),
  },
  { requiredKeys: ['version', 'name', 'told', 'made'] },
);
const zodSchema = z.looseObject({ version: z.literal(1), told: z.array(z.string()) });
const SCHEMAS: Record<string, Schema<unknown>> = { shape, zod: zodSchema, l1: l1LineShape };

test.each(Object.entries(SCHEMAS))(
  'any bytes are read or called damaged by %s, and never thrown at',
  (_, schema) => {
    fc.assert(
      fc.property(
        fc.oneof(fc.uint8Array(), fc.json().map(Buffer.from), fc.string().map(Buffer.from)),
        (bytes) => {
          const read = parseStored(Buffer.from(bytes), schema, ['version', 1]);
          expect(['read', 'outdated', 'damaged']).toContain(read.state);
          if (read.state === 'damaged') expect(read.why).not.toBe('');
          const { values, damaged } = parseStoredLines(Buffer.from(bytes).toString('utf8'), schema);
          expect(values.length + damaged.length).toBeLessThanOrEqual(
            Buffer.from(bytes).toString().split('\n').length,
          );
        },
      ),
    );
  },
);

test('what is sound comes back as it was stored, with what a later version added', () => {
  fc.assert(
    fc.property(value, (stored) => {
      const plain = JSON.parse(JSON.stringify(stored));
      expect(parseStored(Buffer.from(JSON.stringify(stored)), shape)).toEqual({
        state: 'read',
        value: plain,
      });
    }),
  );
});

test('a value that lost or changed one of its fields is damaged, and the field is named', () => {
  const paths = ['version', 'name', 'told', 'made'] as const;
  fc.assert(
    fc.property(
      value,
      fc.constantFrom(...paths),
      fc.constantFrom(undefined, null, {}, [[]], true),
      (stored, path, other) => {
        fc.pre(!(path === 'made' && JSON.stringify(other) === '{}'));
        const read = parseStored(Buffer.from(JSON.stringify({ ...stored, [path]: other })), shape);
        expect(read.state).toBe('damaged');
        expect(read).toMatchObject({ why: expect.stringMatching(new RegExp(`^${path}`)) });
      },
    ),
  );
});

test('a file cut off anywhere is damaged, never a shorter value', () => {
  fc.assert(
    fc.property(value, fc.double({ min: 0, max: 0.999, noNaN: true }), (stored, part) => {
      const bytes = Buffer.from(JSON.stringify(stored));
      const cut = bytes.subarray(0, Math.floor(bytes.length * part));
      expect(parseStored(cut, shape).state).toBe('damaged');
    }),
  );
});

test('a file of another version is outdated, not damaged, whatever it holds', () => {
  const older = Buffer.from('{"version":0,"told":7}');
  expect(parseStored(older, shape, ['version', 1])).toEqual({ state: 'outdated' });
  expect(parseStored(older, shape).state).toBe('damaged');
});

test('sound lines are read around damaged ones, and those are named by their place', () => {
  const line = fc.oneof(
    fc.record({ n: fc.integer() }).map((it) => ({ text: JSON.stringify(it), sound: true })),
    fc.constantFrom('{"n":', '{"n":"one"}', '[]', 'null').map((it) => ({ text: it, sound: false })),
  );
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const { values, damaged } = parseStoredLines(
        lines.map((it) => `${it.text}\n`).join(''),
        fields({ n: figure }),
      );
      expect(values).toEqual(lines.filter((it) => it.sound).map((it) => JSON.parse(it.text)));
      const wrong = lines.flatMap((it, index) => (it.sound ? [] : [index + 1]));
      expect(damaged.map((it) => it.line)).toEqual(wrong);
    }),
  );
});

test('a last line without its end was never whole: it is left out, and is no damage', () => {
  expect(parseStoredLines('{"n":1}\n{"n":', fields({ n: figure }))).toEqual({
    values: [{ n: 1 }],
    damaged: [],
  });
});

test('a key that names a prototype is a key like any other', () => {
  const read = parseStored(Buffer.from('{"__proto__":{"at":1}}'), record(fields({ at: figure })));
  expect(read.state).toBe('read');
  expect(parseStoredLine('{"__proto__":{"at":"x"}}', record(fields({ at: figure }))).state).toBe('damaged');
});

test('what others wrote is a value or nothing', () => {
  fc.assert(fc.property(fc.string(), (it) => void parseOutside(it)));
  fc.assert(
    fc.property(fc.jsonValue(), (it) => {
      expect(parseOutside(JSON.stringify(it))).toEqual(JSON.parse(JSON.stringify(it)));
    }),
  );
  expect(anything.wrong(undefined)).toBeUndefined();
});
