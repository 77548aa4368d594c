// A minimal hono server with the same Node adapter, used by bench/http.ts. Prints its port.
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';

const app = new Hono().get('/', (context) => context.json({ ok: true }));
const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, () => {
  console.log(JSON.stringify({ port: (server.address() as AddressInfo).port, token: '' }));
});
