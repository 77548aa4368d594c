import { Fault } from '../../core/model/fault.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { recordFields } from '../edit-records.ts';
import type { World } from '../world.ts';
import { findFolder } from './project.ts';
import { type ProjectSummary, summaryOf } from './projects.ts';

const LONGEST_NAME = 100;

/** Gives a project another display name. Its id and its path stay. */
export async function renameProject(world: World, project: string, name: string): Promise<ProjectSummary> {
  const displayName = name.trim();
  if (displayName === '' || displayName.length > LONGEST_NAME || /\p{Cc}/u.test(displayName)) {
    throw new Fault('usage', `A project's name has 1 to ${LONGEST_NAME} characters on one line.`);
  }
  const naming = (id: ProjectId) => `keepsake projects rename -- ${id} ${JSON.stringify(name)}`;
  // A project has one name: that of its main folder.
  const id = (await findFolder(world, project, naming)).repository.main.projectId;
  const before = await world.archive.head(id);
  const note = `Renamed from ${before?.displayName ?? id} to ${displayName}.`;
  const records = await recordFields(world, id, [{ field: 'project', key: '', value: displayName }]);
  await world.archive.change(
    id,
    [{ at: [], merge: { displayName } }, ...records],
    [{ at: world.clock.now(), action: 'rename', note }],
  );
  return summaryOf(world, id);
}
