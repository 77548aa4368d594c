import type { FolderProject, ProjectGroup } from './group-projects.ts';
import { namesRepository } from './reason-for.ts';
import { isVagueName, repositoryName } from './repository-name.ts';

/** Two projects that have only a name in common. */
export type JoinOffer<T extends FolderProject = FolderProject> = {
  into: ProjectGroup<T>;
  from: ProjectGroup<T>;
};

/**
 * Projects that may be one: of the same name, and at least one of them says nothing about its repository. Two that name different
 * repositories are never offered: they are forks, or strangers.
 */
export function joinOffers<T extends FolderProject>(groups: readonly ProjectGroup<T>[]): JoinOffer<T>[] {
  const byName = new Map<string, ProjectGroup<T>[]>();
  for (const group of groups) {
    // What the user split off is not offered again.
    if (group.folders.some(({ repository }) => repository?.split) || group.main.originalPath === '') continue;
    for (const name of namesOf(group)) byName.set(name, [...(byName.get(name) ?? []), group]);
  }
  const offers = new Map<string, JoinOffer<T>>();
  for (const named of byName.values()) {
    const [into, ...others] = named.sort((a, b) => (rankOf(a) < rankOf(b) ? -1 : 1));
    for (const from of others) {
      if (into && !namesRepository(from.key) && !offers.has(from.key)) offers.set(from.key, { into, from });
    }
  }
  return [...offers.values()];
}

function namesOf({ key, name, folders }: ProjectGroup): Set<string> {
  const names = [name, repositoryName(key), ...folders.map(({ displayName }) => displayName)];
  return new Set(
    names.filter((it) => it !== undefined && !isVagueName(it)).map((it) => (it as string).toLowerCase()),
  );
}

function rankOf(group: ProjectGroup): string {
  const sizes = String(9999 - Math.min(9999, group.folders.length)).padStart(4, '0');
  return `${namesRepository(group.key) ? 0 : 1}${sizes}${group.main.repository?.since ?? ''} ${group.key}`;
}
