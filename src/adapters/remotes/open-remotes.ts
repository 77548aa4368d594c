import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { Fault } from '../../core/model/fault.ts';
import type { RemoteStore, Remotes } from '../../ports/remotes.ts';
import { remoteFiles } from './remote-files.ts';
import { zstdPacking } from './zstd-packing.ts';

/** How an address is opened, by how it begins. A path is a folder. */
export type StoreKinds = {
  folder: (path: string) => Promise<RemoteStore>;
  /** By the scheme before "://" or ":". */
  schemes: Record<string, (address: string) => Promise<RemoteStore>>;
};

type Places = { archive: string; cwd: string; home: string };

/** The stores that a user can name. `exclusive` keeps two syncs of one archive apart. */
export function openRemotes(
  { archive, cwd, home }: Places,
  kinds: StoreKinds,
  exclusive: Remotes['exclusive'],
): Remotes {
  return {
    files: remoteFiles(join(archive, 'remotes')),
    open: async (address) => {
      const [, scheme] = /^([a-z][a-z0-9+.-]+):/i.exec(address) ?? [];
      if (scheme === undefined || /^[a-z]:[\\/]/i.test(address)) {
        const path = /^~(?=$|[\\/])/.test(address) ? join(home, address.slice(1)) : address;
        return kinds.folder(resolve(cwd, path));
      }
      const open = Object.hasOwn(kinds.schemes, scheme) ? kinds.schemes[scheme] : undefined;
      if (open) return open(address);
      throw new Fault('usage', `${scheme}: is not a supported kind of remote.`, {
        hint: `Give a folder, or an address that begins with one of: ${Object.keys(kinds.schemes).join(', ')}.`,
      });
    },
    exclusive,
    packing: zstdPacking,
    random: (bytes) => randomBytes(bytes),
    machineName: () => hostname().split('.')[0] || 'this machine',
  };
}
