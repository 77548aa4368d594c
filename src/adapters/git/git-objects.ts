import { open, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';

/** Nothing that a commit holds is larger; what is, is not read. */
const LARGEST = 1 << 20;
const MOST_DELTAS = 50;
const COMMIT = 1;
const OFFSET_DELTA = 6;
const NAMED_DELTA = 7;

type Pack = { path: string; index: Buffer; count: number };

/** Reads commits out of a repository's own files: loose ones and packs. Starts no process. */
export class GitObjects {
  readonly #folder: string;
  #packs: Promise<Pack[]> | undefined;

  /** `folder` is the git folder that contains `objects/`. */
  constructor(folder: string) {
    this.#folder = join(folder, 'objects');
  }

  /** The text of a commit; undefined for what is none, or can't be read. */
  async commit(id: string): Promise<string | undefined> {
    return (await this.#loose(id)) ?? (await this.#packed(id))?.toString('utf8');
  }

  async #loose(id: string): Promise<string | undefined> {
    try {
      const bytes = inflated(await readFile(join(this.#folder, id.slice(0, 2), id.slice(2))));
      const end = bytes.indexOf(0);
      return bytes.toString('latin1', 0, 7) === 'commit ' ? bytes.toString('utf8', end + 1) : undefined;
    } catch {
      return undefined;
    }
  }

  async #packed(id: string): Promise<Buffer | undefined> {
    this.#packs ??= this.#open();
    for (const pack of await this.#packs) {
      const offset = offsetOf(pack, Buffer.from(id, 'hex'));
      if (offset === undefined) continue;
      try {
        const found = await this.#at(pack, offset, 0);
        return found.type === COMMIT ? found.bytes : undefined;
      } catch {
        return undefined;
      }
    }
    return undefined;
  }

  async #open(): Promise<Pack[]> {
    const folder = join(this.#folder, 'pack');
    const names = await readdir(folder).catch((): string[] => []);
    const packs: Pack[] = [];
    for (const name of names.filter((it) => it.endsWith('.idx'))) {
      const index = await readFile(join(folder, name)).catch(() => undefined);
      // Version 2, which every git of the last fifteen years writes.
      if (!index || index.length < 1072 || index.readUInt32BE(0) !== 0xff744f63) continue;
      packs.push({
        path: join(folder, name.replace(/idx$/, 'pack')),
        index,
        count: index.readUInt32BE(8 + 255 * 4),
      });
    }
    return packs;
  }

  async #at(pack: Pack, offset: number, depth: number): Promise<{ type: number; bytes: Buffer }> {
    if (depth > MOST_DELTAS) throw new Error('too many deltas');
    const raw = await readAt(pack.path, offset, 65_536);
    let at = 0;
    let byte = raw[at++]!;
    const type = (byte >> 4) & 7;
    let size = byte & 15;
    for (let shift = 4; byte & 0x80; shift += 7) {
      byte = raw[at++]!;
      size += (byte & 0x7f) * 2 ** shift;
    }
    if (size > LARGEST) throw new Error('too large');
    let base: number | undefined;
    if (type === OFFSET_DELTA) {
      byte = raw[at++]!;
      let back = byte & 0x7f;
      while (byte & 0x80) {
        byte = raw[at++]!;
        back = (back + 1) * 128 + (byte & 0x7f);
      }
      base = offset - back;
    } else if (type === NAMED_DELTA) {
      base = offsetOf(pack, raw.subarray(at, at + 20));
      at += 20;
    }
    const bytes = inflated(raw.subarray(at));
    if (type !== OFFSET_DELTA && type !== NAMED_DELTA) return { type, bytes };
    if (base === undefined) throw new Error('no base');
    const below = await this.#at(pack, base, depth + 1);
    return { type: below.type, bytes: applied(below.bytes, bytes) };
  }
}

function inflated(bytes: Buffer): Buffer {
  return inflateSync(bytes, { maxOutputLength: LARGEST });
}

async function readAt(path: string, at: number, bytes: number): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, at);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

function offsetOf({ index, count }: Pack, id: Buffer): number | undefined {
  const fan = (byte: number) => (byte < 0 ? 0 : index.readUInt32BE(8 + byte * 4));
  let [low, high] = [fan(id[0]! - 1), fan(id[0]!)];
  const names = 8 + 1024;
  while (low < high) {
    const middle = (low + high) >> 1;
    const order = id.compare(index, names + middle * 20, names + middle * 20 + 20);
    if (order === 0) {
      const offset = index.readUInt32BE(names + count * 24 + middle * 4);
      if (offset < 0x80000000) return offset;
      return Number(index.readBigUInt64BE(names + count * 28 + (offset & 0x7fffffff) * 8));
    }
    if (order < 0) high = middle;
    else low = middle + 1;
  }
  return undefined;
}

/** A delta: pieces of the base, and pieces of its own. */
function applied(base: Buffer, delta: Buffer): Buffer {
  let at = 0;
  const length = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = delta[at++]!;
      value += (byte & 0x7f) * 2 ** shift;
      if (!(byte & 0x80)) return value;
    }
  };
  length();
  length();
  const parts: Buffer[] = [];
  while (at < delta.length) {
    const op = delta[at++]!;
    if (!(op & 0x80)) {
      parts.push(delta.subarray(at, at + op));
      at += op;
      continue;
    }
    let [from, size] = [0, 0];
    for (let bit = 0; bit < 4; bit++) if (op & (1 << bit)) from += delta[at++]! * 2 ** (8 * bit);
    for (let bit = 0; bit < 3; bit++) if (op & (16 << bit)) size += delta[at++]! * 2 ** (8 * bit);
    parts.push(base.subarray(from, from + (size || 0x10000)));
  }
  return Buffer.concat(parts);
}
