/** Numbers by priority, highest first; of equals the smaller number first. */
export class Heap {
  readonly #keys: number[] = [];
  readonly #items: number[] = [];

  get size(): number {
    return this.#items.length;
  }

  /** The highest priority in it. */
  get top(): number {
    return this.#keys[0] ?? Number.NEGATIVE_INFINITY;
  }

  push(item: number, key: number): void {
    let at = this.#items.length;
    this.#items.push(item);
    this.#keys.push(key);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#before(at, parent)) break;
      this.#swap(at, parent);
      at = parent;
    }
  }

  pop(): number | undefined {
    const first = this.#items[0];
    const last = this.#items.length - 1;
    if (first === undefined) return undefined;
    this.#swap(0, last);
    this.#items.pop();
    this.#keys.pop();
    for (let at = 0; ; ) {
      const left = 2 * at + 1;
      if (left >= last) break;
      const right = left + 1;
      const child = right < last && this.#before(right, left) ? right : left;
      if (!this.#before(child, at)) break;
      this.#swap(child, at);
      at = child;
    }
    return first;
  }

  #before(a: number, b: number): boolean {
    const [x, y] = [this.#keys[a]!, this.#keys[b]!];
    return x > y || (x === y && this.#items[a]! < this.#items[b]!);
  }

  #swap(a: number, b: number): void {
    [this.#keys[a], this.#keys[b]] = [this.#keys[b]!, this.#keys[a]!];
    [this.#items[a], this.#items[b]] = [this.#items[b]!, this.#items[a]!];
  }
}
