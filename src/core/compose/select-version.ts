import type { CompressSettings, VersionRecord } from '../model/version.ts';

export type VersionSelectionCriteria = {
  /** Tokens there are for it. */
  maxTokens?: number;
  preferredRatio?: number;
  /** Made when the session was at most this many sessions ago: 1 is fresh, 10 stale. */
  minFreshness?: number | undefined;
  /** What lost keepits is worth less. */
  preserveKeepits?: boolean;
};

/** A part with its versions. */
export type Selectable<V extends Scored = VersionRecord> = {
  originalTokens: number;
  versions: readonly V[];
};

type Scored = Pick<VersionRecord, 'versionId' | 'outputTokens' | 'compressionRatio' | 'keepitStats'> & {
  settings?: Pick<CompressSettings, 'sessionDistance'>;
};

/** Below this no version is good enough. */
const GOOD_ENOUGH = 0.5;

/** The original where it fits, else the best version, else neither. Of equal ones the newest. */
export function selectBestVersion<V extends Scored>(
  part: Selectable<V>,
  criteria: VersionSelectionCriteria,
): V | 'original' | 'need-new-compression' {
  if (criteria.maxTokens === undefined || part.originalTokens <= criteria.maxTokens) return 'original';
  let best: V | undefined;
  let bestScore = GOOD_ENOUGH;
  for (const version of part.versions) {
    const score = scoreVersion(version, criteria);
    const fits = version.outputTokens <= criteria.maxTokens && isFresh(version, criteria);
    if (fits && score >= bestScore) [best, bestScore] = [version, score];
  }
  return best ?? 'need-new-compression';
}

function isFresh({ settings }: Scored, { minFreshness }: VersionSelectionCriteria): boolean {
  return minFreshness === undefined || Math.max(1, settings?.sessionDistance ?? 1) <= minFreshness;
}

/** From 0 to 1: fits the budget and uses it, is near the wanted ratio, kept the keepits. */
export function scoreVersion(version: Scored, criteria: VersionSelectionCriteria): number {
  let score = 1;
  const { maxTokens, preferredRatio, preserveKeepits } = criteria;
  if (maxTokens !== undefined) {
    if (version.outputTokens > maxTokens) score *= 0.1;
    else score *= 0.5 + 0.5 * (maxTokens === 0 ? 1 : version.outputTokens / maxTokens);
  }
  if (preferredRatio !== undefined) {
    const off = Math.abs(version.compressionRatio - preferredRatio);
    score *= Math.max(0.5, 1 - off / 50);
  }
  if (preserveKeepits) {
    const { preserved, summarized } = version.keepitStats;
    const all = preserved + summarized;
    score *= 0.5 + 0.5 * (all === 0 ? 1 : preserved / all);
  }
  return score;
}

/** It has words that can't be chosen again: a model's, or a choice by hand. */
export function hasOwnWords({ settings }: Pick<VersionRecord, 'settings'>): boolean {
  return settings.model !== 'extractive' || settings.mode === 'manual';
}
