import { isMessage, isSpoken } from '../../model/l1.ts';
import type { CompressSettings, Tier } from '../../model/version.ts';
import type { Turn } from '../turn.ts';
import { tierIndex } from './tiers.ts';

/** Turns `from` to `to` (exclusive) that are treated alike. */
export type Zone = {
  from: number;
  to: number;
  /** Left out except for what is pinned, included whole, or made to fit. */
  way: 'drop' | 'whole' | 'fit';
  /** Tokens of the original; those of skipped messages count for their tier. */
  tokens: number;
  ratio: number;
  telegraphic: boolean;
};

/** What `shrink` means in manual mode. */
const MANUAL_RATIO = 10;

/** `tokens` of each turn. */
export function zonesOf(turns: Turn[], tokens: number[], settings: CompressSettings, tiers: Tier[]): Zone[] {
  const messages = turns.filter(({ line }) => isSpoken(line)).length;
  const tierTokens = tiers.map(() => 0);
  const zones: (Zone & { tier: number })[] = [];
  let [seen, place] = [0, 0];
  turns.forEach((turn, index) => {
    if (isMessage(turn)) seen++;
    if (isSpoken(turn.line)) place++;
    const tier = tierIndex(tiers, Math.max(0, place - 1), messages);
    tierTokens[tier]! += tokens[index]!;
    const choice = settings.mode === 'manual' ? (settings.choices?.[turn.exchange] ?? 'keep') : 'shrink';
    const way =
      seen <= settings.skipFirstMessages && settings.skipFirstMessages > 0
        ? 'drop'
        : choice === 'drop'
          ? 'drop'
          : choice === 'keep'
            ? 'whole'
            : 'fit';
    const last = zones.at(-1);
    const apart = settings.mode === 'manual' && turns[index - 1]?.exchange !== turn.exchange;
    if (last && last.way === way && last.tier === tier && !(apart && way === 'fit')) {
      last.to = index + 1;
      last.tokens += tokens[index]!;
      return;
    }
    const { compactionRatio, aggressiveness } = tiers[tier]!;
    const manual = settings.mode === 'manual';
    zones.push({
      from: index,
      to: index + 1,
      way,
      tokens: tokens[index]!,
      ratio: manual ? MANUAL_RATIO : compactionRatio,
      telegraphic: settings.telegraphic && !manual && aggressiveness === 'aggressive',
      tier,
    });
  });
  if (settings.mode !== 'manual') {
    for (const zone of zones) if (zone.way === 'fit') zone.tokens = tierTokens[zone.tier]!;
  }
  return zones.map(({ tier: _, ...zone }) => zone);
}

/** The ratio of each turn's zone; 1 where it is included whole. */
export function ratiosOf(turns: Turn[], settings: CompressSettings, tiers: Tier[]): number[] {
  const zones = zonesOf(
    turns,
    turns.map(() => 0),
    settings,
    tiers,
  );
  return zones.flatMap(({ from, to, ratio, way }) =>
    Array.from({ length: to - from }, () => (way === 'whole' ? 1 : ratio)),
  );
}
