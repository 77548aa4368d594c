import type { ProjectId } from '../../core/model/ids.ts';
import { fields, oneOf, text } from '../../core/model/shape.ts';
import { readStored, type StoredKind } from '../read-stored.ts';
import type { World } from '../world.ts';
import { holdsTexts, type MemoryText, readTexts } from './texts.ts';

/** Below the project's folder in the archive, one folder an author: never in the project itself. */
export const OTHERS = 'others';

export const OTHERS_AUTHOR: StoredKind<{ version: 1; name: string }> = {
  schema: fields({ version: oneOf(1), name: text }),
  format: ['version', 1],
  damaged: 'The name of its author is lost; import the bundle again.',
};

/** Files of memory that others wrote, relative to the project's folder. */
export async function othersFiles(world: World, project: ProjectId): Promise<string[]> {
  const names = await world.archive.files.list(project, OTHERS);
  return names.filter((name) => holdsTexts(plainName(name))).map((name) => `${OTHERS}/${name}`);
}

/** Whose file it is. */
export async function authorOfFile(world: World, project: ProjectId, file: string): Promise<string> {
  const folder = file.slice(0, file.lastIndexOf('/'));
  return (await readStored(world, project, `${folder}/author.json`, OTHERS_AUTHOR)).value?.name ?? 'unknown';
}

export async function othersTexts(world: World, project: ProjectId, file: string): Promise<MemoryText[]> {
  const bytes = await world.archive.files.read(project, file);
  return bytes ? readTexts(plainName(file), file, bytes) : [];
}

function plainName(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1);
}
