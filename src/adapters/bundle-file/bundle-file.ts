import { randomUUID } from 'node:crypto';
import { closeSync, createReadStream, mkdirSync, openSync, writeSync } from 'node:fs';
import { copyFile, link, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { createGzip } from 'node:zlib';
import { Fault } from '../../core/model/fault.ts';
import type { Bundles, Scratch } from '../../ports/bundles.ts';
import { unpackedLines } from './unpacked-lines.ts';

/** What a killed run leaves in the archive is swept by this name. */
const TEMP_PREFIX = '.tmp-';

/** `folder` is the archive's own, for what is on its way. */
export function bundleFiles(folder: string): Bundles {
  return {
    write: (path, lines, { force = false } = {}) => writeBundle(path, lines, force),
    pack: (lines) => packed(lines),
    read: (file, path = file) =>
      unpackedLines(createReadStream(file), path, async () => (await stat(file)).size),
    size: async (path) => {
      const found = await stat(path).catch(() => undefined);
      return found?.isFile() ? found.size : undefined;
    },
    isPacked,
    keep: async (path, name) => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const copy = join(folder, name);
      const temp = join(folder, `${TEMP_PREFIX}${randomUUID()}`);
      await copyFile(path, temp);
      await rename(temp, copy);
      return copy;
    },
    scratch: async () => scratchFile(folder),
  };
}

const GZIP = Buffer.from([0x1f, 0x8b]);

async function isPacked(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) return false;
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(GZIP.length), 0, GZIP.length, 0);
    return bytesRead === GZIP.length && buffer.equals(GZIP);
  } finally {
    await file.close();
  }
}

async function writeBundle(path: string, lines: AsyncIterable<string>, force: boolean) {
  if (!force && (await stat(path).catch(() => undefined))) throw nameTaken(path);
  const temp = join(dirname(path), `${TEMP_PREFIX}${randomUUID()}-${basename(path).slice(0, 60)}`);
  try {
    const file = await open(temp, 'wx', 0o600);
    let unpacked = 0;
    try {
      const counted = (bytes: number) => {
        unpacked += bytes;
      };
      for await (const piece of packed(lines, counted)) await file.writeFile(piece);
      await file.sync();
    } finally {
      await file.close();
    }
    const { size } = await stat(temp);
    await putInPlace(temp, path, force);
    return { bytes: size, unpacked };
  } catch (error) {
    if (error instanceof Fault || (error as NodeJS.ErrnoException).code === undefined) throw error;
    const code = (error as NodeJS.ErrnoException).code === 'ENOSPC' ? 'disk-full' : 'unreadable';
    throw new Fault(code, `${path} can't be written: ${(error as Error).message}.`, {
      hint: 'Choose another place with --out.',
      cause: error,
    });
  } finally {
    await rm(temp, { force: true });
  }
}

async function* packed(
  lines: AsyncIterable<string>,
  onBytes: (bytes: number) => void = () => undefined,
): AsyncGenerator<Buffer> {
  const gzip = createGzip();
  // Ends with its input: a failure of the input is reported here.
  const feeding = feed(gzip, lines, onBytes);
  feeding.catch((error: Error) => gzip.destroy(error));
  try {
    for await (const piece of gzip) yield piece as Buffer;
    await feeding;
  } finally {
    gzip.destroy();
    // What it reads from is closed before this ends.
    await feeding.catch(() => undefined);
  }
}

/** Characters per call of the compressor: each call has a cost, however little it compresses. */
const FED = 256 * 1024;

async function feed(
  gzip: ReturnType<typeof createGzip>,
  lines: AsyncIterable<string>,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const write = async (text: string) => {
    onBytes(Buffer.byteLength(text));
    if (!gzip.write(text) && !gzip.destroyed)
      await new Promise<void>((resolve) => {
        const go = () => {
          gzip.off('drain', go).off('close', go);
          resolve();
        };
        gzip.once('drain', go).once('close', go);
      });
    if (gzip.destroyed) throw new Error('the reader closed the output');
  };
  let pending = '';
  for await (const line of lines) {
    pending += `${line}\n`;
    if (pending.length < FED) continue;
    await write(pending);
    pending = '';
  }
  if (pending !== '') await write(pending);
  gzip.end();
}

async function putInPlace(temp: string, path: string, force: boolean): Promise<void> {
  if (force) return rename(temp, path);
  try {
    await link(temp, path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw nameTaken(path);
    // Some file systems know no links.
    await rename(temp, path);
  }
}

function nameTaken(path: string): Fault {
  return new Fault('conflict', `${path} already exists.`, {
    hint: 'Choose another name with --out, or replace it with --force.',
  });
}

function scratchFile(folder: string): Scratch {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${TEMP_PREFIX}${randomUUID()}.jsonl`);
  const file = openSync(path, 'wx', 0o600);
  return {
    path,
    write: (bytes) => {
      for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
    },
    close: () => closeSync(file),
    remove: () => rm(path, { force: true }),
  };
}
