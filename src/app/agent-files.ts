import type { FoundTranscript } from '../ports/transcripts.ts';
import { allSessions, type SessionRow } from './sessions.ts';
import { isLeftOut, isUnchanged, loadSources } from './source-cache.ts';
import type { World } from './world.ts';

/** What Claude Code does when its settings say nothing. */
const CLEANUP_DAYS = 30;
const SOON_DAYS = 7;
const DAY = 24 * 60 * 60 * 1000;

export type AgentFiles = {
  found: number;
  bytes: number;
  /** Not in the archive yet, or grown since; without those that a sync has left out. */
  pending: FoundTranscript[];
  /** Of the pending ones, what the archive does not hold. */
  pendingBytes: number;
  /** Will be deleted by the agent within a week. */
  soonDeleted: FoundTranscript[];
  /** Those of both lists: the ones to worry about. */
  atRisk: FoundTranscript[];
  cleanupDays: number;
  unreadable: string[];
};

/** The agent's transcripts against what the archive holds of them. Reads no transcript. */
export async function lookAtAgentFiles(world: World): Promise<AgentFiles> {
  const unreadable: string[] = [];
  const found: FoundTranscript[] = [];
  for (const folder of world.places.claudeProjects) {
    if ((await world.machine.accessTo(folder)) === 'missing') continue;
    found.push(...(await world.transcripts.find(folder, unreadable)));
  }
  const taken = await loadSources(world);
  const known = knownSizes(await allSessions(world));
  const cleanupDays = await cleanupPeriod(world);
  const deadline = world.clock.millis() - (cleanupDays - SOON_DAYS) * DAY;
  const isTaken = (file: FoundTranscript) => {
    const source = taken.get(file.path);
    return isUnchanged(source, file) || isLeftOut(source, file);
  };
  const pending = found.filter((file) => file.size > archivedBytes(file, known) && !isTaken(file));
  const soonDeleted = found.filter((file) => file.mtimeMs < deadline);
  const waiting = new Set(pending);
  return {
    found: found.length,
    bytes: found.reduce((total, file) => total + file.size, 0),
    pending,
    pendingBytes: pending.reduce((total, file) => total + file.size - archivedBytes(file, known), 0),
    soonDeleted,
    atRisk: soonDeleted.filter((file) => waiting.has(file)),
    cleanupDays,
    unreadable,
  };
}

/** By path, and by the id that the file's name holds: a session may have come from a second file. */
function knownSizes(rows: SessionRow[]): Map<string, number> {
  const known = new Map<string, number>();
  for (const row of rows) {
    for (const key of [row.originalFile, row.sessionId]) {
      known.set(key, Math.max(known.get(key) ?? 0, row.originalBytes));
    }
  }
  return known;
}

/** How much of a file the archive holds, as far as its name tells. */
function archivedBytes(file: FoundTranscript, known: Map<string, number>): number {
  const name = /([^/\\]+)\.jsonl$/.exec(file.path)?.[1] ?? '';
  const id = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.exec(name)?.[0] ?? name;
  return known.get(file.path) ?? known.get(id) ?? 0;
}

/** `cleanupPeriodDays` of the agent's own settings. */
async function cleanupPeriod(world: World): Promise<number> {
  const text = await world.machine.readText(`${world.places.claude}/settings.json`);
  const days: unknown = readJson(text).cleanupPeriodDays;
  return typeof days === 'number' && Number.isFinite(days) && days >= 0 ? days : CLEANUP_DAYS;
}

export function readJson(text: string | undefined): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
