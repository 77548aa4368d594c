import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { type Chunks, checksumOf, type PackedPart } from './compiled-chunks.ts';

const UNUSED_MS = 30 * 86_400_000;
/** Where the data of a file begins: V8 reads words. */
const ALIGNED = 8;

/** Stores what V8 compiled of the chunks, beside what was stored of others that exist. */
export function storeCompiled({ dist, compiled, known }: Chunks, way: string, pack: string): void {
  const data = new Map<string, Uint8Array>(
    compiled.map(({ name, script }) => [name, script.createCachedData()]),
  );
  for (const [name, from, length] of known?.parts ?? [])
    if (!data.has(name) && existsSync(join(dist, name)))
      data.set(name, known!.bytes.subarray(from, from + length));
  const folder = dirname(pack);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writePack(pack, data, { ...known?.ways, [way]: (known?.ways[way] ?? 0) + 1 });
  removeUnused(folder);
}

function writePack(file: string, data: Map<string, Uint8Array>, ways: Record<string, number>): void {
  const parts: PackedPart[] = [];
  const pieces: Buffer[] = [];
  let length = 0;
  for (const [name, bytes] of data) {
    parts.push([name, length, bytes.length]);
    const filled = Buffer.alloc(Math.ceil(bytes.length / ALIGNED) * ALIGNED);
    filled.set(bytes);
    pieces.push(filled);
    length += filled.length;
  }
  const body = Buffer.concat(pieces);
  const index = Buffer.from(JSON.stringify({ parts, ways, sum: checksumOf(body, length) }), 'latin1');
  const end = Buffer.alloc(4);
  end.writeUInt32LE(length);
  const temp = `${file}.${process.pid}.tmp`;
  const handle = openSync(temp, 'w', 0o600);
  try {
    writeSync(handle, Buffer.concat([body, index, end]));
    // V8 trusts what it gets: what a power failure tore must not get the name.
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(temp, file);
}

function removeUnused(folder: string): void {
  const before = Date.now() - UNUSED_MS;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const found = statSync(path, { throwIfNoEntry: false });
    if (found && found.mtimeMs < before) rmSync(path, { recursive: true, force: true });
  }
}
