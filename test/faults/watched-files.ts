// Watches every file system call before it happens. In the build all calls go through the functions below; in a
// process that runs the sources, they do so after this module was loaded.
import fs from 'node:fs';
import { registerHooks, syncBuiltinESMExports } from 'node:module';
import { DatabaseSync, StatementSync } from 'node:sqlite';

/** `change`: it changes the disk. */
export type FileCall = { name: string; path: string; change: boolean; args: unknown[] };
/** The outcome of a call: it fails with this error, or does a part of its work. */
export type Fate = { fails: string } | 'half' | undefined;
export type FileWatcher = {
  before(call: FileCall): Fate;
  /** Called after a call succeeded. */
  after?(call: FileCall, result: unknown): void;
};

type AnyCall = (...args: never[]) => unknown;
type Calls = Record<string, AnyCall>;

const BY_PATH = ['accessSync', 'lstatSync', 'readdirSync', 'readFileSync', 'readlinkSync', 'statSync'];
const CHANGES_BY_PATH = [
  'appendFileSync',
  'chmodSync',
  'copyFileSync',
  'linkSync',
  'mkdirSync',
  'mkdtempSync',
  'renameSync',
  'rmdirSync',
  'rmSync',
  'symlinkSync',
  'unlinkSync',
  'utimesSync',
  'writeFileSync',
];
const BY_DESCRIPTOR = ['fstatSync', 'readSync', 'readvSync'];
const CHANGES_BY_DESCRIPTOR = [
  'fchmodSync',
  'fdatasyncSync',
  'fsyncSync',
  'ftruncateSync',
  'futimesSync',
  'writeSync',
  'writevSync',
];
const WRITE_FLAGS = fs.constants.O_WRONLY | fs.constants.O_RDWR | fs.constants.O_CREAT;

let watcher: FileWatcher | undefined;
let isInside = false;
const open = new Map<number, string>();

/** Starts watching; undefined stops it. */
export function watchFiles(next: FileWatcher | undefined): void {
  watcher = next;
  open.clear();
}

let output: ((text: string) => void) | undefined;
/** Redirects printed output; undefined stops it. */
export function captureOutput(next: ((text: string) => void) | undefined): void {
  output = next;
}

/** Files that were opened while watched and are still open. */
export function leftOpen(): string[] {
  return [...open.values()];
}

/** An error in the system's form. */
export function systemError(code: string, name: string, path: string): Error {
  const text = `${code}: made to fail, ${name.replace(/Sync$/, '')} '${path}'`;
  return Object.assign(new Error(text), { code, syscall: name, path });
}

function watched(call: FileCall, work: (part: 'all' | 'half') => unknown): unknown {
  // Some of Node's functions call others.
  if (!watcher || isInside) return work('all');
  const fate = watcher.before(call);
  if (typeof fate === 'object') {
    if (call.name.startsWith('sql')) throw sqliteError(fate.fails);
    throw systemError(fate.fails, call.name, call.path);
  }
  isInside = true;
  try {
    const result = work(fate === 'half' ? 'half' : 'all');
    watcher.after?.(call, result);
    return result;
  } finally {
    isInside = false;
  }
}

const SQLITE_CODES: Record<string, number> = { EIO: 10, ENOSPC: 13, EACCES: 14, EMFILE: 14 };

function sqliteError(code: string): Error {
  return Object.assign(new Error(`made to fail: ${code}`), {
    code: 'ERR_SQLITE_ERROR',
    errcode: SQLITE_CODES[code],
  });
}

const real = { ...fs } as unknown as Calls;
const patched = fs as unknown as Calls;

for (const name of [...BY_PATH, ...CHANGES_BY_PATH]) {
  const change = CHANGES_BY_PATH.includes(name);
  patched[name] = (...args: unknown[]) => {
    const [first] = args;
    const path = typeof first === 'number' ? open.get(first) : String(first);
    const all = () => real[name]!(...(args as never[]));
    if (path === undefined) return all();
    return watched({ name, path, change, args }, (part) =>
      part === 'half' ? halfOfFile(name, args) : all(),
    );
  };
}

