import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeJsonString, jsonStrings } from './json-strings.ts';

const at = (value: unknown, path: (string | number)[]) =>
  path.reduce<unknown>((node, key) => (node as Record<string | number, unknown>)[key], value);

function strings(value: unknown, path: (string | number)[] = []): (string | number)[][] {
  if (typeof value === 'string') return [path];
  if (Array.isArray(value)) return value.flatMap((it, index) => strings(it, [...path, index]));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, it]) => strings(it, [...path, key]));
}

test('every string value is found at its place, whatever surrounds it', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), fc.boolean(), (json, spaced) => {
      const value: unknown = JSON.parse(json);
      const text = spaced ? JSON.stringify(value, null, 2) : JSON.stringify(value);
      const found = jsonStrings(text);
      expect(found.map((it) => it.path)).toEqual(strings(JSON.parse(text)));
      for (const { path, start, end } of found) {
        expect(decodeJsonString(text.slice(start, end)).value).toBe(at(JSON.parse(text), path));
        expect([text[start - 1], text[end]]).toEqual(['"', '"']);
      }
    }),
  );
});

test('every character has its place, escaped or not', () => {
  const { value, places } = decodeJsonString('a\\n\\u00e9"é\\ud83d\\ude00\\\\b'.replace('"', '\\"'));
  expect(value).toBe('a\né"é😀\\b');
  expect(places).toEqual([0, 1, 3, 9, 11, 12, 18, 24, 26, 27]);
});
