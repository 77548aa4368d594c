/** Work that rests now and then: whoever runs it may let others have a turn in between, or stop. */
export type Steps<T> = Generator<undefined, T>;

/** Without a rest. */
export function runSteps<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
