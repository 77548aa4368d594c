import { openSync, readFileSync, readSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';

// Loads the files of the build with what V8 compiled of them before. Node's own compile cache holds a file as it is before it
// runs: every process compiles again each function that it calls. What is kept here holds the functions that a command or an
// event called, in one file for each of them.

/** Runs of one way after which what was compiled is stored again: each may call functions that none before did. */
const LEARNING_RUNS = 3;
/** Each 64th byte: no torn or lost sector goes unnoticed, at a cost of a fraction of a millisecond. */
const STRIDE = 16;

/** Where the code of each file is, and what it adds up to. */
type PackedParts = Record<string, [from: number, length: number, sum: number]>;
/** `ways`: the ways through the program that were taken, and how often what they compiled was stored. */
export type PackIndex = { parts: PackedParts; ways: Record<string, number> };
/** `from`: where the parts begin. */
export type Pack = PackIndex & { handle: number; from: number };
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
    // Of a file beside `dist` it is the end of the path: it only has to be another for each.
    const name = file.slice(dist.length + 1);
    const source = `(function(exports,require,module,__filename,__dirname){${readFileSync(file, 'utf8')}\n})`;
    const cachedData = known && partOf(known, name);
    const script = new Script(source, { filename: file, ...(cachedData && { cachedData }) });
    compiled.push({ name, script, isNew: !!known?.parts[name] && script.cachedDataRejected !== false });
    return script;
  };

  return { load: (name) => load(join(dist, name)), dist, compiled, known };
}

/** Whether a run can have compiled something that is not stored. */
function hasMore({ compiled, known }: Chunks, way: string): boolean {
  if (!known || compiled.some(({ isNew }) => isNew)) return true;
  return (known.ways[way] ?? 0) < LEARNING_RUNS;
}

/** How long its index is, the index, the parts. Undefined where the index is not whole. */
function readPack(file: string): Pack | undefined {
  try {
    const handle = openSync(file, 'r');
    const length = readAt(handle, 0, 4).readUInt32LE();
    return { ...JSON.parse(readAt(handle, 4, length).toString()), handle, from: 4 + length };
  } catch {
    return undefined;
  }
}

/** What is stored of a file, as far as it is whole. */
export function partOf({ parts, handle, from }: Pack, name: string): Buffer | undefined {
  const part = parts[name];
  const bytes = part && readAt(handle, from + part[0], part[1]);
  return bytes && checksumOf(bytes) === part[2] ? bytes : undefined;
}

function readAt(handle: number, at: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  readSync(handle, bytes, 0, length, at);
  return bytes;
}

export function checksumOf(bytes: Buffer): number {
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
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
  // By the name of the first file, which changes with all others: two builds may use one archive.
  const pack = place && join(place, `${role}-${process.version}-${process.arch}-${main}`);
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
