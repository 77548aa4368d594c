import type { VersionRecord } from '../model/version.ts';
import {
  type AgeRules,
  canBeMadeAgain,
  daysBetween,
  type Pruning,
  type Retention,
  type RetentionSession,
  versionKind,
} from './rules.ts';

/**
 * Versions of a session that the rules delete. Never one that a composition uses, that has a pinned text which the others lack,
 * that cannot be rebuilt from the original, or that is the last of its part.
 */
export function pruningOf(
  session: RetentionSession,
  rules: AgeRules,
  retention: Retention,
  now: string,
): Pruning[] {
  const prunings: Pruning[] = [];
  for (const part of new Set(session.versions.map((version) => version.part))) {
    const versions = session.versions.filter((version) => version.part === part);
    const reasons = new Map([
      ...intermediate(session, versions, rules, now),
      ...retired(versions, retention, now),
    ]);
    let left = versions;
    for (const version of inOrder(versions)) {
      const why = reasons.get(version.versionId);
      const others = left.filter((it) => it !== version);
      if (why === undefined || !isFree(session, version, others)) continue;
      left = others;
      const { versionId, outputTokens } = version;
      prunings.push({ sessionId: session.sessionId, versionId, part, outputTokens, why });
    }
  }
  return prunings;
}

/** Whether a version may go while those others stay. */
export function isFree(
  session: Pick<RetentionSession, 'used' | 'pinned'>,
  version: VersionRecord,
  others: VersionRecord[],
): boolean {
  if (others.length === 0 || session.used.has(version.versionId) || !canBeMadeAgain(version)) return false;
  const pinned = version.survived.filter((marker) => session.pinned.has(marker));
  return pinned.every((marker) => others.some((other) => other.survived.includes(marker)));
}

/** The longest first: what stays is what says the most in the fewest words. */
function inOrder(versions: VersionRecord[]): VersionRecord[] {
  return [...versions].sort(
    (a, b) => b.outputTokens - a.outputTokens || (a.versionId < b.versionId ? -1 : 1),
  );
}

type Reasons = [versionId: string, why: string][];

/** All but the shortest, once the session and the version are both old. */
function intermediate(
  session: RetentionSession,
  versions: VersionRecord[],
  { pruneIntermediateAfterDays: days }: AgeRules,
  now: string,
): Reasons {
  if (days === 0 || daysBetween(session.usedAt, now) < days) return [];
  const shortest = Math.min(...versions.map(({ outputTokens }) => outputTokens));
  const old = versions.filter((it) => it.outputTokens > shortest && daysBetween(it.createdAt, now) >= days);
  return old.map((it) => [
    it.versionId,
    `${daysBetween(it.createdAt, now)} days old, a shorter one exists (rule: after ${days} days)`,
  ]);
}

function retired(versions: VersionRecord[], retention: Retention, now: string): Reasons {
  const newest = [...versions].sort((a, b) => (byTime(a) < byTime(b) ? 1 : -1));
  switch (retention.keep) {
    case 'count':
      return newest
        .slice(retention.count)
        .map((it) => [it.versionId, `only ${retention.count} of a part are kept`]);
    case 'newest': {
      const seen = new Set<string>();
      return newest.flatMap((it): Reasons => {
        const again = seen.has(versionKind(it));
        seen.add(versionKind(it));
        return again ? [[it.versionId, 'a newer one of its level exists']] : [];
      });
    }
    case 'days':
      return newest
        .filter((it) => daysBetween(it.createdAt, now) >= retention.days)
        .map((it) => [it.versionId, `older than ${retention.days} days`]);
    default:
      return [];
  }
}

/** The number breaks a tie: it grows with every version. */
function byTime({ createdAt, versionId }: VersionRecord): string {
  return `${createdAt} ${versionId.padStart(20, '0')}`;
}
