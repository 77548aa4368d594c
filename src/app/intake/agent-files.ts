import { parseOutside } from '../../core/model/parse-stored.ts';
import { isFields } from '../../core/model/shape.ts';
import type { FoundTranscript } from '../../ports/transcripts.ts';
import { openProjects } from '../find/projects.ts';
import { rowsOf, type SessionRow } from '../find/sessions.ts';
import type { World } from '../world.ts';
import { isLeftOut, isUnchanged, loadSources } from './source-cache.ts';

/** What Claude Code does when its settings say nothing. */
const CLEANUP_DAYS = 30;
const SOON_DAYS = 7;
const DAY = 24 * 60 * 60 * 1000;

export type AgentFiles = {
  found: number;
  bytes: number;
  /** Not in the archive yet, or grown since; without those that a sync leaves out. */
  pending: FoundTranscript[];
  /** Not in the archive, and no sync takes them: purged by the user, or no transcripts. */
  leftOut: FoundTranscript[];
  /** Of the pending ones, what the archive does not hold. */
  pendingBytes: number;
  /** Will be deleted by the agent within a week. */
  soonDeleted: FoundTranscript[];
  /** Those of both lists: the ones to worry about. */
  atRisk: FoundTranscript[];
  cleanupDays: number;
  unreadable: string[];
};

/** The agent's transcripts against what the archive contains of them. Reads no transcript. */
export async function findAgentFiles(world: World): Promise<AgentFiles> {
  const unreadable: string[] = [];
  const found: FoundTranscript[] = [];
  for (const folder of world.places.claudeProjects) {
    if ((await world.machine.accessTo(folder)) === 'missing') continue;
    found.push(...(await world.transcripts.find(folder, unreadable)));
  }
  const taken = await loadSources(world);
  const manifests = await openProjects(world);
  const rows = manifests.flatMap(rowsOf);
  const known = knownSizes(rows);
  const kept = new Set(rows.map((row) => `${row.projectId}/${row.sessionId}`));
  const purged = new Set(manifests.flatMap((manifest) => manifest.tombstones.map((stone) => stone.id)));
  const cleanupDays = await cleanupPeriod(world);
  const deadline = world.clock.millis() - (cleanupDays - SOON_DAYS) * DAY;
  const isKept = (file: FoundTranscript) => {
    const source = taken.get(file.path);
    if (file.size <= archivedBytes(file, known)) return true;
    return isUnchanged(source, file) && (!!source.sub || kept.has(`${source.project}/${source.session}`));
  };
  const isLeft = (file: FoundTranscript) => {
    const source = taken.get(file.path);
    if (archivedBytes(file, known) > 0) return isLeftOut(source, file);
    const session = source && !('left' in source) ? source.session : idOf(file);
    return isLeftOut(source, file) || purged.has(session);
  };
  const missing = found.filter((file) => !isKept(file));
  const [leftOut, pending] = [missing.filter(isLeft), missing.filter((file) => !isLeft(file))];
  const soonDeleted = found.filter((file) => file.mtimeMs < deadline);
  const waiting = new Set(pending);
  return {
    found: found.length,
    bytes: found.reduce((total, file) => total + file.size, 0),
    pending,
    leftOut,
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

/** How much of a file the archive holds, as far as its name shows. */
function archivedBytes(file: FoundTranscript, known: Map<string, number>): number {
  return known.get(file.path) ?? known.get(idOf(file)) ?? 0;
}

/** The id of the session, as far as the file's name shows. */
function idOf(file: FoundTranscript): string {
  const name = /([^/\\]+)\.jsonl$/.exec(file.path)?.[1] ?? '';
  return /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.exec(name)?.[0] ?? name;
}

/** `cleanupPeriodDays` of the agent's own settings. */
async function cleanupPeriod(world: World): Promise<number> {
  const text = await world.machine.readText(`${world.places.claude}/settings.json`);
  const days: unknown = readJson(text).cleanupPeriodDays;
  return typeof days === 'number' && Number.isFinite(days) && days >= 0 ? days : CLEANUP_DAYS;
}

/** The agent's own files are its business: what can't be read says nothing. */
export function readJson(text: string | undefined): Record<string, unknown> {
  const value = parseOutside(text ?? '{}');
  return isFields(value) ? value : {};
}
