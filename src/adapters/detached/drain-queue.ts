import { type QueuedWork, sameWork, type WorkInput } from '../../core/model/detached-work.ts';
import { Fault } from '../../core/model/fault.ts';
import { readWork } from './read-work.ts';
import { beginWork, dueWork, removeWork, waitingWork } from './work-queue.ts';

export type Drain = {
  /** Runs `work` while no other process is at the queue; a `busy` fault where one is. */
  hold<T>(work: () => Promise<T>): Promise<T>;
  /** Does one piece. Killed in the middle, it is done again. */
  run(work: QueuedWork, input: WorkInput): Promise<void>;
  failed(error: unknown): Promise<void>;
  /** Which of the queue (default: all that are due). */
  isWanted?(work: QueuedWork): boolean;
  /** Nothing is begun after that, by `performance.now()`. */
  untilMs: number;
  /** While it holds the queue. */
  begun?(): void;
  ended?(): void;
};

/** Works through the queue, a piece at a time. False where another process is at it. */
export async function drainQueue(archive: string, drain: Drain): Promise<boolean> {
  const tried = new Set<string>();
  const next = () => wanted(archive, drain).find((work) => !tried.has(nameOf(work)));
  // What is added after the last check and before others see that this process ended is found by the check after that.
  while (next() !== undefined && performance.now() < drain.untilMs) {
    const held = await ifFree(
      drain.hold(async () => {
        drain.begun?.();
        for (let work = next(); work && performance.now() < drain.untilMs; work = next()) {
          tried.add(nameOf(work));
          await doOne(archive, work, drain);
        }
        drain.ended?.();
      }),
    );
    if (!held) return false;
  }
  return true;
}

async function doOne(archive: string, work: QueuedWork, drain: Drain): Promise<void> {
  try {
    const begun = beginWork(archive, work);
    const same = sameWork(begun, waitingWork(archive));
    const input = readWork(archive, same.at(-1) ?? begun);
    if (input) await drain.run(begun, input);
    removeWork(archive, same);
  } catch (error) {
    // It stays in the queue: the next process tries again.
    await drain.failed(error);
  }
}

function wanted(archive: string, { isWanted = () => true }: Drain): QueuedWork[] {
  return dueWork(archive).filter(isWanted);
}

/** Without the tries, which change. */
function nameOf({ kind, key, added, by }: QueuedWork): string {
  return `${kind}.${key}.${added}-${by}`;
}

async function ifFree(work: Promise<void>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (error instanceof Fault && error.code === 'busy') return false;
    throw error;
  }
}
