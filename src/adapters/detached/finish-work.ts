import { type Drain, drainQueue } from './drain-queue.ts';
import { waitingWork } from './work-queue.ts';

const PAUSE_MS = 25;

/** Until nothing that is wanted is left, or it was tried: here, or by the process that is at it. */
export async function finishWork(
  archive: string,
  drain: Drain & Required<Pick<Drain, 'isWanted'>>,
): Promise<void> {
  while (performance.now() < drain.untilMs && waitingWork(archive).some(drain.isWanted)) {
    if (await drainQueue(archive, drain)) return;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
