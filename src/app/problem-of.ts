import { Fault, type FaultCode } from '../core/model/fault.ts';
import type { Problem } from './sync-report.ts';

/** These end a run: going on would fail again for every file. */
const FATAL = new Set<FaultCode>(['disk-full', 'read-only', 'busy', 'cancelled']);

/** What went wrong with one file, for the report; what would go wrong with every other one, too, is thrown on. */
export function problemOf(path: string, error: unknown): Problem {
  if (error instanceof Fault) {
    if (FATAL.has(error.code)) throw error;
    return { path, message: error.message, ...(error.hint ? { hint: error.hint } : {}) };
  }
  const told = error instanceof Error ? error.message : String(error);
  return {
    path,
    message: `${path} could not be taken in: ${told}`,
    hint: 'It is left as it is, and the others were taken in.',
  };
}
