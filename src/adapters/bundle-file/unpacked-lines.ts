import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Fault } from '../../core/model/fault.ts';

/** Lines of a bundle hold a quarter of a megabyte of content at most, each byte of it escaped at worst. */
const LONGEST_LINE = 8 * 1024 * 1024;
/** Text does not pack better than this; what does is made to fill a disk. */
const MOST_SWELLING = 250;
const SMALL = 64 * 1024 * 1024;
const NEWLINE = 0x0a;
const GZIP = Buffer.from([0x1f, 0x8b]);

/** Unpacks as it reads; nothing but one line is held. */
export async function* unpackedLines(
  file: Readable,
  path: string,
  sizeOf: () => Promise<number>,
): AsyncGenerator<string> {
  const gunzip = createGunzip();
  file.on('error', (error) => gunzip.destroy(error));
  let [held, length, unpacked]: [Buffer[], number, number] = [[], 0, 0];
  let isPacked = true;
  try {
    const most = Math.max(SMALL, MOST_SWELLING * (await sizeOf()));
    file.once('data', (first: Buffer) => {
      isPacked = first.subarray(0, 2).equals(GZIP);
    });
    for await (const piece of file.pipe(gunzip) as AsyncIterable<Buffer>) {
      unpacked += piece.length;
      if (unpacked > most) throw refused(path, 'is suspiciously large when unpacked');
      let from = 0;
      for (let end = piece.indexOf(NEWLINE); end !== -1; end = piece.indexOf(NEWLINE, from)) {
        yield Buffer.concat([...held, piece.subarray(from, end)]).toString('utf8');
        [held, length, from] = [[], 0, end + 1];
      }
      length += piece.length - from;
      if (length > LONGEST_LINE) throw refused(path, 'contains a line that Keepsake did not write');
      if (from < piece.length) held.push(piece.subarray(from));
    }
    if (length > 0) yield Buffer.concat(held).toString('utf8');
  } catch (error) {
    throw error instanceof Fault ? error : unpackFault(error as NodeJS.ErrnoException, path, isPacked);
  } finally {
    file.destroy();
    gunzip.destroy();
  }
}

function unpackFault(error: NodeJS.ErrnoException, path: string, isPacked: boolean): Error {
  switch (error.code) {
    case 'Z_BUF_ERROR':
      return refused(path, 'is incomplete', 'Copy it again from the machine that exported it.');
    case 'Z_DATA_ERROR':
      return isPacked
        ? refused(path, 'is damaged', 'Copy it again from the machine that exported it.')
        : refused(path, 'is not a Keepsake bundle', 'Create one with `keepsake export`.');
    case 'ENOENT':
      return new Fault('not-found', `File not found: ${path}.`, { hint: 'Check the path.' });
    case 'EACCES':
    case 'EISDIR':
      return new Fault('unreadable', `${path} can't be read.`, { hint: 'Check its permissions.' });
    default:
      return error;
  }
}

function refused(path: string, what: string, hint = 'Nothing was imported.'): Fault {
  return new Fault('bad-input', `${path} ${what}.`, { hint });
}
