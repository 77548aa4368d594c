import type { Context } from 'hono';
import { streamSSE } from 'hono/streaming';
import type { Jobs } from '../../app/jobs.ts';
import { Fault } from '../../core/model/fault.ts';
import { paramSchema } from './params.ts';

/** Milliseconds between two signs of life on a quiet stream. */
const QUIET = 15_000;

/** A job's changes as server-sent events: its state at once, then each change, the last one when it has ended. */
export function jobEvents(context: Context, jobs: Jobs): Response {
  const read = paramSchema('jobId').safeParse(context.req.param('jobId'));
  if (!read.success) throw new Fault('usage', 'It is no job id.');
  const first = jobs.get(read.data);
  return streamSSE(context, async (stream) => {
    let wake: (() => void) | undefined;
    let changed = true;
    let number = 0;
    const unfollow = jobs.follow(first.jobId, () => {
      changed = true;
      wake?.();
    });
    stream.onAbort(() => wake?.());
    try {
      while (!stream.aborted) {
        if (changed) {
          // Changes that come faster than they can be sent are told as one.
          changed = false;
          const job = jobs.get(first.jobId);
          const ended = job.endedAt !== null;
          await stream.writeSSE({ id: String(++number), event: 'job', data: JSON.stringify(job) });
          if (ended) break;
          continue;
        }
        const quiet = await new Promise<boolean>((resolve) => {
          const timer = setTimeout(() => resolve(true), QUIET);
          wake = () => {
            clearTimeout(timer);
            resolve(false);
          };
        });
        if (quiet) await stream.write(': still here\n\n');
      }
    } finally {
      unfollow();
    }
  });
}
