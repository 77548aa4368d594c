import { AGENTS_READ } from '../core/model/agent.ts';

export type SyncProgress = {
  /** `rebuild`: sessions that an older version of Keepsake had read. `layers`: concepts and facts, `memory`: memory.md, `index`: search, each by project. */
  phase: 'find' | 'read' | 'rebuild' | 'layers' | 'memory' | 'index';
  done: number;
  total: number;
  bytes: number;
  totalBytes: number;
  current?: string;
};

export type SyncProblem = { path: string; message: string; hint?: string };

/** Why a file is no session of the archive, although it is there to be read. */
export const LEFT_OUT = ['unknownAgent', 'notRecorded', 'unusedComposition'] as const;
export type LeftOutReason = (typeof LEFT_OUT)[number];
export type LeftOutCounts = Record<LeftOutReason, number>;

/** What a run found and did. Every found file is in exactly one of added, grown, same, replaced, skipped. */
export type SyncReport = {
  found: number;
  added: number;
  grown: number;
  same: number;
  replaced: number;
  skipped: number;
  /** Those of the skipped files that are skipped for a reason of their own. */
  leftOut: LeftOutCounts;
  bytes: number;
  problems: SyncProblem[];
  notes: string[];
};

/** Below `cache/`: how a sync that found nothing to do saw everything. Code that finds damage deletes it, so that the next sync checks again. */
export const LAST_SYNC_FILE = 'last-sync.json';

export type RunOptions = { onProgress?: (progress: SyncProgress) => void; signal?: AbortSignal };

export function unreadableProblem(path: string): SyncProblem {
  return {
    path,
    message: `${path} can't be read.`,
    hint: 'Check its permissions. It may also be damaged, or written by a newer version of its agent.',
  };
}

export function unknownAgentProblem(path: string): SyncProblem {
  return {
    path,
    message: `${path} is not a session file of an agent that Keepsake supports.`,
    hint: AGENTS_READ,
  };
}

export function newReport(): SyncReport {
  return {
    found: 0,
    added: 0,
    grown: 0,
    same: 0,
    replaced: 0,
    skipped: 0,
    leftOut: { unknownAgent: 0, notRecorded: 0, unusedComposition: 0 },
    bytes: 0,
    problems: [],
    notes: [],
  };
}
