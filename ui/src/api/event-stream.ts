import { ask } from './call-api.ts';

/** The data of each server-sent event, until the server ends the stream; the browser's own reader can't send our key. */
export async function* eventStream(address: string): AsyncGenerator<string> {
  const { body } = await ask(address);
  if (!body) return;
  let rest = '';
  for await (const piece of chunksOf(body.pipeThrough(new TextDecoderStream()))) {
    const blocks = (rest + piece).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const data = block.split('\n').filter((line) => line.startsWith('data:'));
      if (data.length > 0) yield data.map((line) => line.slice(5).trimStart()).join('\n');
    }
  }
}

/** As `for await` of the stream itself, which not every browser knows. */
async function* chunksOf(stream: ReadableStream<string>): AsyncGenerator<string> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    // A stream that broke off can't be canceled, and its reader knows already.
    reader.cancel().catch(() => undefined);
  }
}
