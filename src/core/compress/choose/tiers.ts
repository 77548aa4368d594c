import { Fault } from '../../model/fault.ts';
import type { Aggressiveness, CompressSettings, Tier } from '../../model/version.ts';

export type TierPreset = 'gentle' | 'standard' | 'aggressive';

const ENDS = [25, 50, 75, 90, 100] as const;

/** Old messages shrink most; the last ones stay almost whole. */
export const TIER_PRESETS: Record<TierPreset, readonly Tier[]> = {
  gentle: preset([10, 'moderate'], [7, 'moderate'], [5, 'light'], [4, 'light'], [2, 'light']),
  standard: preset([25, 'aggressive'], [15, 'aggressive'], [10, 'moderate'], [5, 'moderate'], [3, 'light']),
  aggressive: preset(
    [50, 'aggressive'],
    [35, 'aggressive'],
    [20, 'aggressive'],
    [10, 'moderate'],
    [5, 'light'],
  ),
};

type Step = readonly [ratio: number, aggressiveness: Aggressiveness];

function preset(...steps: [Step, Step, Step, Step, Step]): Tier[] {
  return steps.map(([compactionRatio, aggressiveness], index) => ({
    endPercent: ENDS[index]!,
    compactionRatio,
    aggressiveness,
  }));
}

/** What a ratio is called when nothing else is said: up to 5 light, up to 15 moderate, beyond that aggressive. */
export function aggressivenessOf(ratio: number): Aggressiveness {
  if (ratio <= 5) return 'light';
  return ratio <= 15 ? 'moderate' : 'aggressive';
}

/** The tiers that settings mean: their own, a preset's, or one for everything. */
export function tiersOf(settings: CompressSettings): Tier[] {
  if (settings.mode === 'tiered') {
    if (settings.customTiers) return settings.customTiers;
    const { tierPreset } = settings;
    return [...TIER_PRESETS[tierPreset === undefined || tierPreset === 'custom' ? 'standard' : tierPreset]];
  }
  const compactionRatio = settings.compactionRatio ?? 10;
  const aggressiveness = settings.aggressiveness ?? aggressivenessOf(compactionRatio);
  return [{ endPercent: 100, compactionRatio, aggressiveness }];
}

/** Refuses a list that does not ascend, does not end at 100, or has a ratio below 1. */
export function checkTiers(tiers: Tier[]): Tier[] {
  const wrong = whatIsWrong(tiers);
  if (wrong === undefined) return tiers;
  throw new Fault('bad-input', `Invalid tiers: ${wrong}.`, {
    hint: 'Each tier has endPercent, compactionRatio and aggressiveness; endPercent ascends and ends at 100.',
  });
}

function whatIsWrong(tiers: Tier[]): string | undefined {
  if (tiers.length === 0) return 'the list is empty';
  let before = 0;
  for (const { endPercent, compactionRatio } of tiers) {
    if (endPercent <= before) return `endPercent ${endPercent} must be greater than ${before}`;
    if (compactionRatio < 1) return `a ratio of ${compactionRatio} would make the text longer`;
    before = endPercent;
  }
  return before === 100 ? undefined : `the last endPercent is ${before}, not 100`;
}

/** Which tier each message is in, from how many there are: `tierIndex(tiers, 0, 4)` is that of the first of four. */
export function tierIndex(tiers: Tier[], message: number, messages: number): number {
  const percent = (100 * (message + 1)) / Math.max(1, messages);
  const found = tiers.findIndex((tier) => percent <= tier.endPercent);
  return found === -1 ? tiers.length - 1 : found;
}
