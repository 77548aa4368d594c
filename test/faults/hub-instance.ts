// Runs a hub from the sources on a database, as a process that can be killed. Prints its address.
import { randomBytes } from 'node:crypto';
import { flushCompileCache } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/adapters/clock/system-clock.ts';
import { openPostgresHub } from '../../src/adapters/hub-database/open-postgres-hub.ts';
import { openSqliteHub } from '../../src/adapters/hub-database/open-sqlite-hub.ts';
import { zstdPacking } from '../../src/adapters/remotes/zstd-packing.ts';
import { openHub } from '../../src/app/hub/hub.ts';
import { siteAt } from '../../src/entrypoints/http/site.ts';
import { Replicas } from '../../src/entrypoints/hub/replicas.ts';
import { serveHub } from '../../src/entrypoints/hub/serve-hub.ts';
import { openReplicas } from '../../src/open-replicas.ts';

const [address = '', port = '0'] = process.argv.slice(2);
const hub = await openHub({
  database: address.startsWith('postgres:') ? openPostgresHub(address) : openSqliteHub(address),
  clock: systemClock,
  random: (bytes) => randomBytes(bytes),
  packing: zstdPacking,
});
const many = 1_000_000;
const cache = join(tmpdir(), `keepsake-hub-instance-${process.ppid}`);
const serving = await serveHub(
  {
    hub,
    replicas: new Replicas(hub, await openReplicas(cache, hub.key.toString('hex'))),
    site: siteAt(cache),
    limits: { requestsPerMinute: many, megabytesPerMinute: many, mistakesPerMinute: many },
    version: '0.0.0',
    log: () => undefined,
    failed: (error) => console.error(error),
  },
  { host: '127.0.0.1', port: Number(port) },
);
// Node stores compiled code only at a regular end, and this process is killed.
flushCompileCache();
console.log(serving.address);
