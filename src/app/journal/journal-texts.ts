import type { ProjectId } from '../../core/model/ids.ts';
import type { World } from '../world.ts';

/** What was in the journal when Keepsake last wrote or read it: search need not read the project. */
export const JOURNAL_TEXTS = 'journal/text';

/** The files that search knows of a project's journal, relative to the project's folder in the archive. */
export async function journalTexts(world: World, project: ProjectId): Promise<string[]> {
  return (await world.archive.files.list(project, JOURNAL_TEXTS)).map((name) => `${JOURNAL_TEXTS}/${name}`);
}
