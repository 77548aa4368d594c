import type { ShareLevel } from '../../core/remote/levels.ts';
import { MOST_SEALED } from '../../core/remote/open-segment.ts';
import { repoTag } from '../../core/remote/remote-key.ts';
import { ID_LENGTH, parseSegmentName, type SegmentName } from '../../core/remote/segment-name.ts';
import type { RemoteStore, StoredName } from '../../ports/remotes.ts';
import { readRepository } from '../repository/read-repository.ts';
import { allRepositories, type Repository } from '../repository/repositories.ts';
import type { World } from '../world.ts';
import { readPrivate } from './private-sessions.ts';
import { keyFiles, type OpenRemote, type RemoteRecord } from './remote-record.ts';
import { stampHash } from './stamp-hash.ts';

/** What a store has, and what is shared with it. */
export type StoreList = {
  /** Segments by repository. */
  names: Map<string, SegmentName[]>;
  /** Approved repositories by their tag, and how much of each may leave. */
  shared: Map<string, { repository: Repository; level: ShareLevel }>;
  /** Names of files that no segment is as large as: they are not looked at. */
  tooLarge: string[];
  /** As long as this is the same, there is nothing to do. Undefined if that can't be known. */
  look: string | undefined;
};

/** Asks the store once, unless only some repositories are brought here. `first`: what was asked before. */
export async function listStore(remote: OpenRemote, first?: StoredAtOnce): Promise<StoreList> {
  const { world, record } = remote;
  const all = await allRepositories(world);
  const shared = sharedByTag(remote, all);
  if (first) return { ...sorted(first.listed), shared, look: first.look };
  const tags = record.pull === 'here' ? await tagsHere(remote, all) : [...shared.keys()];
  const prefixes = record.pull === 'all' ? ['r/'] : tags.map((tag) => `r/${tag}/`);
  const listed: StoredName[] = [];
  for (const prefix of prefixes) listed.push(...(await remote.store.list(prefix)));
  return { ...sorted(listed), shared, look: await lookOf(world, record, [listed, prefixes]) };
}

/** What this machine sends, by tag. */
export function sharedByTag({ record, keys }: OpenRemote, all: readonly Repository[]): StoreList['shared'] {
  return new Map(sharedOf(record, all).map((it) => [repoTag(keys, it.repository.key), it]));
}

export type StoredAtOnce = { listed: StoredName[]; look: string | undefined };

/** What a store has, where all of it is brought here, and how that looks: no key has to be known for it. */
export async function listedAtOnce(
  world: World,
  record: RemoteRecord,
  store: RemoteStore,
): Promise<StoredAtOnce | undefined> {
  if (record.pull !== 'all') return undefined;
  const listed = await store.list('r/');
  return { listed, look: await lookOf(world, record, [listed, ['r/']]) };
}

function sharedOf({ shares }: RemoteRecord, all: readonly Repository[]): Shared[] {
  return shares.flatMap(({ identity, approved }) => {
    const repository = all.find(({ key }) => key === identity);
    return repository && approved !== undefined ? [{ repository, level: approved }] : [];
  });
}

type Shared = { repository: Repository; level: ShareLevel };

async function lookOf(
  world: World,
  record: RemoteRecord,
  [listed, prefixes]: [StoredName[], string[]],
): Promise<string | undefined> {
  const shared = sharedOf(record, await allRepositories(world));
  const stamps = await world.archive.stamps();
  const folders = shared.flatMap(({ repository }) => repository.folders);
  const stamped = folders.map(({ projectId }) => [projectId, stamps.get(projectId) ?? ''] as const);
  // What may leave to a store with members depends on roles that only it knows.
  if (record.member !== undefined || stamped.some(([, stamp]) => stamp === '')) return undefined;
  return stampHash([
    await keyFiles(world, record),
    JSON.stringify([record.shares, record.pull, record.light, prefixes]),
    ...[...(await readPrivate(world))].sort(),
    ...stamped.map((it) => it.join(' ')),
    // The id alone, since it follows from all of a segment.
    ...listed.map(({ name }) => name.slice(-ID_LENGTH)),
  ]);
}

/** Of the repositories that have sessions here, and of the one that this folder is a checkout of. */
async function tagsHere({ world, keys }: OpenRemote, all: readonly Repository[]): Promise<string[]> {
  const { identity } = await readRepository(world, world.places.cwd);
  const known = all.map(({ key }) => key);
  return [...new Set(identity === undefined ? known : [...known, identity])].map((key) => repoTag(keys, key));
}

/** Segments in a store, by repository. */
export async function listedSegments(
  { store }: OpenRemote,
  prefix: string,
): Promise<Map<string, SegmentName[]>> {
  return sorted(await store.list(prefix)).names;
}

function sorted(listed: readonly StoredName[]): Pick<StoreList, 'names' | 'tooLarge'> {
  const names: SegmentName[] = [];
  const tooLarge: string[] = [];
  for (const { name, bytes } of listed) {
    const parsed = parseSegmentName(name);
    // Whoever can write to the place can put anything there, and reading it needs as much memory.
    if (parsed && bytes > MOST_SEALED) tooLarge.push(name);
    else if (parsed) names.push(parsed);
  }
  return { names: Map.groupBy(names, ({ repo }) => repo), tooLarge };
}
