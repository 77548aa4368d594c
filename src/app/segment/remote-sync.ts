import type { RunOptions } from '../sync-report.ts';
import type { RemoteRecord } from './remote-record.ts';

export type RemoteSyncOptions = RunOptions & { direction?: 'push' | 'pull' };

export type RemoteSync = {
  remote: string;
  pulled: { segments: number; bytes: number; sessions: number; records: number };
  pushed: {
    segments: number;
    bytes: number;
    sessions: number;
    records: number;
    removed: number;
    restored: number;
  };
  /** Purges that came from other devices and were carried out. */
  purges: number;
  /** Sessions that were made private after they had left. */
  withdrawn: number;
  /** Projects that wait for approval. */
  waiting: string[];
  notes: string[];
};

export function newRemoteSync({ name, shares }: RemoteRecord): RemoteSync {
  return {
    remote: name,
    pulled: { segments: 0, bytes: 0, sessions: 0, records: 0 },
    pushed: { segments: 0, bytes: 0, sessions: 0, records: 0, removed: 0, restored: 0 },
    purges: 0,
    withdrawn: 0,
    waiting: shares.filter(({ level, approved }) => level !== approved).map((it) => it.name),
    notes: [],
  };
}

/** Nothing was brought, sent, deleted or said. */
export function isQuietSync({ pulled, pushed, purges, withdrawn, notes }: RemoteSync): boolean {
  const { segments, removed, restored } = pushed;
  return pulled.segments + segments + removed + restored + purges + withdrawn + notes.length === 0;
}
