/** Work in steps: its runner may let other work run in between, or stop it. */
export type Steps<T> = Generator<undefined, T>;

/** Without a rest. */
export function runSteps<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
