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
import { type Chunks, checksumOf, type PackIndex, partOf } from './compiled-chunks.ts';

const UNUSED_MS = 30 * 86_400_000;

/** A file of more is data for the most part, which is read as fast as its compiled form. */
const MOST_BYTES = 1024 * 1024;

/** Stores what V8 compiled of the chunks, beside what was stored of others that exist. */
export function storeCompiled({ dist, compiled, known }: Chunks, way: string, pack: string): void {
  const data = new Map<string, Buffer>();
  for (const { name, script } of compiled) {
    const code = script.createCachedData();
    if (code.length <= MOST_BYTES) data.set(name, code);
  }
  for (const name of Object.keys(known?.parts ?? {})) {
    const code = data.has(name) || !existsSync(join(dist, name)) ? undefined : partOf(known!, name);
    if (code) data.set(name, code);
  }
  if (known) closeSync(known.handle);
  const folder = dirname(pack);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writePack(pack, data, { ...known?.ways, [way]: (known?.ways[way] ?? 0) + 1 });
  removeUnused(folder);
}

function writePack(file: string, data: Map<string, Buffer>, ways: Record<string, number>): void {
  const parts: PackIndex['parts'] = {};
  let length = 0;
  for (const [name, code] of data) {
    parts[name] = [length, code.length, checksumOf(code)];
    length += code.length;
  }
  const index = Buffer.from(JSON.stringify({ parts, ways }));
  const start = Buffer.alloc(4);
  start.writeUInt32LE(index.length);
  const temp = `${file}.${process.pid}.tmp`;
  try {
    const handle = openSync(temp, 'w', 0o600);
    try {
      writeSync(handle, Buffer.concat([start, index, ...data.values()]));
      // V8 trusts what it gets: what a power failure tore must not get the name.
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(temp, file);
  } finally {
    rmSync(temp, { force: true });
  }
}

function removeUnused(folder: string): void {
  const before = Date.now() - UNUSED_MS;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const found = statSync(path, { throwIfNoEntry: false });
    if (found && found.mtimeMs < before) rmSync(path, { recursive: true, force: true });
  }
}
