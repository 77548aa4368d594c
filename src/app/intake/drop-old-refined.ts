import type { Change } from '../../core/model/change.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import type { SessionRecord } from '../../core/model/session.ts';
import { exchangeFileName } from '../layers/exchanges.ts';
import type { World } from '../world.ts';

/** A refined file is named after its first line: another engine may begin with another one. The old file goes then. */
export async function dropOldRefined(
  world: World,
  project: ProjectId,
  { l1: before }: Pick<SessionRecord, 'l1'>,
  { merge }: Change,
): Promise<void> {
  const { l1 } = merge as Pick<SessionRecord, 'l1'>;
  if (before.file === '' || before.file === l1.file) return;
  await world.archive.files.remove(project, before.file);
  await world.archive.files.remove(project, exchangeFileName(before.file));
}
