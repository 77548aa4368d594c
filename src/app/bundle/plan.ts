import type { BundleFile, BundleProject } from '../../core/bundle/bundle-line.ts';
import { type MergePlan, mergePlan } from '../../core/bundle/merge-plan.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import type { Manifest } from '../../core/model/manifest.ts';
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

/** Where each project of a bundle goes, and what would be done to it there. */
export async function plans(
  world: World,
  projects: BundleProject[],
  { project: named, author }: { project: string | undefined; author: string | undefined },
): Promise<Planned[]> {
  const targets = new Map<string, Awaited<ReturnType<typeof targetOf>>>();
  for (const { project } of projects) targets.set(project.id, await targetOf(world, project, named));
  const nameOf = (id: ProjectId) => targets.get(id)?.project ?? id;
  const planned = (bundle: BundleProject, project: ProjectId, manifest: Manifest | undefined): Planned => ({
    bundle,
    plan: mergePlan(manifest, bundle, { project, nameOf, author }),
    isNew: manifest === undefined,
    again: async () => planned(bundle, project, (await world.archive.open(project))?.manifest),
  });
  return projects.map((bundle) => {
    const { project, manifest } = targets.get(bundle.project.id)!;
    return planned(bundle, project, manifest);
  });
}
