import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteHub } from '../../src/adapters/hub-database/open-sqlite-hub.ts';
import { type HubTokens, hubStore } from '../../src/adapters/remote-hub/hub-store.ts';
import { zstdPacking } from '../../src/adapters/remotes/zstd-packing.ts';
import { type Hub, openHub } from '../../src/app/hub/hub.ts';
import { inviteMember, setMemberRole } from '../../src/app/hub/members.ts';
import { deviceKey, joinText, signed } from '../../src/core/remote/device-key.ts';
import { parseKeyText, remoteKeys } from '../../src/core/remote/remote-key.ts';
import { type Sealed, sealSegment } from '../../src/core/remote/seal-segment.ts';
import { type Lane, segmentName } from '../../src/core/remote/segment-name.ts';
import { siteAt } from '../../src/entrypoints/http/site.ts';
import type { HubLogLine } from '../../src/entrypoints/hub/hub-app.ts';
import type { HubLimits } from '../../src/entrypoints/hub/hub-limits.ts';
import { Replicas } from '../../src/entrypoints/hub/replicas.ts';
import { serveHub } from '../../src/entrypoints/hub/serve-hub.ts';
import { openReplicas } from '../../src/open-replicas.ts';
import type { HubDatabase } from '../../src/ports/hub-database.ts';
import type { RemoteStore } from '../../src/ports/remotes.ts';

const MANY: HubLimits = {
  requestsPerMinute: 1_000_000,
  megabytesPerMinute: 100_000,
  mistakesPerMinute: 1_000_000,
};

export type TestHub = {
  hub: Hub;
  address: string;
  log: HubLogLine[];
  replicas: Replicas;
  /** Where its indexes are. */
  cache: string;
  close(): Promise<void>;
};

/** A hub on loopback over a database, by default SQLite in a folder of its own. */
export async function testHub({
  database,
  limits,
  site,
  most,
  failed = (error) => {
    throw error;
  },
}: {
  database?: HubDatabase;
  /** What nobody foresaw: where none is expected, it fails the test. */
  failed?: (error: unknown) => void;
  /** The folder of the built page. */
  site?: string;
  /** Indexes that are kept. */
  most?: number;
  limits?: Partial<HubLimits>;
} = {}): Promise<TestHub> {
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-hub-'));
  let at = Date.now();
  const clock = {
    now: () => new Date(++at).toISOString(),
    millis: () => Date.now(),
    local: (utc: string) => utc,
  };
  const hub = await openHub({
    database: database ?? openSqliteHub(folder),
    clock,
    random: (bytes) => randomBytes(bytes),
    packing: zstdPacking,
  });
  const log: HubLogLine[] = [];
  const cache = join(folder, 'cache');
  const replicas = new Replicas(hub, await openReplicas(cache, hub.key.toString('hex')), most);
  const serving = await serveHub(
    {
      hub,
      replicas,
      site: siteAt(site ?? folder),
      version: '0.0.0',
      // Tests ask more often than people.
      limits: { ...MANY, ...limits },
      log: (line) => log.push(line),
      failed,
    },
    { host: '127.0.0.1', port: 0 },
  );
  return {
    hub,
    address: serving.address,
    log,
    replicas,
    cache,
    close: async () => {
      await serving.close();
      await hub.database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type TestMember = {
  name: string;
  store: RemoteStore;
  token: string;
  device: string;
  /** A real segment of this member's device. */
  seal(repo: string, seq: number, content: Buffer, lane?: Lane): { name: string; bytes: Buffer };
  /** The same with lines of its own. */
  sealLines(
    repo: string,
    seq: number,
    lines: readonly string[],
    more?: SealMore,
  ): { name: string; bytes: Buffer };
};
type SealMore = { lane?: Lane; replaces?: string };

/** Someone who joined with an invitation, from a device of their own. */
export async function testMember(
  { hub, address }: Pick<TestHub, 'hub' | 'address'>,
  name: string,
  role?: string,
): Promise<TestMember> {
  const { invitation } = await inviteMember(hub, name);
  if (role !== undefined) await setMemberRole(hub, { name, repo: '*', role });
  let token = '';
  const tokens: HubTokens = {
    read: async () => token || undefined,
    write: async (_, written) => {
      token = written;
    },
  };
  const store = hubStore(address, tokens);
  const device = deviceKey(randomBytes(32));
  const { key } = await store.join!({
    invitation,
    publicKey: device.publicKey,
    deviceName: `${name}'s laptop`,
    prove: (secret) => signed(joinText(secret), device),
  });
  const keys = remoteKeys(parseKeyText(key)!);
  const sealLines: TestMember['sealLines'] = (repo, seq, lines, { lane = 'log', replaces } = {}) => {
    const sealed: Sealed = sealSegment(
      { repo, lane, seq, prev: '', replaces, lines },
      { keys, device, packing: zstdPacking, encrypt: false },
    );
    return { name: segmentName(sealed.name), bytes: sealed.bytes };
  };
  return {
    name,
    store,
    token,
    device: device.device,
    sealLines,
    seal: (repo, seq, content, lane = 'log') => {
      const lines =
        content.length === 0
          ? []
          : [
              JSON.stringify({ t: 'device', name: 'laptop', at: '' }),
              JSON.stringify({ t: 'data', base64: content.toString('base64') }),
            ];
      return sealLines(repo, seq, lines, { lane });
    },
  };
}
