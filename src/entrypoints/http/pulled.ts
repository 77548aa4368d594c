import { open } from 'node:fs/promises';

/** Bytes of a file that are read at once. */
const PIECE = 256 * 1024;

/** Nothing is opened before someone reads, and all is closed once nobody does. */
export function pulled(open: () => AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  let iterator: AsyncIterator<Uint8Array> | undefined;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        iterator ??= open()[Symbol.asyncIterator]();
        const { done, value } = await iterator.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await iterator?.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}

/** The bytes of a file, to where it ends by then. */
export function pulledFile(path: string): ReadableStream<Uint8Array> {
  return pulled(() => bytesOf(path));
}

async function* bytesOf(path: string): AsyncGenerator<Uint8Array> {
  const file = await open(path, 'r');
  try {
    for (;;) {
      const { bytesRead, buffer } = await file.read({ buffer: new Uint8Array(PIECE) });
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}
