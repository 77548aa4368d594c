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

type Postings = { lines: Uint32Array; counts: Uint8Array };

/** Postings of one term as a row holds them. */
export type PostingRow = { count: number; data: Uint8Array };

/** The postings of rows one after the other; undefined when they are not ascending lines below `limit`. */
export function decodePostings(rows: PostingRow[], limit: number): Postings | undefined {
  let total = 0;
  for (const { count, data } of rows) {
    // A posting takes a byte at least.
    if (!(data instanceof Uint8Array) || !(count > 0 && count <= data.length)) return undefined;
    total += count;
  }
  const found: Postings = { lines: new Uint32Array(total), counts: new Uint8Array(total) };
  let start = 0;
  for (const row of rows) {
    if (!decodeRow(row, found, start, limit)) return undefined;
    start += row.count;
  }
  return found;
}

function decodeRow({ data, count }: PostingRow, found: Postings, start: number, limit: number): boolean {
  const { lines, counts } = found;
  const end = start + count;
  let previous = start > 0 ? lines[start - 1]! : -1;
  let at = 0;
  let line = 0;
  for (let n = start; n < end; n++) {
    let value = 0;
    let shift = 0;
    let byte = 128;
    while (byte > 127 && at < data.length && shift < 35) {
      byte = data[at++]!;
      value |= (byte & 127) << shift;
      shift += 7;
    }
    value >>>= 0;
    line += value >>> 1;
    if (byte > 127 || line <= previous || line >= limit) return false;
    previous = line;
    lines[n] = line;
    if (value % 2 === 0) counts[n] = 1;
    else if (at < data.length) counts[n] = data[at++]!;
    else return false;
  }
  return at === data.length;
}
