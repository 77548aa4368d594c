import { readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { Script } from 'node:vm';

// Loads the files of the build with what V8 compiled of them before. Node's own compile cache holds a file as it is before it
// runs: every process compiles again each function that it calls. What is kept here holds the functions that a command or an
// event called, in one file for each of them.

/** Runs of one way after which what was compiled is stored again: each may call functions that none before did. */
const LEARNING_RUNS = 3;
/** Each 64th byte: no torn or lost sector goes unnoticed, at a cost of a fraction of a millisecond. */
const STRIDE = 16;

export type PackedPart = [name: string, from: number, length: number];
/** `ways`: the ways through the program that were taken, and how often what they compiled was stored. */
export type PackIndex = { parts: PackedPart[]; ways: Record<string, number>; sum: number };
export type Pack = PackIndex & { bytes: Buffer };
/** `isNew`: what is stored of it can't be used. */
export type CompiledChunk = { name: string; script: Script; isNew: boolean };

export type Chunks = {
  /** What the file exports, as `require` has it. */
  load(name: string): unknown;
  dist: string;
  compiled: CompiledChunk[];
  known: Pack | undefined;
};

/** `dist`: the folder of the build. A file's name says by a hash what it holds: V8 compares no more than its length. */
export function openChunks(dist: string, pack: string | undefined): Chunks {
  const modules = new Map<string, { exports: unknown }>();
  const compiled: CompiledChunk[] = [];
  const known = pack === undefined ? undefined : readPack(pack);

  const load = (file: string): unknown => {
    const before = modules.get(file);
    if (before) return before.exports;
    const module = { exports: {} };
    modules.set(file, module);
    const folder = dirname(file);
    const require = (id: string) =>
      id.startsWith('.') ? load(join(folder, id)) : process.getBuiltinModule(id);
    compile(file).runInThisContext().call(module.exports, module.exports, require, module, file, folder);
    return module.exports;
  };

  const compile = (file: string): Script => {
    const name = file.slice(dist.length + sep.length);
    const source = `(function(exports,require,module,__filename,__dirname){${readFileSync(file, 'utf8')}\n})`;
    const part = known?.parts.find(([own]) => own === name);
    const cachedData = part && known?.bytes.subarray(part[1], part[1] + part[2]);
    const script = new Script(source, { filename: file, ...(cachedData && { cachedData }) });
    compiled.push({ name, script, isNew: script.cachedDataRejected !== false });
    return script;
  };

  return { load: (name) => load(join(dist, name)), dist, compiled, known };
}

/** Whether a run can have compiled something that is not stored. */
function hasMore({ compiled, known }: Chunks, way: string): boolean {
  if (!known || compiled.some(({ isNew }) => isNew)) return true;
  return (known.ways[way] ?? 0) < LEARNING_RUNS;
}

/** Undefined for whatever is not whole. */
function readPack(file: string): Pack | undefined {
  try {
    const bytes = readFileSync(file);
    const end = bytes.length - 4;
    const from = bytes.readUInt32LE(end);
    const index: PackIndex = JSON.parse(bytes.toString('latin1', from, end));
    return checksumOf(bytes, from) === index.sum ? { ...index, bytes } : undefined;
  } catch {
    return undefined;
  }
}

/** Of the first `length` bytes. */
export function checksumOf(bytes: Buffer, length: number): number {
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, length >> 2);
  let sum = words.length;
  for (let at = 0; at < words.length; at += STRIDE) sum = (Math.imul(sum, 31) + words[at]!) | 0;
  return sum;
}

/** As `store-compiled.ts` exports it. */
type StoreRoot = { storeCompiled(chunks: Chunks, way: string, pack: string): void };

/** The built program in `dist`: its files by the names that the build gave them. */
export type BuiltProgram = { dist: string; main: string; store: string };

/** Loads the program with what was compiled for `role` before. `keep` stores what is new, and never throws. */
export function openProgram<Root>(
  { dist, main, store }: BuiltProgram,
  role: string,
  place: string | undefined,
): { root: Root; keep(): void } {
  const pack = place && join(place, `${role}-${process.version}-${process.arch}-${mark(dist)}`);
  const chunks = openChunks(dist, pack);
  const root = chunks.load(main) as Root;
  const keep = () => {
    // Which way the run took through the program, by the files that it loaded.
    const way = `${chunks.compiled.length} ${chunks.compiled.at(-1)?.name}`;
    if (!pack || !hasMore(chunks, way)) return;
    try {
      const { storeCompiled } = chunks.load(store) as StoreRoot;
      storeCompiled(chunks, way, pack);
    } catch {
      // No room, or no right to write: it is compiled again.
    }
  };
  return { root, keep };
}

/** Two installations use one archive, each with files of its own. */
function mark(text: string): string {
  let hash = 0;
  for (let at = 0; at < text.length; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  return (hash >>> 0).toString(36);
}
