import type { ProjectId } from '../../core/model/ids.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import { DOCUMENT_KINDS, DOCUMENTS_MARK, type SourceUpdate } from '../../core/model/search.ts';
import { documentLines } from '../../core/search/documents/document.ts';
import type { IndexCursor, SearchIndex } from '../../ports/search-index.ts';
import { factsAreCurrent } from '../find/rules.ts';
import { ifReadable } from '../or-fault.ts';
import type { World } from '../world.ts';
import { type DocumentFile, documentFiles } from './document-files.ts';
import { removeMissing } from './index-archive.ts';

/** Lines in one transaction. */
const BATCH = 5000;

/** Brings the documents of one project up to date: the files that hold something else than the index knows. */
export async function indexProject(
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
