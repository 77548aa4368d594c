export type SyncProgress = {
  phase: 'find' | 'read';
  done: number;
  total: number;
  bytes: number;
  totalBytes: number;
  current?: string;
};

export type SyncProblem = { path: string; message: string; hint?: string };

/** What a run found and did. Every found file is in exactly one of added, grown, same, replaced, skipped. */
export type SyncReport = {
  found: number;
  added: number;
  grown: number;
  same: number;
  replaced: number;
  skipped: number;
  bytes: number;
  problems: SyncProblem[];
  notes: string[];
};

export type RunOptions = { onProgress?: (progress: SyncProgress) => void; signal?: AbortSignal };

export function unreadableProblem(path: string): SyncProblem {
  return { path, message: `${path} can't be read.`, hint: 'Check its permissions.' };
}

export function newReport(): SyncReport {
  return {
    found: 0,
    added: 0,
    grown: 0,
    same: 0,
    replaced: 0,
    skipped: 0,
    bytes: 0,
    problems: [],
    notes: [],
  };
}
