import type { QueuedWork, WorkInput, WorkKind } from '../core/model/detached-work.ts';

/** Work that nobody waits for: a separate process does it, or the next caller that needs it. */
export interface Detached {
  /** It is in the queue when this returns. The process is started when the hook ends. */
  add(kind: WorkKind, key: string): void;
  waiting(): QueuedWork[];
  read(work: QueuedWork): WorkInput | undefined;
  /** Does the requested work of the queue, or waits while another process does it; starts nothing after `longestMs`. */
  finish(isWanted: (work: QueuedWork) => boolean, longestMs: number): Promise<void>;
}
