/** Suggested weights with their meaning, heaviest first. */
export const WEIGHT_PRESETS = {
  pinned: 1,
  critical: 0.9,
  important: 0.75,
  notable: 0.5,
  minor: 0.25,
  hint: 0.1,
} as const;

export type WeightPreset = keyof typeof WEIGHT_PRESETS;

/** Clamped to 0..1, two decimals. */
export function validWeight(weight: number): number {
  return Math.round(Math.min(1, Math.max(0, weight)) * 100) / 100;
}

/** The heaviest preset that a weight reaches; below every preset it is still a hint. */
export function presetOf(weight: number): WeightPreset {
  for (const [name, least] of Object.entries(WEIGHT_PRESETS)) {
    if (validWeight(weight) >= least) return name as WeightPreset;
  }
  return 'hint';
}
