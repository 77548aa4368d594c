// A hub from the sources on a database, as a process that can be killed: prints its address.
import { randomBytes } from 'node:crypto';
import { systemClock } from '../../src/adapters/clock/system-clock.ts';
import { openPostgresHub } from '../../src/adapters/hub-database/open-postgres-hub.ts';
import { zstdPacking } from '../../src/adapters/remotes/zstd-packing.ts';
import { openHub } from '../../src/app/hub/hub.ts';
import { serveHub } from '../../src/entrypoints/hub/serve-hub.ts';

const [address = '', port = '0'] = process.argv.slice(2);
const hub = await openHub({
  database: openPostgresHub(address),
  clock: systemClock,
  random: (bytes) => randomBytes(bytes),
  packing: zstdPacking,
});
const many = 1_000_000;
const serving = await serveHub(
  {
    hub,
    limits: { requestsPerMinute: many, megabytesPerMinute: many, mistakesPerMinute: many },
    version: '0.0.0',
    log: () => undefined,
    failed: (error) => console.error(error),
  },
  { host: '127.0.0.1', port: Number(port) },
);
console.log(serving.address);