for (const name of [...BY_DESCRIPTOR, ...CHANGES_BY_DESCRIPTOR]) {
  patched[name] = (...args: unknown[]) => {
    if (output && name === 'writeSync' && (args[0] === 1 || args[0] === 2)) return printed(args);
    const path = open.get(args[0] as number);
    const all = () => real[name]!(...(args as never[]));
    if (path === undefined) return all();
    const change = CHANGES_BY_DESCRIPTOR.includes(name);
    return watched({ name, path, change, args }, (part) => (part === 'half' ? halfOfWrite(args) : all()));
  };
}

patched.openSync = (path: unknown, flags: unknown, ...rest: unknown[]) => {
  const change = typeof flags === 'number' ? (flags & WRITE_FLAGS) !== 0 : /[wa+]/.test(String(flags ?? 'r'));
  const call = { name: 'openSync', path: String(path), change, args: [path, flags, ...rest] };
  return watched(call, () => {
    const descriptor = real.openSync!(...([path, flags, ...rest] as never[])) as number;
    if (watcher) open.set(descriptor, String(path));
    return descriptor;
  });
};
patched.closeSync = (descriptor: unknown) => {
  open.delete(descriptor as number);
  return real.closeSync!(descriptor as never);
};
const realpath = fs.realpathSync.native;
fs.realpathSync.native = ((...args: [string]) =>
  watched({ name: 'realpathSync', path: String(args[0]), change: false, args }, () =>
    realpath(...args),
  )) as typeof realpath;

function printed([, data, offset = 0]: unknown[]): number {
  const bytes = Buffer.from(data as string).subarray(Number(offset));
  output?.(bytes.toString('utf8'));
  return bytes.length;
}

/** A file of which the disk took only the first half. */
function halfOfFile(name: string, [path, data, ...rest]: unknown[]): never {
  const bytes = Buffer.from(data as string);
  real[name]!(path as never, bytes.subarray(0, bytes.length >> 1) as never, ...(rest as never[]));
  throw systemError('ENOSPC', name, String(path));
}

/** Writes fewer bytes than requested, and reports that. */
function halfOfWrite([descriptor, data, ...rest]: unknown[]): number {
  if (typeof data === 'string') {
    const bytes = Buffer.from(data);
    const at = (rest[0] ?? null) as never;
    return real.writeSync!(
      descriptor as never,
      bytes as never,
      0 as never,
      Math.ceil(bytes.length / 2) as never,
      at,
    ) as number;
  }
  const bytes = data as Uint8Array;
  const [offset = 0, length = bytes.length - Number(offset), at = null] = rest as [number?, number?, number?];
  return real.writeSync!(
    descriptor as never,
    bytes as never,
    offset as never,
    Math.ceil(length / 2) as never,
    at as never,
  ) as number;
}

for (const [type, names] of [
  [DatabaseSync.prototype, ['exec', 'prepare']],
  [StatementSync.prototype, ['run', 'all', 'get']],
] as unknown as [Calls, string[]][]) {
  for (const name of names) {
    const original = type[name]!;
    type[name] = function (this: object, ...args: never[]) {
      const all = () => original.apply(this, args);
      // Releasing a resource cannot fail for lack of space.
      if (/^(ROLLBACK|PRAGMA)/.test(String(args[0]))) return all();
      return watched(
        { name: `sql.${name}`, path: String(args[0] ?? ''), change: name !== 'prepare', args },
        all,
      );
    } as AnyCall;
  }
}
syncBuiltinESMExports();

const AT_ONCE = new URL('../../src/files-at-once.ts', import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'node:fs/promises' && context.parentURL?.includes('/src/')
      ? { url: AT_ONCE, shortCircuit: true }
      : next(specifier, context),
});
