import { Fault } from '../core/model/fault.ts';
import { FATAL } from './or-fault.ts';
import type { SyncProblem, SyncReport } from './sync-report.ts';

/** Work on one file or project: what goes wrong with it is reported, and the others are done all the same. False then. */
export async function orProblem(
  report: Pick<SyncReport, 'problems'>,
  path: string,
  work: Promise<unknown>,
): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    report.problems.push(syncProblem(path, error));
    return false;
  }
}

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
