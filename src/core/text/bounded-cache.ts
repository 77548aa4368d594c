/**
 * What was worked out before, at most `most` of it. The oldest goes: two halves, of which the older is dropped as a whole
 * when the younger is full, since taking entries out one by one costs more than working them out again.
 */
export class BoundedCache<K, V extends string | number | object | null> {
  readonly #half: number;
  #young = new Map<K, V>();
  #old = new Map<K, V>();

  constructor(most: number) {
    this.#half = Math.ceil(most / 2);
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }

  get(key: K): V | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    // What is asked for again is young again.
    return old === undefined ? undefined : this.set(key, old);
  }

  set(key: K, value: V): V {
    if (this.#young.size >= this.#half && !this.#young.has(key)) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
    return value;
  }
}
