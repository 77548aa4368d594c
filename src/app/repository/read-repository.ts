import { identityOf, longestScope, withScope } from '../../core/identity/identity-of.ts';
import { normalizeAddress } from '../../core/identity/normalize-address.ts';
import type { RepositoryNote } from '../../core/model/repository.ts';
import type { Checkout } from '../../ports/git.ts';
import type { World } from '../world.ts';

type Read = Pick<RepositoryNote, 'identity' | 'from' | 'inside' | 'worktreeOf'>;

/** Clones of clones that are followed. */
const MOST_FOLLOWED = 3;

/** Which repository a folder belongs to, as its checkout says; `stated` is what a session said of it. */
export async function readRepository(world: World, folder: string, stated?: string): Promise<Read> {
  return read(world, folder, { stated, left: MOST_FOLLOWED });
}

/** The same for callers with no time to read a history: the first commit only if it may be one of these. */
export async function readKnownRepository(
  world: World,
  folder: string,
  roots: readonly string[],
): Promise<Read> {
  return read(world, folder, { roots, left: MOST_FOLLOWED });
}

type Reading = { stated?: string | undefined; roots?: readonly string[]; left: number };

async function read(world: World, folder: string, reading: Reading): Promise<Read> {
  const { stated, left } = reading;
  const checkout = folder === '' ? undefined : await world.git.checkout(folder);
  if (!checkout || isAroundHome(world, checkout, folder)) return identityOf({ stated });
  const { remote, identity: configured, scopes, top, worktreeOf } = checkout;
  const scope = longestScope(scopes, folder.slice(top.length));
  const inside = trimmed(folder.slice(top.length)).slice(scope?.length ?? 0);
  const found = (facts: Pick<Read, 'identity' | 'from'>): Read => ({
    ...facts,
    ...(inside === '' ? {} : { inside: trimmed(inside) }),
    ...(worktreeOf === undefined ? {} : { worktreeOf }),
  });
  const local = remote === undefined ? undefined : /^file:(.+)$/.exec(normalizeAddress(remote) ?? '')?.[1];
  if (configured === undefined && local !== undefined) {
    const around = left > 0 ? await world.git.checkout(local) : undefined;
    const origin =
      around?.top === local
        ? await read(world, local, { ...reading, stated: undefined, left: left - 1 })
        : {};
    // A clone of a folder here is the repository of that folder.
    if (origin.identity !== undefined)
      return found({ identity: withScope(origin.identity.replace(/#.*$/, ''), scope), from: 'origin' });
  }
  const known = identityOf({ configured, origin: remote, stated, scope });
  if (known.identity !== undefined) return found(known);
  return found(identityOf({ root: await rootOf(world, folder, reading.roots), scope }));
}

async function rootOf(
  world: World,
  folder: string,
  roots: readonly string[] | undefined,
): Promise<string | undefined> {
  for (const root of roots ?? [])
    if (await world.git.holds(folder, root)) return world.git.rootCommit(folder);
  return roots === undefined ? world.git.rootCommit(folder) : undefined;
}

function trimmed(path: string): string {
  return path.split(/[\\/]/).filter(Boolean).join('/');
}

/** A checkout of the home folder contains settings: what lies below has nothing to do with it. */
function isAroundHome(world: World, { top }: Checkout, folder: string): boolean {
  return top === world.places.home && folder !== top;
}
