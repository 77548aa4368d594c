import { isOutdated } from '../../core/model/refine-engine.ts';
import { type KeptOutList, listKeptOut } from '../find/kept-out.ts';
import { listProjects } from '../find/projects.ts';
import { allSessions } from '../find/sessions.ts';
import { type AgentFiles, findAgentFiles } from '../intake/agent-files.ts';
import type { World } from '../world.ts';
import { type AgentFound, agentsFound } from './agents-found.ts';
import { originalsState } from './originals-state.ts';

export type Status = {
  archive: { path: string; bytes: number; freeBytes: number | null };
  projects: number;
  sessions: number;
  messages: number;
  tokens: number;
  originalBytes: number;
  keepits: number;
  /** Sessions whose original is gone from the archive, and those whose original is only a link. */
  originalsLost: number;
  originalsLinked: number;
  /** Sessions that an older version of Keepsake read: hooks leave them out until a sync. */
  outdated: number;
  lastTimestamp: string | null;
  transcripts: TranscriptsState;
  /** The agents that are on this machine or in the archive. */
  agents: AgentFound[];
  /** Kept out of the archive on purpose. */
  notRecorded: KeptOutList;
  sample: boolean;
};

/** The agent's own files. */
type TranscriptsState = {
  folders: string[];
  found: number;
  bytes: number;
  notSynced: number;
  notSyncedBytes: number;
  /** Not kept, and not to be: purged, or no transcripts. */
  leftOut: number;
  cleanupDays: number;
  soonDeleted: number;
  soonDeletedNotSynced: number;
  unreadable: string[];
};

/** What a sync would bring, without reading every original: for 10,000 sessions that takes half a second. */
export async function waitsForSync(
  world: World,
): Promise<{ transcripts: TranscriptsState; outdated: number }> {
  const transcripts = transcriptsState(world, await findAgentFiles(world));
  return { transcripts, outdated: (await allSessions(world)).filter(isOutdated).length };
}

function transcriptsState(world: World, files: AgentFiles): TranscriptsState {
  return {
    folders: world.places.claudeProjects,
    found: files.found,
    bytes: files.bytes,
    notSynced: files.pending.length,
    notSyncedBytes: files.pendingBytes,
    leftOut: files.leftOut.length,
    cleanupDays: files.cleanupDays,
    soonDeleted: files.soonDeleted.length,
    soonDeletedNotSynced: files.atRisk.length,
    unreadable: files.unreadable,
  };
}

/** The state of the memory: what is kept, what is not yet. */
export async function readStatus(world: World): Promise<Status> {
  const projects = await listProjects(world);
  const files = await findAgentFiles(world);
  const rows = await allSessions(world);
  const originals = await originalsState(world, rows);
  const sum = (of: (project: (typeof projects)[number]) => number) =>
    projects.reduce((total, project) => total + of(project), 0);
  return {
    archive: {
      path: world.archive.root,
      bytes: await world.machine.treeBytes(world.archive.root),
      freeBytes: (await world.machine.freeBytes(world.archive.root)) ?? null,
    },
    projects: projects.length,
    sessions: sum((project) => project.sessionCount),
    messages: sum((project) => project.messages),
    tokens: sum((project) => project.tokens),
    originalBytes: sum((project) => project.bytes),
    keepits: sum((project) => project.keepits),
    originalsLost: originals.lost.length,
    originalsLinked: originals.linked,
    outdated: rows.filter(isOutdated).length,
    lastTimestamp: latest(projects.map((project) => project.lastTimestamp)),
    transcripts: transcriptsState(world, files),
    agents: await agentsFound(world, files.pending.length),
    notRecorded: await listKeptOut(world),
    sample: projects.some((project) => project.sample),
  };
}

function latest(times: (string | null)[]): string | null {
  return (
    times
      .filter((time) => time !== null)
      .sort()
      .at(-1) ?? null
  );
}
