import { type ProjectId, sanitisePath, secondProjectId } from '../core/model/ids.ts';
import type { World } from './world.ts';

/** The project of a working directory: its sanitised path, or a second id when another path has that name already. */
export async function locateProject(
  world: World,
  path: string,
): Promise<{ project: ProjectId; exists: boolean }> {
  const plain = sanitisePath(path);
  const head = await world.archive.head(plain);
  if (head === undefined) return { project: plain, exists: false };
  if (head.originalPath === path) return { project: plain, exists: true };
  const second = secondProjectId(path);
  return { project: second, exists: (await world.archive.head(second)) !== undefined };
}

/** The last part of a path, for people. */
export function displayNameOf(path: string): string {
  return path.split(/[\\/]/).filter(Boolean).at(-1) ?? path;
}
