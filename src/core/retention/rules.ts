import type { Config } from '../model/config-defaults.ts';
import type { SessionId } from '../model/ids.ts';
import type { VersionRecord } from '../model/version.ts';

export type AgeRules = Omit<Config['autoDecay'], 'schedule'>;

/** Which versions stay, as `storage.compressionRetention` says it. */
export type Retention =
  | { keep: 'all' }
  | { keep: 'newest' }
  | { keep: 'count'; count: number }
  | { keep: 'days'; days: number };

export function readRetention(text: string): Retention {
  if (text === 'newest') return { keep: 'newest' };
  const [, figure, days] = /^(\d+)(d?)$/.exec(text) ?? [];
  if (figure === undefined) return { keep: 'all' };
  return days === 'd' ? { keep: 'days', days: Number(figure) } : { keep: 'count', count: Number(figure) };
}

/** What a session is to the rules. */
export type RetentionSession = {
  sessionId: SessionId;
  /** The later of last message and last use; UTC. */
  usedAt: string;
  originalTokens: number;
  messages: number;
  /** Parts that are recorded; none yet: the first version makes part 1. */
  parts: { part: number; tokens: number }[];
  versions: VersionRecord[];
  /** Versions that a composition of any project holds. */
  used: ReadonlySet<string>;
  /** Markers that always survive, as they weigh now. */
  pinned: ReadonlySet<string>;
};

/** A version that would be deleted. */
export type Pruning = {
  sessionId: SessionId;
  versionId: string;
  part: number;
  outputTokens: number;
  why: string;
};

const DAY_MS = 86_400_000;

/** Whole days between two UTC times; 0 where the first is later, or is no time. */
export function daysBetween(from: string, to: string): number {
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS;
  return Number.isFinite(days) ? Math.max(0, Math.floor(days)) : 0;
}

/** Made by hand or by a model: these cannot be rebuilt from the original alone, so no rule deletes them. */
export function canBeMadeAgain({ settings }: VersionRecord): boolean {
  return settings.model === 'extractive' && settings.mode !== 'manual';
}

/** Versions of one kind: of these the newest does for all. */
export function versionKind({ settings }: VersionRecord): string {
  return settings.mode === 'tiered'
    ? `tiered-${settings.tierPreset ?? 'custom'}`
    : `${settings.mode}-${settings.aggressiveness ?? ''}`;
}
