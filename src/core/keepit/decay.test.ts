import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CONFIG_DEFAULTS } from '../model/config-defaults.ts';
import {
  type DecayLevel,
  decayLevelOf,
  judgeKeepit,
  type KeepitMode,
  thresholdOf,
  weightText,
} from './decay.ts';

const decay = CONFIG_DEFAULTS.keepitDecay;
const marker = (weight: number, held = false) => ({ markerId: 'm', weight, held });
type At = { distance: number; ratio: number; base?: DecayLevel };
const judge = (
  weight: number,
  { distance, ratio, base = decayLevelOf(undefined, ratio) }: At,
  mode: KeepitMode = 'decay',
) => judgeKeepit(marker(weight), { ratio, distance, base, decay }, mode);

describe('the five worked examples', () => {
  it.each([
    [0.8, 10, 'aggressive', 30, 8000, 'BARELY SURVIVES', '0.50 + 30/100 x 10/10 = 0.80, weight 0.80'],
    [0.8, 5, 'aggressive', 30, 6500, 'SURVIVES', '0.50 + 30/100 x 5/10 = 0.65, weight 0.80'],
    [0.25, 10, 'moderate', 15, 4500, 'SUMMARIZED', '0.30 + 15/100 x 10/10 = 0.45, weight 0.25'],
    [0.5, 7, 'light', 5, 1350, 'SURVIVES', '0.10 + 5/100 x 7/10 = 0.135, weight 0.50'],
    [1, 10, 'aggressive', 50, 10_000, 'SURVIVES', 'pinned, weight 1.00: always survives'],
  ] as const)('%d at distance %d, %s %d:1', (...[weight, distance, base, ratio, threshold, verdict, why]) => {
    expect(judge(weight, { distance, ratio, base })).toEqual({
      markerId: 'm',
      weight: weight * 10_000,
      threshold,
      survives: verdict !== 'SUMMARIZED',
      verdict,
      why,
    });
  });

  it('pinned survives any settings', () => {
    for (const ratio of [1, 30, 50, 1000])
      for (const distance of [0, 1, 10, 500]) expect(judge(1, { distance, ratio }).survives).toBe(true);
  });
});

it('the four lines of the editor, for a weight of 0.80', () => {
  const lines = [
    [1, 30],
    [5, 30],
    [10, 30],
    [10, 50],
  ].map(([distance, ratio]) => judge(0.8, { distance: distance!, ratio: ratio! }).verdict);
  expect(lines).toEqual(['SURVIVES', 'SURVIVES', 'BARELY SURVIVES', 'SUMMARIZED']);
});

it('the example of the interface: threshold 0.65', () => {
  const at = { ratio: 30, distance: 5, base: 'aggressive' as const, decay };
  expect(thresholdOf(at) / 10_000).toBe(0.65);
  expect([1, 0.8, 0.5].map((weight) => judgeKeepit(marker(weight), at, 'decay').survives)).toEqual([
    true,
    true,
    false,
  ]);
});

describe('levelOf', () => {
  it('follows the asked aggressiveness, whatever the ratio', () => {
    expect(decayLevelOf('minimal', 50)).toBe('light');
    expect(decayLevelOf('moderate', 2)).toBe('moderate');
    expect(decayLevelOf('aggressive', 2)).toBe('aggressive');
  });

  it('otherwise the band of the ratio; between two bands the stronger', () => {
    const bands = [1, 5, 5.01, 5.5, 6, 15, 15.5, 16, 50].map((ratio) => decayLevelOf(undefined, ratio));
    expect(bands).toEqual([
      'light',
      'light',
      'moderate',
      'moderate',
      'moderate',
      'moderate',
      'aggressive',
      'aggressive',
      'aggressive',
    ]);
  });
});

