import { describe, expect, it } from 'vitest';
import { detectKeepits } from './detect.ts';
import { asMarker, nearMisses } from './near-misses.ts';

describe('a near miss of a marker', () => {
  it.each([
    ['##keepit0.5##', '##keepit0.50##'],
    ['##keepit1##', '##keepit1.00##'],
    ['##keepit##', '##keepit1.00##'],
    ['## keepit0.80 ##', '##keepit0.80##'],
    ['##keepit 0.80##', '##keepit0.80##'],
    ['##keep-it0.80##', '##keepit0.80##'],
    ['##keepit0,80##', '##keepit0.80##'],
    ['##keepit80##', '##keepit0.80##'],
    ['#keepit0.80#', '##keepit0.80##'],
  ])('%s is found, and how it is written right', (miss, right) => {
    const text = `Please note: ${miss} the price is in cents.`;
    expect(nearMisses(text)).toEqual([miss]);
    expect(asMarker(miss)).toBe(right);
    expect(detectKeepits(text.replace(miss, right))).toHaveLength(1);
  });

  it.each([
    '##keepit0.80## the price is in cents',
    'a ##keepit0.80## b ##/keepit##',
    'the marker `##keepit1##` is wrong',
    '```\n##keepit1##\n```',
    '# Keep it simple\n## Keepit and other words',
  ])('is not seen in %s', (text) => {
    expect(nearMisses(text)).toEqual([]);
  });
});
