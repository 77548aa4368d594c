import { Fault } from '../../core/model/fault.ts';
import { isMore, type ShareLevel } from '../../core/remote/levels.ts';
import { projectFor } from '../layers/facts-edit.ts';
import { allRepositories, type Repository, repositoryOf } from '../repository/repositories.ts';
import {
  chooseRemote,
  openRemote,
  type RemoteRecord,
  remotesOf,
  type Share,
  writeRemote,
} from '../segment/remote-record.ts';
import type { World } from '../world.ts';
import { type SealReport, sealRepo } from './seal-repo.ts';

export type ShareRequest = { project?: string; all?: boolean; remote?: string; level?: ShareLevel };

/** Asks for projects to be sent. Nothing leaves before it was approved. */
export async function shareProjects(
  world: World,
  { project, all, remote: name, level = 'all' }: ShareRequest,
): Promise<{ remote: string; shares: Share[] }> {
  return (await remotesOf(world)).exclusive(async () => {
    const record = await chooseRemote(world, name);
    const wanted = all
      ? await realRepositories(world)
      : [await repositoryOf(world, await projectFor(world, project))];
    if (wanted.length === 0)
      throw new Fault('not-found', 'No projects yet.', { hint: 'Run `keepsake sync` first.' });
    const shares = wanted.map(({ key, name: label }): Share => {
      const known = record.shares.find(({ identity }) => identity === key);
      return { ...known, identity: key, name: label, level };
    });
    const others = record.shares.filter(({ identity }) => !shares.some((it) => it.identity === identity));
    // Less than was approved needs no second approval; what was sent stays there.
    const settled = shares.map((share) =>
      isMore(share.level, share.approved) ? share : { ...share, approved: share.level },
    );
    await writeRemote(world, { ...record, shares: [...others, ...settled] });
    return { remote: record.name, shares: settled };
  });
}

async function realRepositories(world: World): Promise<Repository[]> {
  const all = await allRepositories(world);
  const isSample = async ({ main }: Repository) =>
    (await world.archive.open(main.projectId))?.manifest.sample === true;
  const samples = await Promise.all(all.map(isSample));
  return all.filter((_, index) => !samples[index]);
}

export type Preview = { remote: RemoteRecord; projects: (SealReport & { approved: boolean })[] };

/** Exactly what the next sync would send, were all that is asked for approved. */
export async function previewRemote(world: World, name?: string): Promise<Preview> {
  const record = await chooseRemote(world, name);
  const remote = await openRemote(world, record);
  const all = await allRepositories(world);
  const projects: Preview['projects'] = [];
  for (const { identity, level, approved } of record.shares) {
    const repository = all.find(({ key }) => key === identity);
    if (!repository) continue;
    const report = await sealRepo(remote, repository, level, { dryRun: true });
    projects.push({ ...report, approved: approved === level });
  }
  return { remote: record, projects };
}

/** From now on the shared projects may leave as far as they were asked for. */
export async function approveRemote(
  world: World,
  name?: string,
): Promise<{ remote: string; approved: Share[] }> {
  return (await remotesOf(world)).exclusive(async () => {
    const record = await chooseRemote(world, name);
    const approved = record.shares.filter(({ level, approved: before }) => level !== before);
    const shares = record.shares.map((share) => ({ ...share, approved: share.level }));
    await writeRemote(world, { ...record, shares });
    return { remote: record.name, approved };
  });
}
