import { readSync } from 'node:fs';

/** The agent ends a hook after 30 s. */
const LONGEST_WAIT_MS = 20_000;
const FIRST_WAIT_MS = 1;
const LONGEST_PAUSE_MS = 20;
const CHUNK = 65_536;

/** Reads `handle` to its end. A pipe that is open and has nothing yet (EAGAIN, where it does not block) is waited for. */
export function readToEnd(handle: number, longestWaitMs = LONGEST_WAIT_MS): string {
  const parts: Buffer[] = [];
  let waited = 0;
  let pause = FIRST_WAIT_MS;
  for (;;) {
    const buffer = Buffer.allocUnsafe(CHUNK);
    const read = tryRead(handle, buffer);
    if (read === 0) return Buffer.concat(parts).toString('utf8');
    if (read === 'not yet') {
      if (waited >= longestWaitMs) throw new Error(`No more input on stdin for ${longestWaitMs} ms.`);
      sleep(pause);
      waited += pause;
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
    } else {
      parts.push(buffer.subarray(0, read));
      waited = 0;
      pause = FIRST_WAIT_MS;
    }
  }
}

function tryRead(handle: number, buffer: Buffer): number | 'not yet' {
  try {
    return readSync(handle, buffer);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EAGAIN' || code === 'EWOULDBLOCK') return 'not yet';
    // Windows: the other side closed the pipe.
    if (code === 'EOF') return 0;
    throw error;
  }
}

/** Without the event loop: nothing else is to be done meanwhile, and a hook is short. */
function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
