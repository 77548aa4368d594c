import { isVagueName } from '../../core/identity/repository-name.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import { inLine } from '../../core/search/recall-text.ts';
import { ifReadable } from '../or-fault.ts';
import type { Folder } from '../repository/folder-projects.ts';
import { repositoryNames, repositoryOf } from '../repository/repositories.ts';
import type { World } from '../world.ts';
import { projectHere } from './locate-project.ts';
import { findProject } from './project.ts';
import { openProjects } from './projects.ts';

/** Whose memory is asked. */
export type RecallScope = {
  /** Those of all its folders, the one that was named or that one is in first. */
  manifests: Manifest[];
  /** The project that was named or that this folder belongs to; undefined when all are asked. */
  project?: Manifest;
  /** What the project is called. */
  name?: string;
  /** By project id, what a source is introduced with; nothing where the title says it. */
  labels: Map<string, string>;
};

/** The project that is named, else that of this folder or of one above it, else all. */
export async function recallScope(world: World, named?: string): Promise<RecallScope> {
  const id = named === undefined ? await projectHere(world) : await findProject(world, named);
  const project = id === undefined ? undefined : (await world.archive.open(id))?.manifest;
  if (project === undefined) {
    const names = await repositoryNames(world);
    return { manifests: await openProjects(world), labels: mapped(names, inLine) };
  }
  const { name, folders } = await repositoryOf(world, project.projectId);
  const others = folders
    .filter(({ projectId }) => projectId !== project.projectId)
    .map(({ projectId }) => ifReadable(world.archive.open(projectId), world.report));
  const opened = (await Promise.all(others)).flatMap((it) => it?.manifest ?? []);
  const labels = folders
    .filter(({ projectId }) => projectId !== project.projectId)
    .map((folder): [string, string] => [folder.projectId, inLine(folderLabel(folder, name))]);
  return { manifests: [project, ...opened], project, name, labels: new Map(labels) };
}

/** A folder among others of its project: its name, with the folder before it where that alone says too little. */
function folderLabel({ displayName, originalPath }: Folder, project: string): string {
  if (displayName !== project && !isVagueName(displayName)) return displayName;
  return originalPath.split(/[\\/]/).filter(Boolean).slice(-2).join('/') || displayName;
}

function mapped(map: Map<string, string>, change: (text: string) => string): Map<string, string> {
  return new Map([...map].map(([key, text]) => [key, change(text)]));
}
