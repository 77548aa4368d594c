import type { IncomingMessage, Server } from 'node:http';
import { LARGEST_BODY } from './guard.ts';

/** Milliseconds that a refused client has to finish sending. */
const PATIENCE = 500;

/** Ends uploads that continue after the answer: the client gets the answer, and cannot send more than the limit. */
export function drainUnread(server: Server): void {
  server.on('request', (incoming, outgoing) => {
    // Before Node's own listener, which would read on without a limit.
    outgoing.prependOnceListener('finish', () => {
      if (!incoming.complete) drain(incoming);
    });
  });
}

function drain(incoming: IncomingMessage): void {
  const { socket } = incoming;
  const end = () => {
    incoming.removeAllListeners('data').pause();
    socket.destroySoon();
  };
  const timer = setTimeout(end, PATIENCE);
  timer.unref();
  let bytes = 0;
  // Says to Node that someone reads it.
  incoming.read(0);
  incoming.on('data', (part: Buffer) => {
    bytes += part.length;
    if (bytes > LARGEST_BODY) end();
  });
  for (const over of ['end', 'close', 'error']) incoming.once(over, () => clearTimeout(timer));
  incoming.resume();
}
