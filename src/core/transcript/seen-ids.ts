const BYTES = 8;

/** The ids of a session's lines, as 52-bit hashes: 100,000 of them collide once in a million sessions. */
export class SeenIds {
  readonly #keys: Set<number>;
  readonly #fresh: number[] = [];

  constructor(stored?: Uint8Array) {
    this.#keys = new Set();
    const view = stored && new DataView(stored.buffer, stored.byteOffset, stored.byteLength);
    for (let at = 0; view && at + BYTES <= view.byteLength; at += BYTES)
      this.#keys.add(view.getFloat64(at, true));
  }

  has(id: string): boolean {
    return this.#keys.has(hash52(id));
  }

  /** False when it was there before. */
  add(id: string): boolean {
    const key = hash52(id);
    if (this.#keys.has(key)) return false;
    this.#keys.add(key);
    this.#fresh.push(key);
    return true;
  }

  get count(): number {
    return this.#keys.size;
  }

  /** What was added since it was made, in order, to be stored after what was stored before. */
  fresh(): Uint8Array {
    const view = new DataView(new ArrayBuffer(this.#fresh.length * BYTES));
    for (const [index, key] of this.#fresh.entries()) view.setFloat64(index * BYTES, key, true);
    return new Uint8Array(view.buffer);
  }
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
