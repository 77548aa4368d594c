import type { ProjectId } from '../../core/model/ids.ts';
import type { PackedPiece } from '../../core/search/pack.ts';
import { rulesOfFolders } from '../find/rules.ts';
import type { World } from '../world.ts';

/** Rules in one injection: the surest come first, and a hook has little room. */
const MOST = 12;

/** The rules of the user in a project with these folders, as pieces. */
export async function rulePieces(
  world: World,
  folders: readonly ProjectId[],
): Promise<(PackedPiece & { id: string })[]> {
  const rules = await rulesOfFolders(world, folders);
  return rules.slice(0, MOST).map(({ kind, id, content, last_validated }) => ({
    id,
    section: 'Rules',
    source: `${kind} ${id}, said by the user, valid on ${last_validated}`,
    text: content,
    whole: true,
  }));
}
