import { Fault } from '../../core/model/fault.ts';
import { isProjectId, type ProjectId, sanitizePath } from '../../core/model/ids.ts';
import { nearest } from '../nearest.ts';
import type { Folder } from '../repository/folder-projects.ts';
import { allRepositories, type Repository } from '../repository/repositories.ts';
import type { World } from '../world.ts';

const byOption = (id: ProjectId) => `--project=${id}`;
/** Where a project is an argument: ids begin with a dash. */
export const byArgument = (id: ProjectId) => `-- ${id}`;

/**
 * The project that an id, a path, an identity or a name means: the folder that is meant by its id or path, else the main
 * folder. Fault `not-found` or `ambiguous` when it means none or several; `naming` is how one of several is asked for.
 */
export async function findProject(world: World, text: string, naming = byOption): Promise<ProjectId> {
  return (await findFolder(world, text, naming)).projectId;
}

/** All folders of the project that a text means, the main one first. */
export async function findProjectFolders(world: World, text: string): Promise<ProjectId[]> {
  const { repository } = await findFolder(world, text);
  return repository.folders.map(({ projectId }) => projectId);
}

/** The folders of the project that is named, or of all. */
export async function foldersAsked(world: World, project: string | undefined): Promise<ProjectId[]> {
  return project === undefined ? world.archive.projects() : findProjectFolders(world, project);
}

export type FoundFolder = { projectId: ProjectId; repository: Repository };

export async function findFolder(world: World, text: string, naming = byOption): Promise<FoundFolder> {
  const repositories = await allRepositories(world);
  const path = pathMeant(world, text);
  const plain = text.toLowerCase();
  const byFolder = (fits: (folder: Folder) => boolean) =>
    repositories.flatMap((repository) =>
      repository.folders.filter(fits).map(({ projectId }) => ({ projectId, repository })),
    );
  const byName = (fits: (name: string) => boolean) =>
    repositories
      .filter(({ name, key, folders }) => [name, key, ...folders.map((it) => it.displayName)].some(fits))
      .map((repository) => ({ projectId: repository.main.projectId, repository }));
  const ways: (() => FoundFolder[])[] = [
    () => byFolder((folder) => folder.projectId === text),
    () => byFolder((folder) => folder.originalPath === path),
    () => byName((name) => name === text),
    () => byName((name) => name.toLowerCase() === plain),
    () => (isProjectId(text) ? byFolder((folder) => folder.projectId.startsWith(text)) : []),
    () => byFolder((folder) => folder.projectId === sanitizePath(path)),
  ];
  for (const look of ways) {
    const found = look();
    if (found.length > 1) throw ambiguous(text, found, naming);
    if (found[0]) return found[0];
  }
  throw notFound(text, repositories);
}

/**
 * The folders of a project that a text means, where it may mean one of several: that of the id or path, or all that were
 * joined together under that name.
 */
export async function findMembers(
  world: World,
  text: string,
): Promise<{ repository: Repository; folders: Folder[] }> {
  const { repository } = await findFolder(world, text, byArgument);
  const named = repository.folders.filter(({ displayName }) => displayName === text);
  const exact = repository.folders.find(
    (it) => it.projectId === text || it.originalPath === pathMeant(world, text),
  );
  const found = exact ? [exact] : named.length > 0 ? named : onlyJoined(repository);
  const joined = found[0]?.repository?.joined;
  // What was joined in one step is split in one step.
  if (joined && found.every((it) => it.repository?.joined?.at === joined.at))
    return {
      repository,
      folders: repository.folders.filter((it) => it.repository?.joined?.at === joined.at),
    };
  if (found.length === 1 || repository.folders.length === 1) return { repository, folders: found };
  const list = repository.folders.map((it) => `  ${it.projectId}  ${it.originalPath}`).join('\n');
  throw new Fault('ambiguous', `${JSON.stringify(text)} has ${repository.folders.length} folders.`, {
    hint: `Give the path or id of one:\n${list}`,
    choices: repository.folders.map((it) => ({ projectId: it.projectId, name: it.displayName })),
  });
}

function onlyJoined({ folders }: Repository): Folder[] {
  return folders.length === 1 ? folders : folders.filter(({ repository }) => repository?.joined);
}

/** The path a person means: `~`, `.` and `..` worked out from where they are. */
export function pathMeant(world: World, text: string): string {
  const { home, cwd } = world.places;
  const expanded = text === '~' || text.startsWith('~/') ? home + text.slice(1) : text;
  const isWhole = cwd === '' || /^([/\\]|[A-Za-z]:[/\\])/.test(expanded);
  const whole = isWhole ? expanded : `${cwd}/${expanded}`;
  const parts: string[] = [];
  for (const part of whole.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return whole.startsWith('/') ? `/${parts.join('/')}` : parts.join('/');
}

function ambiguous(text: string, found: FoundFolder[], naming: typeof byOption): Fault {
  const places = found.map(({ projectId, repository: { name, folders } }) => ({
    projectId,
    name,
    path: folders.find((it) => it.projectId === projectId)?.originalPath ?? '',
  }));
  const list = places.map(({ projectId, path }) => `  ${naming(projectId)}  ${path}`).join('\n');
  return new Fault('ambiguous', `${found.length} projects are named ${JSON.stringify(text)}.`, {
    hint: `Give the id of one:\n${list}`,
    choices: places.map(({ projectId, name }) => ({ projectId, name })),
  });
}

function notFound(text: string, repositories: Repository[]): Fault {
  const names = repositories.flatMap(({ name, folders }) => [
    name,
    ...folders.flatMap(({ displayName, projectId }) => [displayName, projectId]),
  ]);
  const near = nearest(text, new Set(names));
  const hint = near.length > 0 ? `Did you mean ${near.join(' or ')}?` : '`keepsake projects` lists them.';
  return new Fault('not-found', `No project ${JSON.stringify(text.slice(0, 200))}.`, { hint });
}
