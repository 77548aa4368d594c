import { PostingEncoder } from './posting-codec.ts';

const MOST_TIMES = 255;

/** Terms of many lines, gathered flat in typed arrays: an object a posting would take ten times the memory. */
export class TermBatch {
  readonly #ids = new Map<string, number>();
  readonly #terms: string[] = [];
  /** Each term's newest posting. */
  readonly #newest: number[] = [];
  #term = new Uint32Array(4096);
  #line = new Uint32Array(4096);
  #times = new Uint8Array(4096);
  size = 0;

  /** Lines come in ascending order. */
  add(line: number, terms: readonly string[]): void {
    for (const term of terms) {
      const id = this.#ids.get(term) ?? this.#idOf(term);
      const newest = this.#newest[id]!;
      if (newest >= 0 && this.#line[newest] === line) {
        if (this.#times[newest]! < MOST_TIMES) this.#times[newest]!++;
        continue;
      }
      if (this.size === this.#line.length) this.#grow();
      this.#term[this.size] = id;
      this.#line[this.size] = line;
      this.#times[this.size] = 1;
      this.#newest[id] = this.size++;
    }
  }

  /** In the order of the terms, so that the table is written from front to end. */
  flush(write: (term: string, count: number, data: Uint8Array) => void): void {
    const starts = new Uint32Array(this.#terms.length + 1);
    for (let n = 0; n < this.size; n++) starts[this.#term[n]! + 1]!++;
    for (let id = 0; id < this.#terms.length; id++) starts[id + 1]! += starts[id]!;
    const next = starts.slice();
    const order = new Uint32Array(this.size);
    for (let n = 0; n < this.size; n++) order[next[this.#term[n]!]!++] = n;
    const encoder = new PostingEncoder();
    for (const term of this.#terms.toSorted()) {
      const id = this.#ids.get(term)!;
      encoder.reset();
      for (let i = starts[id]!; i < starts[id + 1]!; i++) {
        const n = order[i]!;
        encoder.add(this.#line[n]!, this.#times[n]!);
      }
      write(term, encoder.count, encoder.bytes());
    }
    this.#ids.clear();
    this.#terms.length = 0;
    this.#newest.length = 0;
    this.size = 0;
  }

  #idOf(term: string): number {
    // UTF-8 has no lone surrogates: two terms that differ only there are one in the table.
    const stored = term.toWellFormed();
    let id = stored === term ? undefined : this.#ids.get(stored);
    if (id === undefined) {
      id = this.#terms.push(stored) - 1;
      this.#newest.push(-1);
      this.#ids.set(stored, id);
    }
    if (stored !== term) this.#ids.set(term, id);
    return id;
  }

  #grow(): void {
    const length = this.#line.length * 2;
    const [term, line, times] = [new Uint32Array(length), new Uint32Array(length), new Uint8Array(length)];
    term.set(this.#term);
    line.set(this.#line);
    times.set(this.#times);
    [this.#term, this.#line, this.#times] = [term, line, times];
  }
}
