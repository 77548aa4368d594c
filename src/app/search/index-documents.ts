import { isProjectId, type ProjectId, shortHash } from '../../core/model/ids.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import { DOCUMENT_KINDS, DOCUMENTS_MARK, type SourceUpdate } from '../../core/model/search.ts';
import { documentLines } from '../../core/search/documents/document.ts';
import type { IndexCursor, SearchIndex } from '../../ports/search-index.ts';
import { factsAreCurrent } from '../find/rules.ts';
import { ifReadable } from '../if-readable.ts';
import { journalTexts } from '../journal/documents.ts';
import { othersFiles } from '../rolling/others-memory.ts';
import type { World } from '../world.ts';
import { type DocumentFile, documentFiles, memoryNames } from './document-files.ts';
import { removeMissing } from './remove-missing.ts';

/** Lines that one transaction takes in. */
const BATCH = 5000;
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
    if (opened) await indexProject(world, index, { manifest: opened.manifest, mark }, cursors);
  }
  await index.tidy();
}

/** What the memory files of a project look like from outside. */
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

async function indexProject(
  world: World,
  index: SearchIndex,
  { manifest, mark }: { manifest: Manifest; mark: string },
  cursors: Map<string, IndexCursor>,
): Promise<void> {
  const { projectId: project } = manifest;
  const known = new Set<string>();
  let batch: SourceUpdate[] = [];
  let lines = 0;
  let isWhole = true;
  // Whoever searches does not wait for exchanges that the next sync rebuilds.
  const isBehind = !(await factsAreCurrent(world, project));
  for await (const file of documentFiles(world, manifest)) {
    const key = `${project}/${file.kind}/${file.name}`;
    known.add(key);
    const cursor = cursors.get(key);
    if (cursor?.engine === file.content || (cursor && isBehind && file.kind === 'exchange')) continue;
    const update = await ifReadable(updateOf(project, file), world.report);
    // What it is made from is damaged: it is tried again each time.
    if (!update) {
      isWhole = false;
      continue;
    }
    batch.push(update);
    lines += update.lines.length;
    if (lines < BATCH) continue;
    await index.update(batch);
    batch = [];
    lines = 0;
  }
  await index.update(batch, isWhole ? { [DOCUMENTS_MARK + project]: mark } : {});
  await removeMissing(index, { project, kinds: DOCUMENT_KINDS }, cursors, known);
}

/** Always the whole file: these are short, and change anywhere. */
async function updateOf(project: ProjectId, file: DocumentFile): Promise<SourceUpdate> {
  const lines = documentLines(await file.documents());
  const times = lines.map(({ ts }) => ts).filter((ts) => ts !== '');
  return {
    project,
    kind: file.kind,
    name: file.name,
    agent: '',
    file: file.file,
    from: 0,
    to: 1,
    engine: file.content,
    branch: '',
    title: '',
    first: times.reduce((least, ts) => (ts < least ? ts : least), times[0] ?? ''),
    last: times.reduce((most, ts) => (ts > most ? ts : most), ''),
    files: [],
    lines,
  };
}
