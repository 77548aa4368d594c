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

/** `0.8`, `.80`, `1` or the name of a preset; a sentence that says what is wrong with anything else. */
export function readWeight(text: string): { weight: number } | { wrong: string } {
  const word = text.trim().toLowerCase();
  if (Object.hasOwn(WEIGHT_PRESETS, word)) return { weight: WEIGHT_PRESETS[word as WeightPreset] };
  const shown = JSON.stringify(text.slice(0, 40));
  if (!/^[+-]?(?:\d{1,6}(?:\.\d{0,20})?|\.\d{1,20})$/.test(word))
    return { wrong: `${shown} is not a weight.` };
  const weight = Number(word);
  if (weight < 0 || weight > 1) return { wrong: `A weight must be between 0.00 and 1.00, not ${shown}.` };
  if (validWeight(weight) !== weight) return { wrong: `A weight has at most two decimals, not ${shown}.` };
  return { weight };
}

/** What `readWeight` takes, for a hint. */
export const WEIGHT_WORDS = `Write 0.80, or one of ${Object.keys(WEIGHT_PRESETS).join(', ')}.`;
