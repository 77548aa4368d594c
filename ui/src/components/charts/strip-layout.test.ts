import { expect, test } from 'vitest';
import { joinBlocks, joinMarks, seenMarks, spread, stripPlaces, stripPosition } from './strip-layout.ts';

const blocks = [
  { seconds: 60, tokens: 100, line: 1 },
  { seconds: 0, tokens: 0, line: 11 },
  { seconds: 600, tokens: 300, line: 21 },
];

test('blocks fill the strip, in order, by tokens or by time, and the smallest can still be seen', () => {
  for (const by of ['tokens', 'seconds'] as const) {
    const places = stripPlaces(blocks, by, 400);
    expect(places[0]?.from).toBe(0);
    expect((places[2]?.from ?? 0) + (places[2]?.size ?? 0)).toBeCloseTo(400);
    expect(places[1]?.size).toBeCloseTo(4);
  }
  const sizes = stripPlaces(blocks, 'tokens', 412).map(({ size }) => Math.round(size));
  expect(sizes).toEqual([104, 4, 304]);
});

test('a thousand exchanges fit into 400 pixels, and exchanges without any figure are alike', () => {
  const many = Array.from({ length: 1000 }, (_, n) => ({ seconds: n, tokens: n, line: n }));
  const places = stripPlaces(many, 'tokens', 400);
  expect((places.at(-1)?.from ?? 0) + (places.at(-1)?.size ?? 0)).toBeCloseTo(400);
  expect(places.every(({ size }) => size > 0)).toBe(true);
  const bare = stripPlaces([{ ...blocks[1]! }, { ...blocks[1]! }], 'tokens', 100);
  expect(bare).toEqual([
    { from: 0, size: 50 },
    { from: 50, size: 50 },
  ]);
  expect(stripPlaces([], 'tokens', 100)).toEqual([]);
});

test('a line is in its block, and the last line at the end', () => {
  const places = stripPlaces(blocks, 'tokens', 412);
  const at = (line: number) => stripPosition(blocks, places, { line, lines: 40 });
  expect(at(1)).toBe(0);
  expect(at(6)).toBeCloseTo(52);
  expect(at(41)).toBeCloseTo(412);
  expect(stripPosition([], [], { line: 1, lines: 1 })).toBeUndefined();
});

test('marks at one place are side by side, but never far from their position', () => {
  expect(spread([10, 10, 10, 100], 400)).toEqual([10, 18, 26, 100]);
  const crowd = spread(
    Array.from({ length: 50 }, () => 200),
    400,
  );
  expect(crowd.every((place) => place >= 200 && place <= 224)).toBe(true);
  expect(spread([0, 399], 400)).toEqual([4, 396]);
});

const block = (n: number, outcome = 'done') => ({
  seconds: 2,
  tokens: n,
  line: n,
  outcome,
  tools: 1,
  errors: 0,
});

test('a session of 10,000 exchanges is drawn as at most 200 blocks that hold all of them', () => {
  const many = Array.from({ length: 10_001 }, (_, n) => block(n, n % 3 === 0 ? 'failed' : 'done'));
  const joined = joinBlocks(many);
  expect(joined.length).toBeLessThanOrEqual(200);
  expect(joined[0]).toMatchObject({ first: 0, line: 0, outcome: 'done' });
  expect(joined.at(-1)?.last).toBe(10_000);
  expect(joined.every(({ first }, at) => first === (joined[at - 1]?.last ?? -1) + 1)).toBe(true);
  const sum = (of: { tools: number; tokens: number }[]) =>
    of.reduce((all, it) => all + it.tools + it.tokens, 0);
  expect(sum(joined)).toBe(sum(many));
  expect(joinBlocks(many.slice(0, 200))).toHaveLength(200);
});

test('a mark is in the joined block of its exchange, in its order', () => {
  const marks = [0, 5000, 9999, 10_000].map((at) => ({ block: at, at: 0.5 }));
  const joined = joinBlocks(Array.from({ length: 10_001 }, (_, n) => block(n)));
  for (const [at, mark] of joinMarks(marks, 10_001).entries()) {
    const { first = 0, last = 0 } = joined[mark.block] ?? {};
    expect(mark.at).toBeCloseTo(((marks[at]?.block ?? 0) - first + 0.5) / (last - first + 1));
  }
  expect(joinMarks([{ block: 3, at: 0.25 }], 10)).toEqual([{ block: 3, at: 0.25 }]);
});

test('of marks on one another one of each kind is drawn', () => {
  const marks = ['error', 'error', 'commit', 'error'].map((kind) => ({ kind }));
  expect(seenMarks(marks, [10, 10.2, 10, 50])).toEqual([0, 2, 3]);
});
