import type { Server } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import type { Jobs } from '../../app/jobs.ts';
import type { World } from '../../app/world.ts';
import { Fault } from '../../core/model/fault.ts';
import { makeApp } from './app.ts';
import { drainUnread } from './drain-unread.ts';
import { type Gate, makeGate } from './gate.ts';
import {
  findServer,
  forgetServer,
  type RunningServer,
  recordServer,
  type ServerRecord,
} from './server-record.ts';
import type { Site } from './site.ts';

export const DEFAULT_PORT = 4737;
const LOOPBACK = '127.0.0.1';

export type ServeSetting = {
  world: World;
  version: string;
  site: Site;
  port: number;
  failed: (error: unknown) => void;
};

export type Serving = {
  record: ServerRecord;
  gate: Gate;
  jobs: Jobs;
  /** The port that was asked for was taken. */
  moved: boolean;
  /** Ends every connection, lets work that can't be cut in two finish. */
  close(): Promise<void>;
};

/** The server that runs already, or a new one: of several starts at once a single one serves. */
export async function serveOrFind(
  setting: ServeSetting,
): Promise<{ running: RunningServer } | { serving: Serving }> {
  const { world } = setting;
  const first = await findServer(world);
  if (first.running) return { running: first.running };
  return world.archive.exclusive(async () => {
    // With the lock held only who was recorded meanwhile is asked, and that one has just begun to listen.
    const { running } = await findServer(world, first.gone);
    return running ? { running } : { serving: await serve(setting) };
  });
}

/** Listens on loopback only, on the port that is asked for or, where that is taken, on a free one. */
export async function serve({ world, version, site, port, failed }: ServeSetting): Promise<Serving> {
  const gate = makeGate(world.clock.millis);
  const { app, jobs } = makeApp({ world, gate, version, site, failed });
  const server = createAdaptorServer({
    fetch: app.fetch,
    hostname: LOOPBACK,
    autoCleanupIncoming: false,
  }) as Server;
  drainUnread(server);
  // A client that sends slowly blocks only itself, and not forever.
  server.headersTimeout = 10_000;
  server.requestTimeout = 60_000;
  gate.port = await listen(server, port);
  const record = await recordServer(world, {
    pid: process.pid,
    port: gate.port,
    token: gate.token,
    startedAt: world.clock.now(),
    version,
  });
  return {
    record,
    gate,
    jobs,
    moved: port !== 0 && gate.port !== port,
    async close() {
      // A record that stays behind is seen to be of nobody.
      await forgetServer(world, record).catch(() => undefined);
      const closed = new Promise((resolve) => server.close(resolve));
      await jobs.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function listen(server: Server, wanted: number): Promise<number> {
  for (const port of new Set([wanted, 0])) {
    const error = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
      server.once('error', resolve);
      server.listen(port, LOOPBACK, () => {
        server.off('error', resolve);
        resolve(undefined);
      });
    });
    const address = server.address();
    if (error === undefined && typeof address === 'object' && address) return address.port;
    if (error?.code === 'EADDRINUSE' || error?.code === 'EACCES') continue;
    throw error;
  }
  throw new Fault('busy', 'No port on this machine is free.');
}
