/** A line's step from the one before, doubled; odd when a byte with the count follows, even when the count is 1. */
export class PostingEncoder {
  #bytes = new Uint8Array(1024);
  #length = 0;
  #line = 0;
  count = 0;

  add(line: number, times: number): void {
    if (this.#length + 8 > this.#bytes.length) this.#grow();
    let value = (line - this.#line) * 2 + (times > 1 ? 1 : 0);
    while (value > 127) {
      this.#bytes[this.#length++] = (value & 127) | 128;
      value >>>= 7;
    }
    this.#bytes[this.#length++] = value;
    if (times > 1) this.#bytes[this.#length++] = times;
    this.#line = line;
    this.count++;
  }

  /** Only valid until the next `reset`. */
  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  reset(): void {
    this.#length = 0;
    this.#line = 0;
    this.count = 0;
  }

  #grow(): void {
    const bigger = new Uint8Array(this.#bytes.length * 2);
    bigger.set(this.#bytes);
    this.#bytes = bigger;
  }
}

/** Writes `count` postings into the arrays from `start` on; false when the bytes are not what was encoded. */
export function decodePostings(
  data: Uint8Array,
  count: number,
  into: { lines: Uint32Array; counts: Uint8Array },
  start: number,
): boolean {
  const { lines, counts } = into;
  const end = data.length;
  let at = 0;
  let line = 0;
  for (let n = start; n < start + count; n++) {
    let value = 0;
    let shift = 0;
    let byte = 128;
    while (byte > 127 && at < end && shift < 35) {
      byte = data[at++]!;
      value |= (byte & 127) << shift;
      shift += 7;
    }
    if (byte > 127) return false;
    value >>>= 0;
    line += value >>> 1;
    lines[n] = line;
    if (value % 2 === 0) counts[n] = 1;
    else if (at < end) counts[n] = data[at++]!;
    else return false;
  }
  return at === end;
}
