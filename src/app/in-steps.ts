import type { Steps } from '../core/model/steps.ts';

/** Others get their turn; an abort ends it here. */
export async function rest(signal: AbortSignal | undefined): Promise<void> {
  // biome-ignore lint/style/noRestrictedGlobals: the one place where long work yields to others
  await new Promise((turn) => setImmediate(turn));
  signal?.throwIfAborted();
}

/** Runs long work so that others get their turn at every rest; an abort ends it there, with an AbortError. */
export async function inSteps<T>(steps: Steps<T>, signal?: AbortSignal): Promise<T> {
  signal?.throwIfAborted();
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await rest(signal);
  }
}