describe('modes', () => {
  it('preserve-all keeps everything, ignore only what is pinned', () => {
    expect(judge(0, { distance: 10, ratio: 50 }, 'preserve-all')).toMatchObject({
      survives: true,
      verdict: 'SURVIVES',
    });
    expect(judge(0.99, { distance: 0, ratio: 1 }, 'ignore')).toMatchObject({
      survives: false,
      threshold: 10_000,
    });
    expect(judge(1, { distance: 10, ratio: 50 }, 'ignore').survives).toBe(true);
  });

  it('a marker that waits for confirmation survives in none, not even pinned, and says so', () => {
    for (const mode of ['decay', 'preserve-all', 'ignore'] as const) {
      const fate = judgeKeepit(marker(1, true), { ratio: 2, distance: 1, base: 'light', decay }, mode);
      expect(fate).toMatchObject({ survives: false, verdict: 'SUMMARIZED' });
      expect(fate.why).toContain('not confirmed yet');
    }
  });

  it('from the weight that the settings call pinned', () => {
    const at = {
      ratio: 50,
      distance: 10,
      base: 'aggressive' as const,
      decay: { ...decay, pinnedWeight: 0.9 },
    };
    expect(judgeKeepit(marker(0.9), at, 'ignore').survives).toBe(true);
    expect(judgeKeepit(marker(0.89), at, 'ignore').survives).toBe(false);
  });
});

describe('laws', () => {
  const weight = fc.integer({ min: 0, max: 100 }).map((it) => it / 100);
  const distance = fc.integer({ min: 0, max: 40 });
  const ratio = fc.integer({ min: 100, max: 10_000 }).map((it) => it / 100);
  const level = fc.constantFrom<DecayLevel>('light', 'moderate', 'aggressive');
  const constants = fc.record({
    compressionBase: fc.record({ light: weight, moderate: weight, aggressive: weight }),
    maxSessionDistance: fc.integer({ min: 1, max: 37 }),
    pinnedWeight: weight,
  });

  it('a survivor survives with more weight, nearer, and at a lower ratio', () => {
    fc.assert(
      fc.property(
        fc.record({ weight, distance, ratio }),
        fc.record({ weight, distance, ratio }),
        level,
        constants,
        (one, other, base, own) => {
          const [most, least] = [Math.max, Math.min].map((of) => ({
            weight: of(one.weight, other.weight),
            at: {
              distance: of(one.distance, other.distance),
              ratio: of(one.ratio, other.ratio),
              base,
              decay: own,
            },
          }));
          const hardly = judgeKeepit(marker(least!.weight), most!.at, 'decay').survives;
          expect(judgeKeepit(marker(most!.weight), least!.at, 'decay').survives || !hardly).toBe(true);
        },
      ),
    );
  });

  it('is decided as exact fractions decide it', () => {
    fc.assert(
      fc.property(weight, fc.record({ distance, ratio, base: level }), constants, (w, at, own) => {
        const max = BigInt(own.maxSessionDistance);
        const left = BigInt(Math.round(w * 10_000)) * max;
        const start = BigInt(Math.round(own.compressionBase[at.base] * 10_000)) * max;
        const right =
          start + BigInt(Math.round(at.ratio * 100)) * BigInt(Math.min(at.distance, own.maxSessionDistance));
        const pinned = w >= own.pinnedWeight;
        const fate = judgeKeepit(marker(w), { ...at, decay: own }, 'decay');
        expect(fate.survives).toBe(pinned || left >= right);
        expect(Number.isInteger(fate.threshold)).toBe(true);
      }),
    );
  });

  it('beyond the greatest distance nothing changes', () => {
    fc.assert(
      fc.property(ratio, level, fc.integer({ min: 10, max: 9999 }), (r, base, far) => {
        expect(thresholdOf({ ratio: r, distance: far, base, decay })).toBe(
          thresholdOf({ ratio: r, distance: 10, base, decay }),
        );
      }),
    );
  });
});

it('a weight is shown with two decimals, or as many as it has', () => {
  expect([0, 8000, 1350, 10_000, 10_501, 3334].map(weightText)).toEqual([
    '0.00',
    '0.80',
    '0.135',
    '1.00',
    '1.0501',
    '0.3334',
  ]);
});
