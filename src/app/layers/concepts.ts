import type { Concept, ConceptEdit } from '../../core/model/concept.ts';
import { Fault } from '../../core/model/fault.ts';
import { type ProjectId, shortHash } from '../../core/model/ids.ts';
import { redact } from '../../core/text/redact.ts';
import { editStamp } from '../edit-records.ts';
import { foldersAsked } from '../find/project.ts';
import { ifReadable } from '../if-readable.ts';
import { nearest } from '../nearest.ts';
import { type Page, type PageRequest, pageInOrder } from '../page.ts';
import { repositoryNames } from '../repository/repositories.ts';
import type { World } from '../world.ts';
import { StaleFiles } from './stale.ts';
import { readLayers, updateLayers } from './update.ts';

export type ConceptRow = Concept & {
  projectId: ProjectId;
  projectName: string;
  /** Why it may no longer hold in the checkout as it is. */
  stale?: string;
};

const LONGEST_NAME = 59;

/** Concepts of all projects or of one, most exchanges first. */
export async function listConcepts(
  world: World,
  request: PageRequest & { project?: string } = {},
): Promise<Page<ConceptRow> & { total: number }> {
  const rows = await allConcepts(world, request.project);
  rows.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  return { ...pageInOrder(rows, keyOf, request), total: rows.length };
}

async function allConcepts(world: World, project?: string): Promise<ConceptRow[]> {
  const names = await repositoryNames(world);
  const rows: ConceptRow[] = [];
  for (const id of await foldersAsked(world, project))
    rows.push(...((await ifReadable(conceptsOfProject(world, id), world.report)) ?? []));
  return rows.map((row) => ({ ...row, projectName: names.get(row.projectId) ?? row.projectName }));
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
    (row) => row.id === wanted,
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
    throw new Fault('ambiguous', `${JSON.stringify(text)} fits ${found.length} concepts.`, {
      hint: `Say which:\n${list.join('\n')}`,
      choices: found.map((it) => ({ projectId: it.projectId, id: it.id, name: it.name })),
    });
  }
  return row;
}

/** Several concepts of one project become one, and stay so when the layers are made again. */
export async function mergeConcepts(
  world: World,
  texts: string[],
  options: { project?: string; name?: string },
): Promise<ConceptRow> {
  const rows: ConceptRow[] = [];
  for (const text of texts) rows.push(await findConcept(world, text, options.project));
  const [first] = rows;
  if (!first || new Set(rows.map(({ id }) => id)).size < 2)
    throw new Fault('usage', 'Give at least two concepts.', { hint: '`keepsake concepts` lists them.' });
  if (new Set(rows.map(({ projectId }) => projectId)).size > 1)
    throw new Fault('usage', 'Concepts of two projects can not become one.');
  const name = named(options.name) ?? first.name;
  const exchanges = rows.flatMap((row) => row.exchanges);
  return edit(world, first, { action: 'merge', exchanges, name }, `Merged into ${name}`);
}

/** Some exchanges of a concept become one of their own. */
export async function splitConcept(
  world: World,
  text: string,
  exchanges: string[],
  options: { project?: string; name?: string },
): Promise<ConceptRow> {
  const row = await findConcept(world, text, options.project);
  const wanted = exchanges.map((id) => wholeId(row, id));
  if (wanted.length === 0 || wanted.length >= row.exchanges.length)
    throw new Fault('usage', 'Give some of its exchanges, not all.', {
      hint: `\`keepsake concepts show ${row.id}\` lists them.`,
    });
  const name = named(options.name);
  return edit(
    world,
    row,
    { action: 'split', exchanges: wanted, ...(name === undefined ? {} : { name }) },
    `Split from ${row.name}`,
  );
}

export async function renameConcept(
  world: World,
  text: string,
  name: string,
  project?: string,
): Promise<ConceptRow> {
  const row = await findConcept(world, text, project);
  const wanted = named(name);
  if (wanted === undefined) throw new Fault('usage', 'Give a name.');
  const others = await allConcepts(world, row.projectId);
  if (others.some((it) => it.id !== row.id && it.name.toLowerCase() === wanted.toLowerCase()))
    throw new Fault('conflict', `Another concept is called ${JSON.stringify(wanted)}.`, {
      hint: 'Merge the two, or choose another name.',
    });
  return edit(
    world,
    row,
    { action: 'rename', exchange: row.exchanges[0]!, name: wanted },
    `${row.name} is now called ${wanted}`,
  );
}

type Wanted = ConceptEdit extends infer E
  ? E extends ConceptEdit
    ? Omit<E, 'editId' | 'at' | 'hlc' | 'device'>
    : never
  : never;

async function edit(world: World, row: ConceptRow, wanted: Wanted, note: string): Promise<ConceptRow> {
  const stamp = await editStamp(world, row.projectId);
  const at = world.clock.now();
  const made = {
    ...wanted,
    at,
    ...stamp,
    via: 'typed',
    editId: `ce_${shortHash(`${at}\0${JSON.stringify([wanted, stamp])}`, 12)}`,
  } as ConceptEdit;
  await world.archive.change(
    row.projectId,
    [{ at: ['conceptEdits'], append: made, unique: 'editId' }],
    [{ at, action: 'concept', note, details: { edit: made } }],
  );
  await updateLayers(world, row.projectId);
  const [place] = made.action === 'rename' ? [made.exchange] : made.exchanges;
  const rows = await allConcepts(world, row.projectId);
  return rows.find(({ exchanges }) => exchanges.includes(place!)) ?? row;
}

function wholeId(row: ConceptRow, id: string): string {
  const found = row.exchanges.filter((it) => it.startsWith(id.toLowerCase()));
  if (found.length === 1) return found[0]!;
  throw new Fault(
    'not-found',
    `${JSON.stringify(id.slice(0, 40))} is ${found.length === 0 ? 'no exchange' : 'several exchanges'} of ${row.name}.`,
    {
      hint: `\`keepsake concepts show ${row.id}\` lists them.`,
    },
  );
}

function named(name: string | undefined): string | undefined {
  const plain = name === undefined ? '' : redact(name.replace(/\s+/g, ' ').trim()).text;
  if (plain.length > LONGEST_NAME) throw new Fault('usage', `A name has at most ${LONGEST_NAME} characters.`);
  return plain === '' ? undefined : plain;
}

function keyOf(row: ConceptRow): string {
  return `${String(1_000_000 - row.exchanges.length)}\u0000${row.projectId}\u0000${row.id}`;
}
