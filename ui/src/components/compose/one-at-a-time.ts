/** Asks one after the other, and only the newest of those that waited: what a server began it also finishes. */
export function oneAtATime<Q, A>(
  ask: (question: Q) => Promise<A>,
): (question: Q, signal: AbortSignal) => Promise<A> {
  let running: Promise<unknown> = Promise.resolve();
  return async (question, signal) => {
    // Several wait for the same one: the first of them that still counts goes on.
    for (let before = running; ; before = running) {
      await before;
      signal.throwIfAborted();
      if (before === running) break;
    }
    const asked = ask(question);
    running = asked.catch(() => undefined);
    return asked;
  };
}
