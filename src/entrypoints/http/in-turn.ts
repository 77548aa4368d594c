/** Work on one thing after the other: what was read stays true until it is written. */
export class InTurn {
  readonly #last = new Map<string, Promise<unknown>>();

  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const done = (this.#last.get(key) ?? Promise.resolve()).then(work, work);
    this.#last.set(key, done);
    const free = () => {
      if (this.#last.get(key) === done) this.#last.delete(key);
    };
    void done.then(free, free);
    return done;
  }
}
