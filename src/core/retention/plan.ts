import type { SessionId } from '../model/ids.ts';
import type { VersionRecord } from '../model/version.ts';
import { pruningOf } from './prunable.ts';
import {
  type AgeRules,
  canBeMadeAgain,
  daysBetween,
  type Pruning,
  type Retention,
  type RetentionSession,
} from './rules.ts';

export type Preset = AgeRules['createPreset'];

/** A version that would be made. */
export type Creation = {
  sessionId: SessionId;
  part: number;
  preset: Preset;
  /** Tokens of the part, and what the preset makes of them, about. */
  inputTokens: number;
  outputTokens: number;
  why: string;
};

export type AgePlan = { create: Creation[]; prune: Pruning[] };

/** What the tiers of a preset come to, all in all: input over output. */
const PRESET_RATIO: Record<Preset, number> = { gentle: 4.3, standard: 7.9, aggressive: 15.5 };

/** What the rules say about sessions at a time. Times in the future count as now: nothing ages by a wrong clock. */
export function planRetention(
  sessions: RetentionSession[],
  rules: AgeRules,
  retention: Retention,
  now: string,
): AgePlan {
  const plan: AgePlan = { create: [], prune: [] };
  for (const session of sessions) {
    if (session.messages === 0) continue;
    plan.create.push(...creationsOf(session, rules, now));
    plan.prune.push(...pruningOf(session, rules, retention, now));
  }
  return plan;
}

function creationsOf(session: RetentionSession, rules: AgeRules, now: string): Creation[] {
  const age = daysBetween(session.usedAt, now);
  const parts = session.parts.length > 0 ? session.parts : [{ part: 1, tokens: session.originalTokens }];
  return parts.flatMap(({ part, tokens }) => {
    const versions = session.versions.filter((version) => version.part === part);
    const made = (preset: Preset, days: number) => ({
      sessionId: session.sessionId,
      part,
      preset,
      inputTokens: tokens,
      outputTokens: Math.ceil(tokens / PRESET_RATIO[preset]),
      why: `not used for ${age} days (rule: after ${days} days)`,
    });
    const { createAfterDays: first, aggressiveAfterDays: second } = rules;
    // The shorter one does for both.
    if (second > 0 && age >= second)
      return isShort(versions, rules.aggressivePreset) ? [] : [made(rules.aggressivePreset, second)];
    if (first > 0 && age >= first && versions.length === 0) return [made(rules.createPreset, first)];
    return [];
  });
}

function isShort(versions: VersionRecord[], preset: Preset): boolean {
  return versions.some(
    (version) =>
      canBeMadeAgain(version) &&
      (version.settings.tierPreset === preset || version.compressionRatio >= PRESET_RATIO[preset]),
  );
}
