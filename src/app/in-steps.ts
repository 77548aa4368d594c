import { setImmediate } from 'node:timers/promises';
import type { Steps } from '../core/model/steps.ts';

/** Others get their turn; an abort ends it here. */
export async function rest(signal: AbortSignal | undefined): Promise<void> {
  await setImmediate();
  signal?.throwIfAborted();
}

/** Runs long work so that others get their turn at every rest; an abort ends it there, with an AbortError. */
export async function inSteps<T>(steps: Steps<T>, signal?: AbortSignal): Promise<T> {
  for (;;) {
    signal?.throwIfAborted();
    const step = steps.next();
    if (step.done) return step.value;
    await setImmediate();
  }
}
