import type { Doc } from './manifest-file.ts';

/** A version of the time before parts, as one of part 1. What it does not record is not known: no hash, no receipt. */
export function versionFromSeed(version: Doc, session: Doc, registeredAt: string): Doc[] {
  const number = /v0*(\d+)$/.exec(String(version.versionId ?? ''))?.[1];
  if (number === undefined) return [];
  const part = Number(/^part(\d+)_/.exec(String(version.versionId))?.[1] ?? 1);
  const settings = isDoc(version.settings) ? version.settings : {};
  const stats = isDoc(version.keepitStats) ? version.keepitStats : {};
  const tokens = count(session.originalTokens);
  const output = count(version.outputTokens);
  return [
    {
      inputHash: '',
      markdownHash: '',
      jsonlHash: '',
      survived: [],
      summarized: [],
      createdAt: registeredAt,
      file: '',
      ...version,
      versionId: `part${part}_v${number.padStart(3, '0')}`,
      part,
      engine: 'before-keepsake',
      inputTokens: tokens,
      inputMessages: count(session.originalMessages),
      outputTokens: output,
      outputMessages: count(version.outputMessages),
      tokenCounter: 'unknown',
      compressionRatio: typeof version.compressionRatio === 'number' ? version.compressionRatio : 1,
      keepitStats: {
        preserved: count(stats.preserved),
        summarized: count(stats.summarized),
        weights: isDoc(stats.weights) ? stats.weights : {},
      },
      settings: settingsFromSeed(settings),
    },
  ];
}

function settingsFromSeed(settings: Doc): Doc {
  return {
    mode: 'tiered',
    keepitMode: 'decay',
    model: 'unknown',
    ...settings,
    skipFirstMessages: count(settings.skipFirstMessages),
    sessionDistance: count(settings.sessionDistance),
    telegraphic: false,
    decay: {
      compressionBase: { light: 0.1, moderate: 0.3, aggressive: 0.5 },
      maxSessionDistance: 10,
      pinnedWeight: 1,
    },
    weights: {},
  };
}

function count(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.round(value) : 0;
}

function isDoc(value: unknown): value is Doc {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
