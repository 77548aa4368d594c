import type { ProjectId } from '../../core/model/ids.ts';
import { isUnplaced } from '../find/locate-project.ts';
import { claimJournal, inspectJournal, JOURNAL, type Journal } from '../journal/place.ts';
import type { World } from '../world.ts';
import type { Texts } from './plan.ts';

/** Pages wait here until the user says that they may be written into the project. */
const WAITING = 'journal/imported';
const LONGEST_PAGE = 64 * 1024 * 1024;

/**
 * Pages of a journal are in the project's own folder, where nothing is written without a request: they wait in the archive. With
 * `wanted` those that the project has not are put there; a page of the same name stays as it is, and ours waits.
 */
export async function mergeJournal(
  world: World,
  project: ProjectId,
  texts: Texts,
  wanted: boolean,
): Promise<string[]> {
  const pages = texts.flatMap(({ file, bytes }) =>
    file.kind === 'journal' ? [{ name: file.path.join('/'), bytes }] : [],
  );
  if (pages.length === 0) return [];
  const journal = await journalOf(world, project);
  const isReady = journal !== undefined && (wanted || journal.state === 'ours');
  if (isReady && wanted) await claimJournal(world, journal);
  let [put, waiting] = [0, 0];
  for (const { name, bytes } of pages) {
    const there =
      journal && (await world.projectFiles.read(journal.root, `${JOURNAL}/${name}`, LONGEST_PAGE));
    if (there?.equals(bytes)) continue;
    if (isReady && wanted && !there) {
      await world.projectFiles.write(journal.root, `${JOURNAL}/${name}`, bytes.toString('utf8'));
      put++;
    } else {
      const known = await world.archive.files.read(project, `${WAITING}/${name}`);
      if (!known?.equals(bytes)) await world.archive.files.write(project, `${WAITING}/${name}`, bytes);
      waiting++;
    }
  }
  const notes = put > 0 ? [`${put} journal pages were added to ${journal?.root}/${JOURNAL}.`] : [];
  if (waiting > 0)
    notes.push(
      `${waiting} journal pages were saved in ${world.archive.files.path(project, WAITING)}. To add those that the project does not have, import again with \`--journal\`.`,
    );
  return notes;
}

async function journalOf(world: World, project: ProjectId): Promise<Journal | undefined> {
  const head = await world.archive.head(project);
  if (!head || isUnplaced(head) || (await world.machine.accessTo(head.originalPath)) === 'missing')
    return undefined;
  return inspectJournal(world, { project, root: head.originalPath, known: true });
}
