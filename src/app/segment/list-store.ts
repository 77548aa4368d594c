import type { ShareLevel } from '../../core/remote/levels.ts';
import { repoTag } from '../../core/remote/remote-key.ts';
import { parseSegmentName, type SegmentName, segmentName } from '../../core/remote/segment-name.ts';
import { readRepository } from '../repository/read-repository.ts';
import { allRepositories, type Repository } from '../repository/repositories.ts';
import { readPrivate } from './private-sessions.ts';
import type { OpenRemote } from './remote-record.ts';
import { stampHash } from './stamp-hash.ts';

/** What a store has, and what is shared with it. */
export type StoreList = {
  /** Segments by repository. */
  names: Map<string, SegmentName[]>;
  /** Approved repositories by their tag, and how much of each may leave. */
  shared: Map<string, { repository: Repository; level: ShareLevel }>;
  /** As long as this is the same, there is nothing to do. Undefined where that can't be known. */
  look: string | undefined;
};

/** Asks the store once, unless only some repositories are brought here. */
export async function listStore(remote: OpenRemote): Promise<StoreList> {
  const { world, record, keys } = remote;
  const all = await allRepositories(world);
  const shared: StoreList['shared'] = new Map();
  for (const { identity, approved } of record.shares) {
    const repository = all.find(({ key }) => key === identity);
    if (repository && approved !== undefined)
      shared.set(repoTag(keys, repository.key), { repository, level: approved });
  }
  const tags = record.pull === 'here' ? await tagsHere(remote, all) : [...shared.keys()];
  const prefixes = record.pull === 'all' ? ['r/'] : tags.map((tag) => `r/${tag}/`);
  const names = new Map<string, SegmentName[]>();
  for (const prefix of prefixes)
    for (const [repo, segments] of await listedSegments(remote, prefix)) names.set(repo, segments);
  const stamps = await world.archive.stamps();
  const folders = [...shared.values()].flatMap(({ repository }) => repository.folders);
  const stamped = folders.map(({ projectId }) => [projectId, stamps.get(projectId) ?? ''] as const);
  // What may leave to a store with members depends on roles that only it knows.
  const isKnown = record.member === undefined && stamped.every(([, stamp]) => stamp !== '');
  const parts = [
    remote.device.device,
    JSON.stringify([record.shares, record.pull, record.light, prefixes]),
    ...[...(await readPrivate(world))].sort(),
    ...stamped.map((it) => it.join(' ')),
    ...[...names.values()].flat().map(segmentName),
  ];
  return { names, shared, look: isKnown ? stampHash(parts) : undefined };
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
  const byRepo = new Map<string, SegmentName[]>();
  for (const { name } of await store.list(prefix)) {
    const segment = parseSegmentName(name);
    if (!segment) continue;
    const list = byRepo.get(segment.repo);
    if (list) list.push(segment);
    else byRepo.set(segment.repo, [segment]);
  }
  return byRepo;
}
