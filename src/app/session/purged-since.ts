import { Fault } from '../../core/model/fault.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import type { World } from '../world.ts';

/** The texts and messages that were purged from projects when they were read: ids of tombstones. */
export type PurgedThen = ReadonlyMap<ProjectId, ReadonlySet<string>>;

export function purgedThen(manifests: Iterable<Pick<Manifest, 'projectId' | 'tombstones'>>): PurgedThen {
  return new Map([...manifests].map((manifest) => [manifest.projectId, new Set(idsOf(manifest))]));
}

/** As they are now: taken before anything is read. A project that is unknown has none. */
export async function purgedNow(world: World, projects: Iterable<ProjectId>): Promise<PurgedThen> {
  const now = new Map<ProjectId, ReadonlySet<string>>();
  for (const project of new Set(projects)) {
    const { manifest } = (await world.archive.open(project)) ?? {};
    now.set(project, new Set(manifest && idsOf(manifest)));
  }
  return now;
}

/**
 * Whether a text or a message was purged since then. Tombstones know their texts as a whole: who made something of what
 * was read before may quote a sentence alone, which nobody would find.
 */
export async function isPurgedSince(world: World, then: PurgedThen): Promise<boolean> {
  for (const [project, known] of then) {
    const { manifest } = (await world.archive.open(project)) ?? {};
    if (manifest && idsOf(manifest).some((id) => !known.has(id))) return true;
  }
  return false;
}

/** Whether nothing may be stored of these texts, which were made from what was read then. */
export async function isTooOld(
  world: World,
  then: PurgedThen,
  { markdown, jsonl = '' }: { markdown: string; jsonl?: string },
): Promise<boolean> {
  const { archive } = world;
  return (
    (await isPurgedSince(world, then)) ||
    (await archive.withoutPurged(markdown, 'plain')) !== markdown ||
    (await archive.withoutPurged(jsonl, 'json')) !== jsonl
  );
}

/** What was read before may not be there any more. */
export function purgedMeanwhile(): Fault {
  return new Fault('changed-meanwhile', 'Something was purged while this command ran. Nothing was stored.', {
    hint: 'Run the command again.',
  });
}

function idsOf({ tombstones }: Pick<Manifest, 'tombstones'>): string[] {
  return tombstones.filter(({ kind }) => kind !== 'session').map(({ id }) => id);
}
