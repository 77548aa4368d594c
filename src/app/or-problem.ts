import { Fault } from '../core/model/fault.ts';
import type { ProjectId } from '../core/model/ids.ts';
import { FATAL, unlessFault } from './or-fault.ts';
import type { SyncProblem, SyncReport } from './sync-report.ts';

export type ProjectsRun = {
  report: SyncReport;
  signal?: AbortSignal | undefined;
  /** Before each project, and after the last. */
  onProject?: ((done: number, total: number, project?: ProjectId) => void) | undefined;
};

/** Work on one file or project: what goes wrong with it is reported, and the others are done anyway. False then. */
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

/** Work on one project after the other, until it is stopped or the archive is found locked. */
export async function eachProject(
  projects: ProjectId[],
  { report, signal, onProject }: ProjectsRun,
  work: (project: ProjectId) => Promise<unknown>,
): Promise<void> {
  for (const [at, project] of projects.entries()) {
    if (signal?.aborted) return;
    onProject?.(at, projects.length, project);
    const done = orProblem(report, `memory of ${project}`, work(project));
    if ((await unlessFault(done, ['busy'])) === undefined) return;
  }
  onProject?.(projects.length, projects.length);
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
    message: `${path} could not be imported: ${reason}`,
    hint: 'Keepsake skipped it and imported the others.',
  };
}
