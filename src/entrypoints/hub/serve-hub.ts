import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createAdaptorServer } from '@hono/node-server';
import { Fault } from '../../core/model/fault.ts';
import { drainUnread } from '../http/drain-unread.ts';
import { type HubSetting, makeHubApp } from './hub-app.ts';

export const DEFAULT_HUB_PORT = 4747;
/** How long an index may hold what another hub deleted, while nobody asks. */
const SWEEP_MS = 10_000;
export const HUB_LOOPBACK = '127.0.0.1';

export type HubPlace = {
  host: string;
  port: number;
  /** Certificate and key, as PEM. */
  tls?: { cert: Buffer; key: Buffer } | undefined;
  /** The user accepts that anyone on the network can read everything: a proxy handles TLS. */
  plainHttp?: boolean;
};

export type ServingHub = { address: string; port: number; close(): Promise<void> };

/** Refuses to listen where others can reach it without TLS, unless the user allows it. */
export async function serveHub(setting: HubSetting, place: HubPlace): Promise<ServingHub> {
  const { host, port, tls, plainHttp } = place;
  if (!isLoopback(host) && !tls && !plainHttp)
    throw new Fault(
      'usage',
      `${host} is reachable from other machines, and without TLS anyone on the network can read the data.`,
      {
        hint: 'Add --tls-cert FILE --tls-key FILE, or --plain-http if a proxy in front of it handles TLS.',
      },
    );
  const { replicas, failed } = setting;
  const app = makeHubApp(setting);
  const server = createAdaptorServer({
    fetch: app.fetch,
    hostname: host,
    autoCleanupIncoming: false,
    ...(tls ? { createServer: createTlsServer, serverOptions: tls } : { createServer }),
  }) as Server;
  drainUnread(server);
  server.headersTimeout = 10_000;
  server.requestTimeout = 120_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(notListening(error, host, port)));
    server.listen(port, host, resolve);
  });
  // What another hub deleted, or this one while it was away, goes here, too.
  await replicas.sweep();
  const sweeping = setInterval(() => void replicas.sweep().catch(failed), SWEEP_MS);
  sweeping.unref();
  const listening = server.address();
  const bound = typeof listening === 'object' && listening ? listening.port : port;
  const shown = host.includes(':') ? `[${host}]` : host;
  return {
    address: `${tls ? 'https' : 'http'}://${shown}:${bound}`,
    port: bound,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      clearInterval(sweeping);
      await replicas.close();
    },
  };
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

function notListening(error: NodeJS.ErrnoException, host: string, port: number): Fault {
  return new Fault('busy', `The hub can't listen on ${host}:${port} (${error.code}).`, {
    hint: 'Choose another port with --port.',
    cause: error,
  });
}
