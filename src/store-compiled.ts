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
import { type Chunks, checksumOf, codeFrom, type PackIndex, partOf } from './compiled-chunks.ts';

const UNUSED_MS = 30 * 86_400_000;

/** What the build does not write but where it must. */
const NOT_PLAIN = /[^\0-\x7f]/;

/** A file of more is data for the most part, which is read as fast as its compiled form. */
const MOST_BYTES = 1024 * 1024;

/** The source of a file and its code. */
type StoredPart = { bytes: Buffer; source: number };

/** Stores what V8 compiled of the chunks, beside what was stored of others that exist. */
export function storeCompiled({ dist, compiled, known }: Chunks, way: string, pack: string): void {
  const data = new Map<string, StoredPart>();
  for (const { name, source, script } of compiled) {
    const code = script.createCachedData();
    if (code.length > MOST_BYTES || NOT_PLAIN.test(source)) continue;
    const bytes = Buffer.alloc(codeFrom(source.length) + code.length);
    bytes.write(source, 'latin1');
    bytes.set(code, codeFrom(source.length));
    data.set(name, { bytes, source: source.length });
  }
  for (const name of Object.keys(known?.parts ?? {})) {
    const part = data.has(name) || !existsSync(join(dist, name)) ? undefined : partOf(known!, name);
    if (part) data.set(name, part);
  }
  if (known) closeSync(known.handle);
  const folder = dirname(pack);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writePack(pack, data, { ...known?.ways, [way]: (known?.ways[way] ?? 0) + 1 });
  removeUnused(folder);
}

function writePack(file: string, data: Map<string, StoredPart>, ways: Record<string, number>): void {
  const parts: PackIndex['parts'] = {};
  let length = 0;
  for (const [name, { bytes, source }] of data) {
    parts[name] = [length, bytes.length, checksumOf(bytes), source];
    length += bytes.length;
  }
  const index = Buffer.from(JSON.stringify({ parts, ways }));
  const start = Buffer.alloc(4);
  start.writeUInt32LE(index.length);
  const temp = `${file}.${process.pid}.tmp`;
  try {
    const handle = openSync(temp, 'w', 0o600);
    try {
      writeSync(handle, Buffer.concat([start, index, ...[...data.values()].map(({ bytes }) => bytes)]));
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
