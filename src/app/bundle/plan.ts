import type { BundleFile, BundleProject } from '../../core/bundle/bundle-line.ts';
import {
  type DeletedRecords,
  type MergePlan,
  type MergeTarget,
  mergePlan,
} from '../../core/bundle/merge-plan.ts';
import { purgesOf } from '../../core/model/change.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import { deletedCompositions } from '../compose/compositions.ts';
import { removedLinks } from '../find/links.ts';
import { projectsOf } from '../repository/repositories.ts';
import type { World } from '../world.ts';
import { targetOf } from './target.ts';

/** Small files of a project, by what they are. */
export type Texts = { file: BundleFile; bytes: Buffer }[];

export type Planned = {
  bundle: BundleProject;
  plan: MergePlan;
  isNew: boolean;
  /** The same with what is there by then: another project of the bundle may have gone to the same place. */
  again: () => Promise<Planned>;
};

type PlanOptions = { project: string | undefined } & Pick<MergeTarget, 'author'> & {
    backIn?: (project: ProjectId) => MergeTarget['back'];
    /** What the user deleted here does not come again. */
    deletesStay?: boolean;
  };

/** Where each project of a bundle goes, and what would be done to it there. */
export async function plans(
  world: World,
  projects: BundleProject[],
  { project: named, author, backIn, deletesStay }: PlanOptions,
): Promise<Planned[]> {
  const targets = new Map<string, Awaited<ReturnType<typeof targetOf>>>();
  for (const { project } of projects) targets.set(project.id, await targetOf(world, project, named));
  const nameOf = (id: ProjectId) => targets.get(id)?.project ?? id;
  const deleted = new Map<ProjectId, DeletedRecords>();
  for (const { project, compositions, links } of deletesStay ? projects : []) {
    const target = nameOf(project.id);
    if (compositions.length + links.length > 0 && !deleted.has(target))
      deleted.set(target, await deletedIn(world, target));
  }
  const beside = new Map<ProjectId, ReadonlySet<string>>();
  for (const { project } of targets.values())
    if (!beside.has(project)) beside.set(project, await purgedBeside(world, project, backIn));
  const planned = (bundle: BundleProject, project: ProjectId, manifest: Manifest | undefined): Planned => ({
    bundle,
    plan: mergePlan(manifest, bundle, {
      ...{ project, nameOf, author, back: backIn?.(project) },
      ...{ purgedBeside: beside.get(project), deleted: deleted.get(project) },
    }),
    isNew: manifest === undefined,
    again: async () => planned(bundle, project, (await world.archive.open(project))?.manifest),
  });
  return projects.map((bundle) => {
    const { project, manifest } = targets.get(bundle.project.id)!;
    return planned(bundle, project, manifest);
  });
}

async function deletedIn(world: World, project: ProjectId): Promise<DeletedRecords> {
  const events = await world.archive.history(project);
  return { compositions: deletedCompositions(events), links: removedLinks(events) };
}

/** A worktree's purges are known to its own folder alone; what is said of its sessions may come to another. */
async function purgedBeside(
  world: World,
  project: ProjectId,
  backIn: PlanOptions['backIn'],
): Promise<ReadonlySet<string>> {
  const purged = new Set<string>();
  const held = new Set<string>();
  for (const folder of await projectsOf(world, project)) {
    const manifest = (await world.archive.open(folder))?.manifest;
    const back = backIn?.(folder);
    for (const { kind, id } of manifest?.tombstones ?? []) {
      const known = back?.get(id);
      if (kind === 'session' && (known === undefined || purgesOf(manifest, id) > known)) purged.add(id);
    }
    for (const id of Object.keys(manifest?.sessions ?? {})) held.add(id);
  }
  for (const id of held) purged.delete(id);
  return purged;
}
