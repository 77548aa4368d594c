import {
  accessSync,
  appendFileSync,
  chmodSync,
  closeSync,
  copyFileSync,
  fchmodSync,
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
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  type StatOptions,
  statfsSync,
  statSync,
  symlinkSync,
  type TimeLike,
  writeFileSync,
  writeSync,
} from 'node:fs';
import type * as promises from 'node:fs/promises';

// Stands in for node:fs/promises in the hooks' build: loading that takes longer than all the reading of a hook, and
// threads are started for what is in memory anyway. Each call is done at once, and its result waits as theirs does.

/** Calls in a row before others, a timer above all, get their turn. */
const TURN = 32;
let calls = 0;

function done<Args extends unknown[], Result>(call: (...args: Args) => Result) {
  return async (...args: Args): Promise<Result> => {
    calls++;
    if (calls % TURN === 0) await new Promise(setImmediate);
    return call(...args);
  };
}

export const constants = fileConstants;
export const access = done(accessSync);
export const appendFile = done(appendFileSync);
export const chmod = done(chmodSync);
export const copyFile = done(copyFileSync);
export const link = done(linkSync);
export const lstat = done(lstatSync);
export const mkdir = done(mkdirSync);
export const open = done((...args: Parameters<typeof openSync>) => new OpenFile(openSync(...args)));
export const readdir = done(readdirSync);
export const readFile = done(readFileSync);
export const readlink = done(readlinkSync);
export const realpath = done(realpathSync.native);
export const rename = done(renameSync);
export const rm = done(rmSync);
export const rmdir = done(rmdirSync);
export const stat = done(statSync);
export const statfs = done(statfsSync);
export const symlink = done(symlinkSync);
export const writeFile = done(writeFileSync);

type Own = Pick<
  promises.FileHandle,
  'appendFile' | 'chmod' | 'close' | 'datasync' | 'stat' | 'sync' | 'truncate' | 'utimes' | 'writeFile'
>;

/** What is used of a file handle. */
class OpenFile implements Own {
  fd: number;

  constructor(fd: number) {
    this.fd = fd;
  }

  readonly read = done((buffer: Uint8Array, offset?: number, length?: number, position?: number | null) => ({
    bytesRead: readSync(
      this.fd,
      buffer,
      offset ?? 0,
      length ?? buffer.length - (offset ?? 0),
      position ?? null,
    ),
    buffer,
  }));

  readonly write = done((data: Uint8Array | string, ...rest: [number?, number?, number?]) => ({
    bytesWritten: writeSync(this.fd, data as Uint8Array, ...rest),
    buffer: data,
  }));

  readonly appendFile = done((data: string | Uint8Array) =>
    appendFileSync(this.fd, data),
  ) as Own['appendFile'];
  readonly chmod = done((mode: Mode) => fchmodSync(this.fd, mode));
  readonly datasync = done(() => fdatasyncSync(this.fd));
  readonly readFile = done((encoding?: BufferEncoding) => readFileSync(this.fd, { encoding }));
  readonly stat = done((options?: StatOptions) => fstatSync(this.fd, options)) as Own['stat'];
  readonly sync = done(() => fsyncSync(this.fd));
  readonly truncate = done((length?: number) => ftruncateSync(this.fd, length));
  readonly utimes = done((atime: TimeLike, mtime: TimeLike) => futimesSync(this.fd, atime, mtime));
  readonly writeFile = done((data: string | Uint8Array) => writeFileSync(this.fd, data)) as Own['writeFile'];

  readonly close = done(() => {
    if (this.fd < 0) return;
    const { fd } = this;
    this.fd = -1;
    closeSync(fd);
  });

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
