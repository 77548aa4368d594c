import { fstatSync, writeSync } from 'node:fs';
import { platformOf } from '../../../core/model/platform.ts';

/** stdout or stderr, by its number. */
export type Output = 1 | 2;

/** Node's own streams take longer to load than a search takes: what is no terminal is written to without them. */
export function isTerminal(output: Output): boolean {
  return isDirect(output) ? false : streamOf(output).isTTY === true;
}

/** All of it, in order, before it returns, as Node's streams do for files and pipes. */
export function writeOut(output: Output, text: string): void {
  if (!isDirect(output)) return void streamOf(output).write(text);
  const bytes = Buffer.from(text);
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(output, bytes, written);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // A pipe that its owner does not want to wait for: a stream waits until there is room, and all that follows goes behind it.
    if (code === 'EAGAIN') {
      direct.set(output, false);
      return void streamOf(output).write(bytes.subarray(written));
    }
    if (code !== 'EPIPE') throw error;
    // A reader that leaves (`| head`) is no error.
    process.exit(0);
  }
}

/** A reader that leaves ends the program quietly, wherever a stream of Node's is used after all. */
export function quietPipes(): void {
  for (const name of ['stdout', 'stderr'] as const) {
    const own = Object.getOwnPropertyDescriptor(process, name);
    let quiet = false;
    const get = () => {
      const stream: NodeJS.WriteStream = own?.get?.call(process) ?? own?.value;
      if (!quiet) stream.on('error', leaveQuietly);
      quiet = true;
      return stream;
    };
    Object.defineProperty(process, name, { configurable: true, enumerable: true, get });
  }
}

function leaveQuietly(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
}

const direct = new Map<Output, boolean>();

/** Files and pipes. On Windows they are not distinguished this way, and pipes are not written to at once. */
function isDirect(output: Output): boolean {
  const known = direct.get(output);
  if (known !== undefined) return known;
  const found = platformOf(process.platform).knowsPipes && isFileOrPipe(output);
  direct.set(output, found);
  return found;
}

function isFileOrPipe(output: Output): boolean {
  try {
    return !fstatSync(output).isCharacterDevice();
  } catch {
    return false;
  }
}

function streamOf(output: Output): NodeJS.WriteStream {
  return output === 1 ? process.stdout : process.stderr;
}
