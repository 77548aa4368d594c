import type { Jobs } from '../../app/jobs.ts';

/** Milliseconds between two signs of life on a quiet stream. */
const QUIET = 15_000;

/** A job's changes as server-sent events: its state at once, then each change, the last one when it has ended. */
export function jobEvents(jobs: Jobs, jobId: string): ReadableStream<Uint8Array> {
  const job = jobs.get(jobId);
  const encoder = new TextEncoder();
  let number = 0;
  let changed = true;
  let left = false;
  let wake: (() => void) | undefined;
  const unfollow = jobs.follow(jobId, () => {
    changed = true;
    wake?.();
  });
  return new ReadableStream({
    // Called when the last event is on its way: changes that come faster than they can be sent are sent as one.
    async pull(controller) {
      if (!changed) await slept((woken) => (wake = woken));
      if (left) return;
      if (!changed) return controller.enqueue(encoder.encode(': still here\n\n'));
      changed = false;
      controller.enqueue(encoder.encode(`event: job\ndata: ${JSON.stringify(job)}\nid: ${++number}\n\n`));
      if (job.endedAt === null) return;
      unfollow();
      controller.close();
    },
    cancel() {
      left = true;
      unfollow();
      wake?.();
    },
  });
}

/** Until it is woken, or has been quiet for long. */
function slept(ready: (wake: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, QUIET);
    ready(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
