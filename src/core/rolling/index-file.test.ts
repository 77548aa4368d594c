import fc from 'fast-check';
import { expect, test } from 'vitest';
import { emptyIndex, formatIndex, readIndex, withRotated, withSummary } from './index-file.ts';

const rotated = (file: string) => ({
  file,
  rotatedAt: '2026-01-13T12:00:00.000Z',
  tokenCount: 24500,
  summary: file.replace('.md', '.summary.json'),
  summaryGenerated: false,
});

test('begins as it is documented', () => {
  expect(Object.keys(emptyIndex())).toEqual([
    'version',
    'current',
    'rotatedFiles',
    'stats',
    'counter',
    'lastMemoryUpdateTs',
    'deltaCreatedAtMemoryMtime',
  ]);
  expect(readIndex(undefined)).toEqual({ index: emptyIndex(), broken: false });
});

test('fields that are not known stay, through any number of changes', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.stringMatching(/^x[a-z]{0,8}$/), fc.jsonValue()), (fields) => {
      const { index, broken } = readIndex(JSON.stringify({ ...emptyIndex(), ...fields }));
      expect(broken).toBe(false);
      const again = readIndex(
        formatIndex({ ...withRotated(index, rotated('memory_20260113_120000.md')), counter: 3 }),
      );
      expect(again.index).toMatchObject({ ...JSON.parse(JSON.stringify(fields)), counter: 3 });
    }),
  );
});

test('a damaged text gives its readable fields, and is reported as damaged', () => {
  const whole = formatIndex({
    ...emptyIndex(),
    counter: 7,
    lastMemoryUpdateTs: '2026-02-01T12:00:00.000Z',
    rotatedFiles: [rotated('memory_20260113_120000.md')],
    stats: { totalRotations: 4, lastRotation: '2026-01-13T12:00:00.000Z' },
    future: 'kept',
  });
  const { index, broken } = readIndex(`${whole.slice(0, -3)},,`);
  expect(broken).toBe(true);
  expect(index).toMatchObject({
    counter: 7,
    lastMemoryUpdateTs: '2026-02-01T12:00:00.000Z',
    rotatedFiles: [rotated('memory_20260113_120000.md')],
    stats: { totalRotations: 4, lastRotation: '2026-01-13T12:00:00.000Z' },
    future: 'kept',
  });
  for (let cut = 0; cut < whole.length; cut += 7)
    expect(readIndex(whole.slice(0, cut)).index.version).toBe(1);
});

test.each([
  '[]',
  '7',
  'null',
  '',
  '{"counter":"x"}',
  '{"rotatedFiles":{}}',
  '{"rotatedFiles":[{"file":"../x.md"}]}',
])('%s is no index', (text) => {
  const { index, broken } = readIndex(text);
  expect(broken).toBe(true);
  expect([index.counter, index.rotatedFiles]).toEqual([0, []]);
});

test('an archive is counted once, and its summary is noted', () => {
  const one = withRotated(emptyIndex(), rotated('memory_20260113_120000.md'));
  const same = withRotated(one, rotated('memory_20260113_120000.md'));
  expect(same).toBe(one);
  expect(one.stats).toEqual({ totalRotations: 1, lastRotation: '2026-01-13T12:00:00.000Z' });
  expect(withSummary(one, 'memory_20260113_120000.md').rotatedFiles[0]?.summaryGenerated).toBe(true);
});
