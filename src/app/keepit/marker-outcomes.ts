import { tierIndex } from '../../core/compress/choose/tiers.ts';
import type { KeptContent, Turn } from '../../core/compress/turn.ts';
import { decayLevelOf, type JudgedKeepit, judgeKeepit } from '../../core/keepit/decay.ts';
import { type EffectiveMarker, effectiveMarkers } from '../../core/keepit/overlays.ts';
import { isSpoken } from '../../core/model/l1.ts';
import type { Overlay } from '../../core/model/overlay.ts';
import type { KeepitMarker } from '../../core/model/session.ts';
import type { CompressSettings, Tier } from '../../core/model/version.ts';

type Range = readonly [from: number, to: number];

/** What shrinking an exchange by hand asks of its keepits. */
const COMPRESS_TIER: Omit<Tier, 'endPercent'> = { compactionRatio: 10, aggressiveness: 'moderate' };

/** The markers of a part as they weigh now, for the settings of a version that is to be made. */
export function markerWeights(
  detected: KeepitMarker[],
  overlays: Overlay[],
  range: Range,
): { weights: Record<string, number>; held: string[] } {
  const weights: Record<string, number> = Object.create(null);
  const held: string[] = [];
  for (const marker of within(effectiveMarkers(detected, overlays), range)) {
    weights[marker.markerId] = marker.weight;
    if (marker.held) held.push(marker.markerId);
  }
  return { weights, held };
}

/** Every marker that a version was made with, regardless of later changes: those in its settings, with their weights then. */
export function markersThen(
  detected: KeepitMarker[],
  overlays: Overlay[],
  settings: CompressSettings,
): EffectiveMarker[] {
  const added = overlays.filter((overlay) => overlay.action === 'add');
  const held = new Set(settings.held);
  return effectiveMarkers(detected, added).flatMap((marker) => {
    const weight = Object.hasOwn(settings.weights, marker.markerId)
      ? settings.weights[marker.markerId]
      : undefined;
    return weight === undefined ? [] : [{ ...marker, weight, held: held.has(marker.markerId) }];
  });
}

/** Which markers survive, each by the tier that its own message is in. */
export function marksOf(
  markers: EffectiveMarker[],
  turns: Turn[],
  settings: CompressSettings,
  tiers: Tier[],
): { kept: KeptContent[]; outcomes: JudgedKeepit[] } {
  const tierAt = tierFinder(turns, settings, tiers);
  const outcomes = markers.map((marker) => {
    const tier = tierAt(marker.src);
    if (tier === 'keep') return judgeKeepit(marker, at(COMPRESS_TIER, settings), 'preserve-all');
    if (tier === 'drop') return judgeKeepit(marker, at(COMPRESS_TIER, settings), 'ignore');
    return judgeKeepit(marker, at(tier, settings), settings.keepitMode);
  });
  const kept = markers.flatMap(({ markerId, src, content, weight }, index) =>
    outcomes[index]!.survives ? [{ markerId, src, content, weight }] : [],
  );
  return { kept, outcomes };
}

function at(tier: Omit<Tier, 'endPercent'>, settings: CompressSettings) {
  const { compactionRatio: ratio, aggressiveness } = tier;
  const base = decayLevelOf(aggressiveness, ratio);
  return { ratio, distance: settings.sessionDistance, base, decay: settings.decay };
}

function tierFinder(turns: Turn[], settings: CompressSettings, tiers: Tier[]) {
  if (settings.mode === 'manual') {
    const exchanges = new Map(turns.map((turn) => [turn.line.src, turn.exchange]));
    return (src: number) => {
      const choice = settings.choices?.[exchanges.get(src) ?? ''] ?? 'keep';
      return choice === 'shrink' ? COMPRESS_TIER : choice;
    };
  }
  const messages = turns.filter(({ line }) => isSpoken(line));
  const places = new Map(messages.map((turn, index) => [turn.line.src, index]));
  return (src: number) => tiers[tierIndex(tiers, places.get(src) ?? 0, messages.length)]!;
}

function within(markers: EffectiveMarker[], [from, to]: Range): EffectiveMarker[] {
  return markers.filter(({ src }) => src >= from && src < to);
}
