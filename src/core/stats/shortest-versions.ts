import type { VersionRecord } from '../model/version.ts';

/** Tokens of the parts that have a version, and of the shortest version of each. */
export function shortestVersions(
  versionRecords: readonly Pick<VersionRecord, 'part' | 'inputTokens' | 'outputTokens'>[],
): { covered: number; shortest: number } {
  const parts = new Map<number, { inputTokens: number; outputTokens: number }>();
  for (const version of versionRecords) {
    const known = parts.get(version.part);
    if (!known || version.outputTokens < known.outputTokens) parts.set(version.part, version);
  }
  const sum = { covered: 0, shortest: 0 };
  for (const { inputTokens, outputTokens } of parts.values()) {
    sum.covered += inputTokens;
    sum.shortest += outputTokens;
  }
  return sum;
}
