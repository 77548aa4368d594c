import { openSync, readFileSync, readSync, statSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';

// Loads the files of the build with what V8 compiled of them before. Node's own compile cache holds a file as it is before it
// runs: every process compiles again each function that it calls. What is kept here holds the functions that a command or an
// event called, in one file for each of them, with the sources: to open each file costs more than to read it.

/** Runs of one way after which what was compiled is stored again: each may call functions that none before did. */
const LEARNING_RUNS = 3;
/** Of the files in which it is stored. */
const FORMAT = 'v3';
/** In words: two of each block of 4,096 bytes, so that no lost one goes unnoticed. With more, V8 optimizes the loop, which takes longer than the loop. */
const STRIDE = 512;

/** Where the source and the code of each file are, one behind the other, and what they add up to. */
type PackedParts = Record<string, [from: number, length: number, sum: number, source: number]>;
/** `ways`: the ways through the program that were taken, and how often what they compiled was stored. */
export type PackIndex = { parts: PackedParts; ways: Record<string, number> };
/** `from`: where the parts begin. */
export type Pack = PackIndex & { handle: number; from: number };
/** `isNew`: what is stored of it can't be used. */
export type CompiledChunk = { name: string; source: string; script: Script; isNew: boolean };

export type Chunks = {
  /** What the file exports, as `require` has it. */
  load(name: string): unknown;
  dist: string;
  compiled: CompiledChunk[];
  known: Pack | undefined;
};

/** Flags of V8, as `--no-opt`. What is compiled is read and stored without them: it is of use only with the flags that it was stored with. */
export type Flags = { set(flags: string): void; without<T>(work: () => T): T };

export function openFlags(): Flags {
  let on = '';
  return {
    set(flags) {
      setFlagsFromString(flags);
      on = flags;
    },
    without(work) {
      if (on === '') return work();
      setFlagsFromString(on.replaceAll('--no-', '--'));
      try {
        return work();
      } finally {
        setFlagsFromString(on);
      }
    },
  };
}

/** Bytes of an index that is ranked sooner than the loops that do it are compiled. */
export const SMALL_INDEX = 6_000_000;

/** For what ranks once and ends: it does so before what is optimized pays. */
export function rankingFlags(archive: string): string {
  const bytes = statSync(join(archive, 'index.sqlite'), { throwIfNoEntry: false })?.size ?? 0;
  return bytes > SMALL_INDEX ? '--no-opt' : '--no-opt --no-maglev';
}

/** `dist`: the folder of the build. A file's name says by a hash what it holds: V8 compares no more than its length. */
export function openChunks(dist: string, pack: string | undefined, flags = openFlags()): Chunks {
  const modules = new Map<string, { exports: unknown }>();
  const compiled: CompiledChunk[] = [];
  const known = pack === undefined ? undefined : readPack(pack);
  // The files of hooks are in a folder of the package, too.
  const [inside, beside] = [join(dist, sep), dirname(dist).length + 1];

  const load = (file: string): unknown => {
    const before = modules.get(file);
    if (before) return before.exports;
    const module = { exports: {} };
    modules.set(file, module);
    const folder = dirname(file);
    const require = (id: string) =>
      id.startsWith('.') ? load(pathOf(folder, id)) : process.getBuiltinModule(id);
    compile(file).runInThisContext().call(module.exports, module.exports, require, module, file, folder);
    return module.exports;
  };

  const compile = (file: string): Script => {
    const name = file.startsWith(inside) ? file.slice(inside.length) : `../${file.slice(beside)}`;
    const part = known && partOf(known, name);
    const source = part ? sourceOf(part) : wrapped(readFileSync(file, 'utf8'));
    const cachedData = part?.code;
    const script = flags.without(
      () => new Script(source, { filename: file, ...(cachedData && { cachedData }) }),
    );
    const isNew = !!known?.parts[name] && script.cachedDataRejected !== false;
    compiled.push({ name, source, script, isNew });
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

/** Most are in the same folder: then what a path means need not be worked out. */
function pathOf(folder: string, id: string): string {
  return id.startsWith('./') ? folder + sep + id.slice(2) : join(folder, id);
}

function wrapped(code: string): string {
  return `(function(exports,require,module,__filename,__dirname){${code}\n})`;
}

/** `bytes`: all that is stored of a file; `source`: how much of it is the source. */
export type PackedPart = { bytes: Buffer; code: Buffer; source: number };

/** What is stored of a file, as far as it is whole. */
export function partOf({ parts, handle, from }: Pack, name: string): PackedPart | undefined {
  const part = parts[name];
  const bytes = part && readAt(handle, from + part[0], part[1]);
  if (!bytes || checksumOf(bytes) !== part[2]) return undefined;
  return { bytes, code: bytes.subarray(codeFrom(part[3])), source: part[3] };
}

/** A sign for each byte: what has others is not stored. */
function sourceOf({ bytes, source }: PackedPart): string {
  return bytes.toString('latin1', 0, source);
}

/** Where the code begins behind a source: V8 reads it in words. */
export function codeFrom(source: number): number {
  return (source + 7) & ~7;
}

function readAt(handle: number, at: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(length);
  return bytes.subarray(0, readSync(handle, bytes, 0, length, at));
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
): { root: Root; keep(): void; flags: Flags } {
  // By the name of the first file, which changes with all others: two builds may use one archive.
  const pack = place && join(place, `${role}-${FORMAT}-${process.version}-${process.arch}-${main}`);
  const flags = openFlags();
  const chunks = openChunks(dist, pack, flags);
  const root = chunks.load(main) as Root;
  const keep = () => {
    // Which way the run took through the program, by the files that it loaded.
    const way = `${chunks.compiled.length} ${chunks.compiled.at(-1)?.name}`;
    if (!pack || !hasMore(chunks, way)) return;
    try {
      const { storeCompiled } = chunks.load(store) as StoreRoot;
      flags.without(() => storeCompiled(chunks, way, pack));
    } catch {
      // No room, or no right to write: it is compiled again.
    }
  };
  return { root, keep, flags };
}
