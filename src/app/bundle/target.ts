import type { ProjectLine } from '../../core/bundle/bundle-line.ts';
import { normalizeAddress } from '../../core/identity/normalize-address.ts';
import { type ProjectId, secondProjectId } from '../../core/model/ids.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import { isUnplaced } from '../find/locate-project.ts';
import { findProject } from '../find/project.ts';
import { openProjects } from '../find/projects.ts';
import { allRepositories } from '../repository/repositories.ts';
import type { World } from '../world.ts';

export type ImportTarget = { project: ProjectId; manifest: Manifest | undefined };

/**
 * Where a project of a bundle belongs: the one that is named, the one of the same path, the one of the same repository
 * (a checkout at another path here), or a new one.
 */
export async function targetOf(world: World, line: ProjectLine, named?: string): Promise<ImportTarget> {
  const known = async (project: ProjectId) => ({
    project,
    manifest: (await world.archive.open(project))?.manifest,
  });
  if (named !== undefined) return known(await findProject(world, named));
  const manifests = await openProjects(world);
  const samePath = manifests.find(
    (it) => it.projectId === line.id && (it.originalPath === line.path || isUnplacedHere(it)),
  );
  if (samePath) return known(samePath.projectId);
  const second = line.path === '' ? undefined : manifests.find((it) => it.originalPath === line.path);
  if (second) return known(second.projectId);
  const identities = [line.repository?.identity, line.gitRemote && normalizeAddress(line.gitRemote)];
  const same = (await allRepositories(world)).find(({ key }) => identities.includes(key));
  if (same) return known(same.main.projectId);
  const isTaken = manifests.some((it) => it.projectId === line.id);
  return {
    project: isTaken ? secondProjectId(line.path || line.name) : line.id,
    manifest: undefined,
  };
}

function isUnplacedHere({ projectId, originalPath, displayName, gen, settings }: Manifest): boolean {
  return isUnplaced({ projectId, originalPath, displayName, gen, settings });
}
