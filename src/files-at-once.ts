import {
  accessSync,
  appendFileSync,
  chmodSync,
  closeSync,
  copyFileSync,
  fchmodSync,
  fchownSync,
  fdatasyncSync,
  constants as fileConstants,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  futimesSync,
  linkSync,
  lstatSync,
  type Mode,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  readvSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  type StatOptions,
  statfsSync,
  statSync,
  symlinkSync,
  type TimeLike,
  utimesSync,
  writeFileSync,
  writeSync,
  writevSync,
} from 'node:fs';
import type * as promises from 'node:fs/promises';
import { isWorthRetrying, platformOf } from './core/model/platform.ts';

// Stands in for node:fs/promises in what is built: loading that takes longer than all the reading of a hook or a search, and
// threads are started for what is in memory anyway. Each call is done at once, and its result waits as theirs does.

/** Calls in a row before others, a timer above all, get their turn. */
const TURN = 32;
let calls = 0;
let threads: typeof promises | undefined;

/** For a process that stays: whoever asks it for something else must not wait for a disk. */
export function leaveToThreads(): void {
  threads = process.getBuiltinModule('node:fs/promises');
}

type Name = Exclude<keyof typeof promises, 'constants'>;

/** As the function of this name does it. */
function done<Args extends unknown[], Result>(name: Name, call: (...args: Args) => Result) {
  const own = atOnce(call);
  return (...args: Args): Promise<Result> =>
    threads ? (threads[name] as unknown as (...args: Args) => Promise<Result>)(...args) : own(...args);
}

function atOnce<Args extends unknown[], Result>(call: (...args: Args) => Result) {
  return (...args: Args): Promise<Result> => {
    calls++;
    if (calls % TURN === 0) return new Promise(setImmediate).then(() => call(...args));
    try {
      return Promise.resolve(call(...args));
    } catch (error) {
      // Not rejected as yet: Node notes a promise that fails before anyone waits for it, at a higher cost than the call's.
      return now.then(() => {
        throw error;
      });
    }
  };
}

const now = Promise.resolve();

/** Times, and milliseconds in between: a scanner that has the file open lets go of it soon. */
const TRIES = 10;
const PAUSE_MS = 20;

function patientRename(...args: Parameters<typeof renameSync>): void {
  for (let left = TRIES; ; left--) {
    try {
      renameSync(...args);
      return;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (left <= 1 || !isWorthRetrying(platformOf(process.platform), code)) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    }
  }
}

export const constants = fileConstants;
export const access = done('access', accessSync);
export const appendFile = done('appendFile', appendFileSync);
export const chmod = done('chmod', chmodSync);
export const copyFile = done('copyFile', copyFileSync);
export const link = done('link', linkSync);
export const lstat = done('lstat', lstatSync);
export const mkdir = done('mkdir', mkdirSync);
export const mkdtemp = done('mkdtemp', mkdtempSync);
export const open = done('open', (...args: Parameters<typeof openSync>) => new OpenFile(openSync(...args)));
export const readdir = done('readdir', readdirSync);
export const readFile = done('readFile', readFileSync);
export const readlink = done('readlink', readlinkSync);
export const realpath = done('realpath', realpathSync.native);
export const rename = done('rename', patientRename);
export const rm = done('rm', rmSync);
export const rmdir = done('rmdir', rmdirSync);
export const stat = done('stat', statSync);
export const statfs = done('statfs', statfsSync);
export const symlink = done('symlink', symlinkSync);
export const utimes = done('utimes', utimesSync);
export const writeFile = done('writeFile', writeFileSync);

type Own = Pick<
  promises.FileHandle,
  | 'appendFile'
  | 'chmod'
  | 'chown'
  | 'close'
  | 'datasync'
  | 'stat'
  | 'sync'
  | 'truncate'
  | 'utimes'
  | 'writeFile'
>;

/** What is used of a file handle. */
class OpenFile implements Own {
  fd: number;

  constructor(fd: number) {
    this.fd = fd;
  }

  readonly read = atOnce(
    (buffer: Uint8Array, offset?: number, length?: number, position?: number | null) => ({
      bytesRead: readSync(
        this.fd,
        buffer,
        offset ?? 0,
        length ?? buffer.length - (offset ?? 0),
        position ?? null,
      ),
      buffer,
    }),
  );

  readonly write = atOnce((data: Uint8Array | string, ...rest: [number?, number?, number?]) => ({
    bytesWritten: writeSync(this.fd, data as Uint8Array, ...rest),
    buffer: data,
  }));

  readonly appendFile = atOnce((data: string | Uint8Array) =>
    appendFileSync(this.fd, data),
  ) as Own['appendFile'];
  readonly chmod = atOnce((mode: Mode) => fchmodSync(this.fd, mode));
  readonly chown = atOnce((uid: number, gid: number) => fchownSync(this.fd, uid, gid));
  readonly datasync = atOnce(() => fdatasyncSync(this.fd));
  readonly readFile = atOnce((encoding?: BufferEncoding) => readFileSync(this.fd, { encoding }));
  readonly stat = atOnce((options?: StatOptions) => fstatSync(this.fd, options)) as Own['stat'];
  readonly sync = atOnce(() => fsyncSync(this.fd));
  readonly readv = atOnce((buffers: Buffer[], position?: number) => ({
    bytesRead: readvSync(this.fd, buffers, position),
    buffers,
  }));
  readonly writev = atOnce((buffers: Buffer[], position?: number) => ({
    bytesWritten: writevSync(this.fd, buffers, position),
    buffers,
  }));
  readonly truncate = atOnce((length?: number) => ftruncateSync(this.fd, length));
  readonly utimes = atOnce((atime: TimeLike, mtime: TimeLike) => futimesSync(this.fd, atime, mtime));
  readonly writeFile = atOnce((data: string | Uint8Array) =>
    writeFileSync(this.fd, data),
  ) as Own['writeFile'];

  readonly close = atOnce(() => {
    if (this.fd < 0) return;
    const { fd } = this;
    this.fd = -1;
    closeSync(fd);
  });

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
