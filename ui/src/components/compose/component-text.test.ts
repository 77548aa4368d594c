import { expect, test } from 'vitest';
import { reasonText, specText } from './component-text.ts';

test('what a session became is said in words, however many parts it has', () => {
  expect(specText('new+composed')).toBe('compressed to fit');
  expect(specText('part1_v002+new')).toBe('part1_v002, the rest compressed to fit');
  expect(specText('part1_v002+part2_v001')).toBe('part1_v002 + part2_v001');
  expect(specText('none')).toBe('no room');
});

test('only reasons that say more than the figures are shown', () => {
  expect(reasonText('Made to fit 688 tokens. Made to fit 3 tokens.')).toBe('');
  expect(reasonText('Compressed to fit 1,688 tokens. Compressed to fit 3 tokens.')).toBe('');
  expect(reasonText('Selected to fit 7,850 tokens. Part 2 selected to fit 3 tokens.')).toBe('');
  expect(reasonText('Made to fit 3 tokens; of its keepits only pinned ones have room.')).toBe(
    'Of its keepits only pinned ones have room.',
  );
  expect(reasonText('Compressed to fit 1,688 tokens; of its keepits only the pinned ones fit.')).toBe(
    'Of its keepits only the pinned ones fit.',
  );
  expect(reasonText('The whole session fits.')).toBe('The whole session fits.');
  expect(reasonText(undefined)).toBe('');
});
