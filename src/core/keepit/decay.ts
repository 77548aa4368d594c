import type { KeepitMarker } from '../model/session.ts';
import type { Aggressiveness, Decay, KeepitOutcome } from '../model/version.ts';

/** The level that sets where a threshold starts. */
export type DecayLevel = keyof Decay['compressionBase'];
export type KeepitMode = 'decay' | 'preserve-all' | 'ignore';
export type DecayAt = { ratio: number; distance: number; base: DecayLevel; decay: Decay };

export type KeepitVerdict = 'SURVIVES' | 'BARELY SURVIVES' | 'SUMMARIZED';
export type JudgedKeepit = KeepitOutcome & { verdict: KeepitVerdict };

/** Weights and thresholds are compared as whole ten-thousandths: .5 + .3 is .8 then. */
const UNIT = 10_000;
const LIGHT_UP_TO = 5;
const MODERATE_UP_TO = 15;

export function tenThousandths(value: number): number {
  return Math.round(value * UNIT);
}

/**
 * The weight that content needs to survive, in ten-thousandths: base + ratio/100 x min(distance, max)/max. A ratio
 * counts with two decimals. Fractions are rounded up, which changes no comparison with a whole number.
 */
export function thresholdOf({ ratio, distance, base, decay }: DecayAt): number {
  const hundredths = Math.round(ratio * 100);
  const max = decay.maxSessionDistance;
  return tenThousandths(decay.compressionBase[base]) + Math.ceil((hundredths * capped(distance, max)) / max);
}

/**
 * The level of an asked aggressiveness, otherwise of the ratio: light up to 5, moderate up to 15, aggressive beyond. A
 * ratio between two bands (5.5, 15.2) belongs to the stronger one.
 */
export function decayLevelOf(aggressiveness: Aggressiveness | undefined, ratio: number): DecayLevel {
  if (aggressiveness !== undefined) return aggressiveness === 'minimal' ? 'light' : aggressiveness;
  if (ratio <= LIGHT_UP_TO) return 'light';
  return ratio <= MODERATE_UP_TO ? 'moderate' : 'aggressive';
}

/** The threshold in any mode: nothing is needed where all is preserved, and only pinned content counts when ignored. */
export function thresholdIn(mode: KeepitMode, at: DecayAt): number {
  if (mode === 'preserve-all') return 0;
  return mode === 'ignore' ? tenThousandths(at.decay.pinnedWeight) : thresholdOf(at);
}

/** Whether a marker survives, with the sum behind it. Pinned content survives in every mode; what is held back in none. */
export function judgeKeepit(
  marker: Pick<KeepitMarker, 'markerId' | 'weight' | 'held'>,
  at: DecayAt,
  mode: KeepitMode,
): JudgedKeepit {
  const weight = tenThousandths(marker.weight);
  const threshold = thresholdIn(mode, at);
  const pinned = weight >= tenThousandths(at.decay.pinnedWeight);
  const survives = !marker.held && (pinned || weight >= threshold);
  const barely = survives && !pinned && mode === 'decay' && weight === threshold;
  return {
    markerId: marker.markerId,
    weight,
    threshold,
    survives,
    why: marker.held ? HELD : pinned ? pinnedWhy(weight) : whyIn(mode, at, weight),
    verdict: survives ? (barely ? 'BARELY SURVIVES' : 'SURVIVES') : 'SUMMARIZED',
  };
}

/** `0.80`, `0.135`: at least two decimals, and no more than it has. */
export function weightText(value: number): string {
  const [whole = '0', parts = ''] = (value / UNIT).toFixed(4).split('.');
  return `${whole}.${parts.slice(0, 2)}${parts.slice(2).replace(/0+$/, '')}`;
}

const HELD = 'not confirmed yet: treated as plain text';

function pinnedWhy(weight: number): string {
  return `pinned, weight ${weightText(weight)}: always survives`;
}

function whyIn(mode: KeepitMode, at: DecayAt, weight: number): string {
  const described = `weight ${weightText(weight)}`;
  if (mode === 'preserve-all') return `every keepit is preserved, ${described}`;
  if (mode === 'ignore') return `keepits are ignored unless pinned, ${described}`;
  const max = at.decay.maxSessionDistance;
  const start = weightText(tenThousandths(at.decay.compressionBase[at.base]));
  const ratio = Math.round(at.ratio * 100) / 100;
  return `${start} + ${ratio}/100 x ${capped(at.distance, max)}/${max} = ${weightText(thresholdOf(at))}, ${described}`;
}

function capped(distance: number, max: number): number {
  return Math.min(Math.max(0, distance), max);
}
