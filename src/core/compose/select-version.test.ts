import { describe, expect, it } from 'vitest';
import { scoreVersion, selectBestVersion } from './select-version.ts';

const version = (versionId: string, outputTokens: number, preserved = 0, summarized = 0) => ({
  versionId,
  outputTokens,
  compressionRatio: 10_000 / outputTokens,
  keepitStats: { preserved, summarized, weights: {} },
});
const part = (...versions: ReturnType<typeof version>[]) => ({ originalTokens: 10_000, versions });

describe('the version for a budget', () => {
  it('is the original wherever that fits, with versions or without', () => {
    expect(selectBestVersion(part(version('a', 500)), { maxTokens: 10_000 })).toBe('original');
    expect(selectBestVersion(part(), {})).toBe('original');
  });

  it('is the one that uses the budget best, never one above it', () => {
    const versions = [version('a', 500), version('b', 900), version('c', 1100)];
    expect(selectBestVersion(part(...versions), { maxTokens: 1000 })).toMatchObject({ versionId: 'b' });
    expect(selectBestVersion(part(version('c', 1100)), { maxTokens: 1000 })).toBe('need-new-compression');
  });

  it('is none where the best is not good enough', () => {
    const poor = version('a', 100, 0, 5);
    const criteria = { maxTokens: 1000, preferredRatio: 4, preserveKeepits: true };
    expect(scoreVersion(poor, criteria)).toBeLessThan(0.5);
    expect(selectBestVersion(part(poor), criteria)).toBe('need-new-compression');
  });

  it('is none that was made when its session was longer ago than asked', () => {
    const made = (versionId: string, sessionDistance: number) => ({
      ...version(versionId, 900),
      settings: { sessionDistance },
    });
    const all = { originalTokens: 10_000, versions: [made('old', 6), made('new', 2)] };
    expect(selectBestVersion(all, { maxTokens: 1000, minFreshness: 3 })).toMatchObject({ versionId: 'new' });
    expect(selectBestVersion(all, { maxTokens: 1000, minFreshness: 1 })).toBe('need-new-compression');
    expect(selectBestVersion(all, { maxTokens: 1000, minFreshness: 6 })).toMatchObject({ versionId: 'new' });
  });

  it('counts no markers as all markers preserved', () => {
    const criteria = { preserveKeepits: true };
    expect(scoreVersion(version('a', 500), criteria)).toBe(1);
    expect(scoreVersion(version('a', 500, 1, 1), criteria)).toBe(0.75);
  });
});
