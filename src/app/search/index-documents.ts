import { isProjectId, type ProjectId, shortHash } from '../../core/model/ids.ts';
import { DOCUMENT_KINDS, DOCUMENTS_MARK } from '../../core/model/search.ts';
import type { SearchIndex } from '../../ports/search-index.ts';
import { journalTexts } from '../journal/journal-texts.ts';
import { ifReadable } from '../or-fault.ts';
import { othersFiles } from '../rolling/others-memory.ts';
import { memoryNames } from '../rolling/texts.ts';
import type { World } from '../world.ts';
import { removeMissing } from './index-archive.ts';

const GONE = '';

/**
 * Brings the documents of an index up to date with their files: of the projects that are asked, those whose record or
 * memory files look different from last time; of these, the files that hold something else.
 */
export async function indexDocuments(
  world: World,
  index: SearchIndex,
  projects?: readonly string[],
): Promise<void> {
  const stamps = await world.archive.stamps();
  const marks = await index.marks();
  const asked = projects === undefined ? undefined : new Set(projects);
  const changed = new Map<ProjectId, string>();
  for (const [project, stamp] of stamps) {
    if (asked && !asked.has(project)) continue;
    const mark = shortHash(`${stamp}\n${await memoryStamp(world, project)}`, 16);
    if (stamp === '' || marks.get(DOCUMENTS_MARK + project) !== mark) changed.set(project, mark);
  }
  const gone = [...marks]
    .filter(([key, mark]) => key.startsWith(DOCUMENTS_MARK) && mark !== GONE)
    .map(([key]) => key.slice(DOCUMENTS_MARK.length))
    .filter((project) => !(isProjectId(project) && stamps.has(project)));
  if (changed.size === 0 && gone.length === 0) return;
  const cursors = await index.cursors();
  for (const project of gone) {
    await removeMissing(index, { project, kinds: DOCUMENT_KINDS }, cursors);
    await index.update([], { [DOCUMENTS_MARK + project]: GONE });
  }
  for (const [project, mark] of changed) {
    const opened = await ifReadable(world.archive.open(project));
    if (!opened) continue;
    // Mostly nothing has changed: then nothing is read of what makes them.
    const { indexProject } = await import('./update-documents.ts');
    await indexProject(world, index, { manifest: opened.manifest, mark }, cursors);
  }
  await index.tidy();
}

/** Size and time of a project's memory files. */
async function memoryStamp(world: World, project: ProjectId): Promise<string> {
  const stamps: string[] = [];
  const names = (await memoryNames(world, project)).map((name) => `memory/${name}`);
  const others = await othersFiles(world, project);
  for (const name of [...names, ...others, ...(await journalTexts(world, project))]) {
    const found = await world.transcripts.inspect(world.archive.files.path(project, name));
    if (found && found !== 'folder')
      stamps.push(`${name} ${found.size} ${found.mtimeMs} ${found.ino} ${found.dev}`);
  }
  return stamps.join('\n');
}
