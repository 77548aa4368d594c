import { Fault } from '../../core/model/fault.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { foldersAsked } from '../find/project.ts';
import { nearest } from '../nearest.ts';
import { ifReadable } from '../or-fault.ts';
import { type Page, type PageRequest, pageInOrder } from '../page.ts';
import type { World } from '../world.ts';
import { StaleFiles } from './anchors.ts';
import { type ConceptRow, joinConcepts, partsOf } from './join-concepts.ts';
import { readLayers } from './update.ts';

/** Concepts of all projects or of one, most exchanges first. */
export async function listConcepts(
  world: World,
  request: PageRequest & { project?: string } = {},
): Promise<Page<ConceptRow> & { total: number }> {
  const rows = await allConcepts(world, request.project);
  rows.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  return { ...pageInOrder(rows, keyOf, request), total: rows.length };
}

export async function allConcepts(world: World, project?: string): Promise<ConceptRow[]> {
  const rows: ConceptRow[] = [];
  for (const id of await foldersAsked(world, project))
    rows.push(...((await ifReadable(conceptsOfProject(world, id), world.report)) ?? []));
  return joinConcepts(world, rows);
}

async function conceptsOfProject(world: World, project: ProjectId): Promise<ConceptRow[]> {
  const layers = await readLayers(world, project);
  const head = await world.archive.head(project);
  if (!layers || !head) return [];
  const stale = new StaleFiles(world, head);
  const rows: ConceptRow[] = [];
  for (const concept of layers.concepts) {
    const gone = await stale.among(concept.files);
    const row: ConceptRow = { ...concept, projectId: project, projectName: head.displayName };
    rows.push(gone.length === 0 ? row : { ...row, stale: await stale.describe(gone) });
  }
  return rows;
}

/** The concept that an id, its unique beginning or a name means. */
export async function findConcept(world: World, text: string, project?: string): Promise<ConceptRow> {
  const rows = await allConcepts(world, project);
  const wanted = text.trim().toLowerCase();
  const ways: ((row: ConceptRow) => boolean)[] = [
    (row) => partsOf(row).some(({ id }) => id === wanted),
    (row) => row.name.toLowerCase() === wanted,
    (row) => wanted.length >= 4 && row.id.startsWith(wanted),
  ];
  const found = ways.map((fits) => rows.filter(fits)).find((it) => it.length > 0) ?? [];
  const [row] = found;
  if (!row) {
    const near = nearest(text, new Set(rows.flatMap(({ id, name }) => [id, name])));
    const hint =
      near.length > 0
        ? `Did you mean ${near.map((it) => JSON.stringify(it)).join(' or ')}?`
        : '`keepsake concepts` lists them.';
    throw new Fault('not-found', `No concept ${JSON.stringify(text.slice(0, 60))}.`, { hint });
  }
  if (found.length > 1) {
    const list = found.slice(0, 10).map((it) => `  ${it.id}  --project=${it.projectId}`);
    throw new Fault('ambiguous', `${JSON.stringify(text)} matches ${found.length} concepts.`, {
      hint: `Choose one:\n${list.join('\n')}`,
      choices: found.map((it) => ({ projectId: it.projectId, id: it.id, name: it.name })),
    });
  }
  return row;
}

function keyOf(row: ConceptRow): string {
  return `${String(1_000_000 - row.exchanges.length)}\u0000${row.projectId}\u0000${row.id}`;
}
