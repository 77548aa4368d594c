/** Names of weights, heaviest first, as the server has them. */
export const PRESETS = [
  { name: 'pinned', weight: 1 },
  { name: 'critical', weight: 0.9 },
  { name: 'important', weight: 0.75 },
  { name: 'notable', weight: 0.5 },
  { name: 'minor', weight: 0.25 },
  { name: 'hint', weight: 0.1 },
] as const;

export function presetOf(weight: number): string {
  return PRESETS.find((preset) => weight >= preset.weight)?.name ?? 'hint';
}

/** Markers counted by weight, heaviest first. */
export function byWeight(
  markers: readonly { weight: number }[],
): { weight: number; preset: string; count: number }[] {
  const counts = new Map<number, number>();
  for (const { weight } of markers) counts.set(weight, (counts.get(weight) ?? 0) + 1);
  return [...counts]
    .sort(([a], [b]) => b - a)
    .map(([weight, count]) => ({ weight, preset: presetOf(weight), count }));
}

export type KeepitVerdict = 'SURVIVES' | 'BARELY SURVIVES' | 'SUMMARIZED';

/** A weight beside a threshold, in ten-thousandths so that equal means equal. */
export function outcomeAt(weight: number, threshold: number): KeepitVerdict {
  const [have, need] = [Math.round(weight * 10_000), Math.round(threshold * 10_000)];
  if (weight >= 1) return 'SURVIVES';
  return have > need ? 'SURVIVES' : have === need ? 'BARELY SURVIVES' : 'SUMMARIZED';
}
