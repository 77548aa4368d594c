import { type ProjectId, shortHash } from '../../core/model/ids.ts';
import { OTHERS } from '../rolling/others-memory.ts';
import type { World } from '../world.ts';
import type { Texts } from './plan.ts';

/** memory.md and notes of someone else: kept beside this user's own, found by search, never part of them. */
export async function keepOthersMemory(
  world: World,
  { project, author }: { project: ProjectId; author: string },
  texts: Texts,
): Promise<void> {
  const folder = `${OTHERS}/${shortHash(author, 12)}`;
  const kept = texts.flatMap(({ file, bytes }) =>
    file.kind === 'memory' && file.name.endsWith('.md') ? [{ name: file.name, bytes }] : [],
  );
  if (kept.length === 0) return;
  await put(
    world,
    project,
    `${folder}/author.json`,
    Buffer.from(`${JSON.stringify({ version: 1, name: author })}\n`),
  );
  for (const { name, bytes } of kept) await put(world, project, `${folder}/${name}`, bytes);
}

async function put(world: World, project: ProjectId, name: string, bytes: Buffer): Promise<void> {
  const known = await world.archive.files.read(project, name);
  if (!known?.equals(bytes)) await world.archive.files.write(project, name, bytes);
}
