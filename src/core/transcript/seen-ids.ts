const BYTES = 8;

/** Up to this number, ids are looked up one by one among the stored ones; above it, all go into a set. */
const FEW = 64;

/** The ids of a session's lines, as 52-bit hashes: 100,000 of them collide once in a million sessions. */
export class SeenIds {
  readonly #keys = new Set<number>();
  readonly #fresh: number[] = [];
  readonly #stored: Float64Array;
  #lookups = 0;

  constructor(stored?: Uint8Array) {
    this.#stored = numbersIn(stored);
  }

  has(id: string): boolean {
    return this.#hasKey(hash52(id));
  }

  /** False when it was there before. */
  add(id: string): boolean {
    const key = hash52(id);
    if (this.#hasKey(key)) return false;
    this.#keys.add(key);
    this.#fresh.push(key);
    return true;
  }

  get count(): number {
    return this.#stored.length + this.#fresh.length;
  }

  /** A few new lines in a long session cost no set of all its ids. */
  #hasKey(key: number): boolean {
    if (this.#keys.has(key)) return true;
    if (this.#lookups > FEW) return false;
    if (this.#lookups++ < FEW) return this.#stored.includes(key);
    for (const stored of this.#stored) this.#keys.add(stored);
    return this.#keys.has(key);
  }

  /** What was added since it was made, in order, to be stored after what was stored before. */
  fresh(): Uint8Array {
    const view = new DataView(new ArrayBuffer(this.#fresh.length * BYTES));
    for (const [index, key] of this.#fresh.entries()) view.setFloat64(index * BYTES, key, true);
    return new Uint8Array(view.buffer);
  }
}

function numbersIn(stored: Uint8Array = new Uint8Array()): Float64Array {
  const numbers = new Float64Array(Math.floor(stored.length / BYTES));
  const view = new DataView(stored.buffer, stored.byteOffset, stored.byteLength);
  for (let place = 0; place < numbers.length; place++) numbers[place] = view.getFloat64(place * BYTES, true);
  return numbers;
}

/** FNV-1a twice with different seeds, joined. */
function hash52(text: string): number {
  let low = 0x811c9dc5;
  let high = 0x1b873593;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x85ebca6b);
    high ^= high >>> 13;
  }
  return (high >>> 12) * 0x100000000 + (low >>> 0);
}
