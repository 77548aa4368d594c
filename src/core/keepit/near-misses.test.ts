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

  it.each([
    ['##keepit100##', '##keepit1.00##'],
    ['##keepit0.805##', '##keepit0.81##'],
    ['##keepit10.5##', '##keepit0.10##'],
    ['## /keepit##', '##/keepit##'],
    ['###keepit0.80##', '##keepit0.80##'],
    ['##keepit0.80###', '##keepit0.80##'],
    ['###/keepit##', '##/keepit##'],
    ['##/keepit###', '##/keepit##'],
    ['##KEEP-IT=0.7#', '##keepit0.70##'],
  ])('%s is one, too', (miss, right) => {
    expect(nearMisses(`So ${miss} it is`)).toEqual([miss]);
    expect(asMarker(miss)).toBe(right);
  });

  it('is no marker with a weight of several digits', () => {
    expect(nearMisses('So ##keepit10.80## it is')).toEqual([]);
  });

  it('is listed once each, three at most, and only outside of code', () => {
    expect(nearMisses('##keepit1## ##keepit1## #keepit2# #keepit3# #keepit4#')).toEqual([
      '##keepit1##',
      '#keepit2#',
      '#keepit3#',
    ]);
    expect(nearMisses('`x`#keepit1#`y`')).toEqual(['#keepit1#']);
    expect(nearMisses('`#keepit1#`')).toEqual([]);
    expect(nearMisses('#keepit1# `a`')).toEqual(['#keepit1#']);
  });
});
