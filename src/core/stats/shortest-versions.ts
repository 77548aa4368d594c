import type { CompressionRecord } from '../model/version.ts';

/** Tokens of the parts that have a version, and of the shortest version of each. */
export function shortestVersions(
  compressions: readonly Pick<CompressionRecord, 'part' | 'inputTokens' | 'outputTokens'>[],
): { covered: number; shortest: number } {
  const parts = new Map<number, { inputTokens: number; outputTokens: number }>();
  for (const version of compressions) {
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
