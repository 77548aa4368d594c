import { Fault, type FaultCode } from '../core/model/fault.ts';
import type { SyncProblem } from './sync-report.ts';

/** These end a run: going on would fail again for every file. */
const FATAL = new Set<FaultCode>(['disk-full', 'read-only', 'busy', 'cancelled']);

/** What went wrong with one file, for the report; what would go wrong with every other one, too, is thrown on. */
export function syncProblem(path: string, error: unknown): SyncProblem {
  if (error instanceof Fault) {
    if (FATAL.has(error.code)) throw error;
    return { path, message: error.message, ...(error.hint ? { hint: error.hint } : {}) };
  }
  const reason = error instanceof Error ? error.message : String(error);
  return {
    path,
    message: `${path} could not be taken in: ${reason}`,
    hint: 'It is left as it is, and the others were taken in.',
  };
}
