import type { ProjectId } from '../core/model/ids.ts';
import type { Piece } from '../core/search/pack.ts';
import type { World } from './world.ts';

/** What the user wants to be kept to in a project, as pieces to tell. */
export async function rulePieces(_world: World, _project: ProjectId): Promise<Piece[]> {
  return [];
}
