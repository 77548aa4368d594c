import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Fault } from '../core/model/fault.ts';
import { jsonFaultPlace } from './json-fault-place.ts';
import { parseSettings } from './parse-settings.ts';

test.each([
  ['{"a": 1,}', 1, 9],
  ['{\n  "a" 1\n}', 2, 7],
  ['{\n  "a": nope\n}', 2, 8],
  ['{"a": 1}\n}', 2, 1],
  ['{"a": "x', 1, 7],
  ['[1, 2', 1, 6],
  ['{"a": [1, {"b": tru}]}', 1, 17],
])('%j breaks at line %i, column %i', (text, line, column) => {
  expect(() => JSON.parse(text)).toThrow();
  expect(jsonFaultPlace(text)).toEqual({ line, column });
});

test('the place of a fault in text that is no fault is its end', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const lines = text.split('\n');
      expect(jsonFaultPlace(text)).toEqual({ line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 });
    }),
  );
});

test('a broken file is a fault that names the file, the line and what to do', () => {
  const fault = faultOf(() => parseSettings('{\n  "levels": {\n    light: 4\n}}', '/x/config.json'));
  expect(fault.code).toBe('config');
  expect(fault.message).toBe('/x/config.json is not JSON: line 3, column 5.');
  expect(fault.hint).toContain('config edit');
});

test('a file that holds something else than an object is a fault', () => {
  expect(faultOf(() => parseSettings('[1]', 'f')).message).toContain('one JSON object');
});

test.each(['['.repeat(200_000), '{"a":'.repeat(200_000), `${'{"a":'.repeat(9000)}1${'}'.repeat(9000)}`])(
  'a file nested without end is a fault like any other (%#)',
  (text) => {
    expect(faultOf(() => parseSettings(text, 'f')).code).toBe('config');
  },
);

test('a byte order mark in front is not the reason to refuse a file', () => {
  expect(parseSettings('\uFEFF{"a": 1}', 'f')).toEqual({ a: 1 });
});

function faultOf(work: () => unknown): Fault {
  try {
    work();
  } catch (error) {
    if (error instanceof Fault) return error;
  }
  throw new Error('no fault');
}
