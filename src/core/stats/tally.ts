import type { Manifest } from '../model/manifest.ts';
import type { SessionRecord } from '../model/session.ts';

export type TokenStats = {
  original: number;
  /** All versions, whatever they are of. */
  versions: number;
  versionTokens: number;
  /** Originals of the parts that have a version, and the shortest version of each. */
  covered: number;
  shortest: number;
};

export type CompositionStats = {
  count: number;
  tokens: number;
  /** Of the sessions they hold, as they are. */
  originalTokens: number;
  saved: number;
  /** Sessions of the agent that began from one. */
  used: number;
};

export type DayStats = { day: string; sessions: number; messages: number; tokens: number };
export type LevelStats = { level: string; versions: number; tokens: number };
export type AgentStats = { agent: string; sessions: number };

export type StatsTally = {
  sessions: number;
  messages: number;
  exchanges: number;
  toolCalls: number;
  toolErrors: number;
  subagents: number;
  first: string | null;
  last: string | null;
  tokens: TokenStats;
  levels: LevelStats[];
  compositions: CompositionStats;
  /** By the day that a session began, oldest first; days without any are left out. */
  activity: DayStats[];
  agents: AgentStats[];
};

/** What the records of projects say. `dayOf` gives the user's own day of a UTC time. */
export function tally(
  manifests: Manifest[],
  dayOf: (time: string) => string,
  wanted: (record: SessionRecord, manifest: Manifest) => boolean = ({ registered }) => registered,
): StatsTally {
  const sum: StatsTally = {
    sessions: 0,
    messages: 0,
    exchanges: 0,
    toolCalls: 0,
    toolErrors: 0,
    subagents: 0,
    first: null,
    last: null,
    tokens: { original: 0, versions: 0, versionTokens: 0, covered: 0, shortest: 0 },
    levels: [],
    compositions: { count: 0, tokens: 0, originalTokens: 0, saved: 0, used: 0 },
    activity: [],
    agents: [],
  };
  const days = new Map<string, DayStats>();
  const levels = new Map<string, LevelStats>();
  const agents = new Map<string, number>();
  for (const manifest of manifests) {
    const counted = new Set<string>();
    for (const record of Object.values(manifest.sessions)) {
      if (!wanted(record, manifest)) continue;
      counted.add(record.sessionId);
      addSession(sum, record);
      addVersions(sum.tokens, record, manifest.parts[record.sessionId] ?? [], levels);
      addDay(days, record, dayOf);
      const { agent } = record.metadata;
      agents.set(agent, (agents.get(agent) ?? 0) + 1);
    }
    addCompositions(sum.compositions, manifest, counted);
  }
  sum.activity = [...days.values()].sort((a, b) => (a.day < b.day ? -1 : 1));
  sum.levels = [...levels.values()].sort((a, b) => b.tokens - a.tokens || (a.level < b.level ? -1 : 1));
  sum.agents = [...agents]
    .map(([agent, sessions]) => ({ agent, sessions }))
    .sort((a, b) => b.sessions - a.sessions || (a.agent < b.agent ? -1 : 1));
  return sum;
}

function addSession(
  sum: StatsTally,
  { originalMessages, originalTokens, metadata, ...record }: SessionRecord,
): void {
  const { counts } = metadata;
  sum.sessions++;
  sum.messages += originalMessages;
  sum.exchanges += counts.exchanges;
  sum.toolCalls += counts.toolCalls;
  sum.toolErrors += counts.toolErrors;
  sum.subagents += metadata.subSessions.length;
  sum.tokens.original += originalTokens;
  const { firstTimestamp: first, lastTimestamp: last } = record;
  if (first !== '' && (sum.first === null || first < sum.first)) sum.first = first;
  if (last !== '' && (sum.last === null || last > sum.last)) sum.last = last;
}

function addVersions(
  tokens: TokenStats,
  { compressions, originalTokens }: SessionRecord,
  parts: Manifest['parts'][string],
  levels: Map<string, LevelStats>,
): void {
  const shortest = new Map<number, number>();
  for (const { part, outputTokens, settings } of compressions) {
    tokens.versions++;
    tokens.versionTokens += outputTokens;
    shortest.set(part, Math.min(outputTokens, shortest.get(part) ?? outputTokens));
    const shape = settings.mode === 'tiered' ? settings.tierPreset : settings.aggressiveness;
    const level = shape === undefined ? settings.mode : `${settings.mode} ${shape}`;
    const known = levels.get(level) ?? { level, versions: 0, tokens: 0 };
    known.versions++;
    known.tokens += outputTokens;
    levels.set(level, known);
  }
  for (const [part, least] of shortest) {
    tokens.covered += parts.find((it) => it.part === part)?.tokens ?? originalTokens;
    tokens.shortest += least;
  }
}

function addDay(
  days: Map<string, DayStats>,
  { firstTimestamp, originalMessages, originalTokens }: SessionRecord,
  dayOf: (time: string) => string,
): void {
  if (firstTimestamp === '') return;
  const day = dayOf(firstTimestamp);
  const known = days.get(day) ?? { day, sessions: 0, messages: 0, tokens: 0 };
  known.sessions++;
  known.messages += originalMessages;
  known.tokens += originalTokens;
  days.set(day, known);
}

/** Those that hold one of the sessions counted here. */
function addCompositions(sum: CompositionStats, manifest: Manifest, counted: ReadonlySet<string>): void {
  for (const { components, totalTokens, usedInSessions } of Object.values(manifest.compositions)) {
    if (!components.some(({ sessionId }) => counted.has(sessionId))) continue;
    const original = components.reduce(
      (tokens, { sessionId, originalTokens }) =>
        tokens + (originalTokens ?? manifest.sessions[sessionId]?.originalTokens ?? 0),
      0,
    );
    sum.count++;
    sum.tokens += totalTokens;
    sum.originalTokens += original;
    sum.saved += Math.max(0, original - totalTokens);
    sum.used += usedInSessions.length;
  }
}
