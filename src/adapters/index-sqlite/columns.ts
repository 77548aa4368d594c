import type { DatabaseSync } from 'node:sqlite';
import { corruptIndex } from './sqlite-fault.ts';

/** Values a block holds; an update rewrites the blocks it touches and no others. */
const BLOCK = 4096;

/** Bytes of one value. */
const WIDTHS = {
  length: 2,
  role: 1,
  flags: 1,
  exchange: 4,
  source: 4,
  /** Of each source and role, `ROLES` to a source. */
  roleLines: 4,
  roleTerms: 4,
} as const;
export type ColumnName = keyof typeof WIDTHS;

/** A whole column's bytes, in the machine's own order of bytes. */
export function readColumn(db: DatabaseSync, name: ColumnName, count: number, path: string): ArrayBuffer {
  const rows = db.prepare('SELECT block, data FROM columns WHERE name = ? ORDER BY block').all(name);
  const total = rows.reduce((sum, { data }) => sum + (data instanceof Uint8Array ? data.length : 0), 0);
  if (total !== count * WIDTHS[name]) throw corruptIndex(path);
  const bytes = new Uint8Array(total);
  let filled = 0;
  for (const { block, data } of rows) {
    if (!(data instanceof Uint8Array) || Number(block) * BLOCK * WIDTHS[name] !== filled) {
      throw corruptIndex(path);
    }
    bytes.set(data, filled);
    filled += data.length;
  }
  return bytes.buffer;
}

export function replaceColumn(db: DatabaseSync, name: ColumnName, bytes: Uint8Array): void {
  db.prepare('DELETE FROM columns WHERE name = ?').run(name);
  const insert = db.prepare('INSERT INTO columns VALUES (?, ?, ?)');
  const size = BLOCK * WIDTHS[name];
  for (let block = 0; block * size < bytes.length; block++) {
    insert.run(name, block, bytes.subarray(block * size, (block + 1) * size));
  }
}

type Block = { bytes: Uint8Array; view: DataView; length: number };

/** Changes to a column, gathered by block. */
export class ColumnWriter {
  readonly #db: DatabaseSync;
  readonly #name: ColumnName;
  readonly #blocks = new Map<number, Block>();
  #last = -1;
  #current: Block | undefined;

  constructor(db: DatabaseSync, name: ColumnName) {
    this.#db = db;
    this.#name = name;
  }

  set(index: number, value: number): void {
    const width = WIDTHS[this.#name];
    const offset = (index % BLOCK) * width;
    const current = this.#at(index);
    const { view } = current;
    if (width === 1) view.setUint8(offset, value);
    else if (width === 2) view.setUint16(offset, value, LITTLE);
    else view.setUint32(offset, value, LITTLE);
    if (offset + width > current.length) current.length = offset + width;
  }

  /** To a value of four bytes. */
  add(index: number, more: number): void {
    const offset = (index % BLOCK) * WIDTHS[this.#name];
    this.set(index, (this.#at(index).view.getUint32(offset, LITTLE) + more) >>> 0);
  }

  #at(index: number): Block {
    const block = Math.floor(index / BLOCK);
    if (block !== this.#last || !this.#current) {
      this.#current = this.#blocks.get(block) ?? this.#load(block);
      this.#last = block;
    }
    return this.#current;
  }

  write(): void {
    const replace = this.#db.prepare('INSERT OR REPLACE INTO columns VALUES (?, ?, ?)');
    for (const [block, { bytes, length }] of this.#blocks) {
      replace.run(this.#name, block, bytes.subarray(0, length));
    }
  }

  #load(block: number): Block {
    const bytes = new Uint8Array(BLOCK * WIDTHS[this.#name]);
    const row = this.#db
      .prepare('SELECT data FROM columns WHERE name = ? AND block = ?')
      .get(this.#name, block);
    const data = row?.data instanceof Uint8Array ? row.data.subarray(0, bytes.length) : new Uint8Array();
    bytes.set(data);
    const loaded = { bytes, view: new DataView(bytes.buffer), length: data.length };
    this.#blocks.set(block, loaded);
    return loaded;
  }
}

const LITTLE = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;
