import { joinOffers } from '../../core/identity/join-offers.ts';
import type { Change } from '../../core/model/change.ts';
import { Fault } from '../../core/model/fault.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import type { Folder } from '../repository/folder-projects.ts';
import { allRepositories, type Repository } from '../repository/repositories.ts';
import { shareSettings } from '../repository/share-settings.ts';
import type { World } from '../world.ts';
import { byArgument, findFolder, findMembers } from './project.ts';
import { type ProjectSummary, summaryOf } from './projects.ts';

/** Two projects that may be the same, judged only by their names. */
export type ProjectOffer = { into: OfferedProject; from: OfferedProject };
type OfferedProject = { projectId: ProjectId; name: string; originalPath: string; folders: number };

/** Makes the second project a part of the first, with every folder of its repository, now and later. */
export async function joinProjects(world: World, into: string, from: string): Promise<ProjectSummary> {
  const target = (await findFolder(world, into, byArgument)).repository;
  const source = (await findFolder(world, from, byArgument)).repository;
  if (target.key === source.key)
    throw new Fault('usage', `${JSON.stringify(into)} and ${JSON.stringify(from)} are already one project.`, {
      hint: `\`keepsake projects folders -- ${target.main.projectId}\` lists its folders.`,
    });
  const to = await identityFor(world, target);
  const at = world.clock.now();
  for (const folder of source.folders) {
    const isOwn = folder.repository?.identity === to;
    const changes: Change[] = [
      { at: ['repository', 'split'], drop: true },
      isOwn
        ? { at: ['repository', 'joined'], drop: true }
        : { at: ['repository'], merge: { joined: { to, at } } },
    ];
    const note = `Joined to ${target.name}: ${to}`;
    await world.archive.change(folder.projectId, changes, [{ at, action: 'join', note }]);
  }
  await shareSettings(world, target.main.projectId);
  return summaryOf(world, target.main.projectId);
}

export type SplitProject = { split: ProjectSummary; from: ProjectSummary };

/** Undoes a join, or makes a folder a project of its own. */
export async function splitProject(world: World, text: string): Promise<SplitProject> {
  const { repository, folders } = await findMembers(world, text);
  if (repository.folders.length === folders.length)
    throw new Fault('usage', `${JSON.stringify(text)} is already a separate project.`);
  const at = world.clock.now();
  const [first] = folders;
  const rest = repository.folders.find((it) => !folders.includes(it));
  for (const folder of folders) {
    const change: Change = folder.repository?.joined
      ? { at: ['repository', 'joined'], drop: true }
      : { at: ['repository'], merge: { split: { at } } };
    const note = `Split off from ${repository.name}.`;
    await world.archive.change(folder.projectId, [change], [{ at, action: 'split', note }]);
  }
  return { split: await summaryOf(world, first!.projectId), from: await summaryOf(world, rest!.projectId) };
}

/** Projects that have a name in common with another, and nothing that says whose they are. */
export async function offeredJoins(world: World): Promise<ProjectOffer[]> {
  const offers = joinOffers(await allRepositories(world));
  return offers.map(({ into, from }) => ({ into: offered(into), from: offered(from) }));
}

function offered({ main, name, folders }: Repository): OfferedProject {
  return { projectId: main.projectId, name, originalPath: main.originalPath, folders: folders.length };
}

/** What can be joined to: a project that nothing identifies gets an id of its own. */
async function identityFor(world: World, { key, folders }: Repository): Promise<string> {
  if (!key.startsWith('folder:')) return key;
  const identity = `local:${world.random.uuid()}`;
  const note = (folder: Folder): Change => ({
    at: ['repository'],
    merge: { identity, from: 'random', since: folder.repository?.since ?? world.clock.now() },
  });
  for (const folder of folders) await world.archive.change(folder.projectId, [note(folder)]);
  return identity;
}
