import type { RepositoryNote } from '../model/repository.ts';
import { checkoutAround, isVagueName, repositoryName } from './repository-name.ts';

/** A folder's project, as much as it takes to say which repository it belongs to. */
export type FolderProject = {
  projectId: string;
  originalPath: string;
  displayName: string;
  repository?: RepositoryNote | undefined;
};

/** A repository: what the user knows as one project. */
export type ProjectGroup<T extends FolderProject = FolderProject> = {
  /** The same for all its folders, whatever the order they came in. */
  key: string;
  /** For people. */
  name: string;
  /** The main checkout, or the folder that is known longest. */
  main: T;
  /** All of them, the main one first. */
  folders: T[];
};

/** Pure: the same set of projects gives the same groups. */
export function groupProjects<T extends FolderProject>(projects: readonly T[]): ProjectGroup<T>[] {
  const keys = keysOf(projects);
  const groups = new Map<string, T[]>();
  for (const project of projects) {
    const key = keys.get(project.projectId)!;
    groups.set(key, [...(groups.get(key) ?? []), project]);
  }
  return [...groups].map(([key, members]) => {
    const called = repositoryName(key)?.toLowerCase();
    const folders = members.sort((a, b) => compare(rankOf(a, called), rankOf(b, called)));
    const main = folders[0]!;
    // A name that the user gave another checkout before this one was the main one.
    const named = folders.find((it) => isNamed(it) && !it.repository?.joined && !isWorktree(it));
    return { key, name: nameOf(named ?? main, key), main, folders };
  });
}

function keysOf(projects: readonly FolderProject[]): Map<string, string> {
  const aliases = aliasesOf(projects);
  const byPath = new Map(projects.map((project) => [project.originalPath, project]));
  const keyOf = (project: FolderProject, seen: ReadonlySet<string>): string => {
    const { repository: note = {}, originalPath, projectId } = project;
    if (note.split) return `split:${projectId}`;
    const stated = note.joined?.to ?? note.identity;
    if (stated !== undefined) return follow(aliases, stated);
    const checkout = note.worktreeOf ?? checkoutAround(originalPath);
    if (checkout === undefined || seen.has(checkout)) return `folder:${projectId}`;
    const around = byPath.get(checkout);
    if (around === undefined) return `folder:${checkout}`;
    // A checkout that was split off takes its worktrees along.
    return keyOf(around, new Set([...seen, checkout]));
  };
  return new Map(projects.map((project) => [project.projectId, keyOf(project, new Set())]));
}

/** What was joined is joined for every folder of that identity, also for those that come later. */
function aliasesOf(projects: readonly FolderProject[]): Map<string, string> {
  const latest = new Map<string, { to: string; at: string }>();
  for (const { repository } of projects) {
    if (repository?.identity === undefined || repository.split) continue;
    const { joined, identity, formerly, earlier = [], since = '' } = repository;
    const later = (from: string, alias: { to: string; at: string }) => {
      const known = latest.get(from);
      if (!known || compare([known.at, known.to], [alias.at, alias.to]) < 0) latest.set(from, alias);
    };
    if (joined) later(identity, joined);
    // Not a join by the user: one of those at any time counts more.
    for (const was of formerly === undefined ? [] : [formerly, ...earlier])
      later(was, { to: identity, at: `0 ${since}` });
  }
  return new Map([...latest].map(([identity, { to }]) => [identity, to]));
}

/** Where joins lead; a circle ends at its first name, so that every way in ends at the same. */
function follow(aliases: Map<string, string>, start: string): string {
  const way = [start];
  for (let at = aliases.get(start); at !== undefined; at = aliases.get(at)) {
    const seen = way.indexOf(at);
    if (seen >= 0) return way.slice(seen).sort()[0]!;
    way.push(at);
  }
  return way.at(-1)!;
}

/** Own folders before joined ones, checkouts before worktrees, the top before what lies below, the repository's name before others, then by age. */
function rankOf(
  { repository: note = {}, originalPath, projectId }: FolderProject,
  called: string | undefined,
): string[] {
  const isCalledSo = lastPart(originalPath)?.toLowerCase() === called;
  const flags = [note.joined, isWorktree({ originalPath, repository: note })].map((it) => (it ? '1' : '0'));
  return [...flags, note.inside ?? '', isCalledSo ? '0' : '1', note.since ?? '', projectId];
}

function lastPart(path: string): string | undefined {
  return path.split(/[\\/]/).filter(Boolean).at(-1);
}

function isWorktree({ originalPath, repository }: Pick<FolderProject, 'originalPath' | 'repository'>) {
  return repository?.worktreeOf !== undefined || isWorktreePath(originalPath);
}

/** Called otherwise than its folder is. */
function isNamed({ displayName, originalPath }: FolderProject): boolean {
  return originalPath !== '' && lastPart(originalPath) !== displayName;
}

/** Folders that agents make for one task and delete after it. */
function isWorktreePath(path: string): boolean {
  return checkoutAround(path) !== undefined || /[/\\]worktrees[/\\]/.test(path) || path === '';
}

/** A name that the user gave stays; one that is only the folder's, and says little, gives way to the repository's. */
function nameOf({ displayName, originalPath, repository }: FolderProject, key: string): string {
  const isFolderName = lastPart(originalPath) === displayName;
  if (!isFolderName || !(isVagueName(displayName) || repository?.inside)) return displayName;
  const checkout = checkoutAround(originalPath);
  return repositoryName(key) ?? (checkout && repositoryName(checkout)) ?? withParent(originalPath);
}

/** `work/3` says more than `3`. */
function withParent(path: string): string {
  return path.split(/[\\/]/).filter(Boolean).slice(-2).join('/');
}

function compare(a: string[], b: string[]): number {
  for (const [at, part] of a.entries()) if (part !== b[at]) return part < b[at]! ? -1 : 1;
  return 0;
}
