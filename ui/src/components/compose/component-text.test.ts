import { expect, test } from 'vitest';
import { reasonText, specText } from './component-text.ts';

test('what a session became is said in words, however many parts it has', () => {
  expect(specText('new+composed')).toBe('compressed to fit');
  expect(specText('part1_v002+new')).toBe('part1_v002, the rest compressed to fit');
  expect(specText('part1_v002+part2_v001')).toBe('part1_v002 + part2_v001');
  expect(specText('none')).toBe('no room');
});

test('only reasons that say more than the figures are told', () => {
  expect(reasonText('Made to fit 688 tokens. Made to fit 3 tokens.')).toBe('');
  expect(reasonText('Made to fit 3 tokens; of its keepits only pinned ones have room.')).toBe(
    'Of its keepits only pinned ones have room.',
  );
  expect(reasonText('It fits whole.')).toBe('It fits whole.');
  expect(reasonText(undefined)).toBe('');
});
