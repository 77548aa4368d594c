import type { ConceptEdit } from '../../core/model/concept.ts';
import { Fault } from '../../core/model/fault.ts';
import { type ProjectId, shortHash } from '../../core/model/ids.ts';
import { redact } from '../../core/text/redact.ts';
import { editStamp } from '../edit-records.ts';
import { projectsOf } from '../repository/repositories.ts';
import type { World } from '../world.ts';
import { allConcepts, findConcept } from './concepts.ts';
import { type ConceptRow, partsOf } from './join-concepts.ts';
import { updateLayers } from './update.ts';

const LONGEST_NAME = 59;

/** Merges several concepts of one project; they stay merged when the layers are rebuilt. */
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
  const folders = new Set<string>(await projectsOf(world, first.projectId));
  if (rows.some(({ projectId }) => !folders.has(projectId)))
    throw new Fault('usage', "Concepts of different projects can't be merged.");
  const name = named(options.name) ?? first.name;
  // Each folder has its own; by their common name they are one.
  const byFolder = Map.groupBy(rows.flatMap(partsOf), ({ projectId }) => projectId);
  for (const [project, parts] of byFolder) {
    const exchanges = parts.flatMap((part) => part.exchanges);
    const wanted =
      parts.length > 1
        ? { action: 'merge' as const, exchanges, name }
        : { action: 'rename' as const, exchange: exchanges[0]!, name };
    await applyConceptEdit(world, project, wanted, `Merged into ${name}`);
  }
  return findConcept(world, name, first.projectId);
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
    throw new Fault('usage', 'Choose some of its exchanges, not all.', {
      hint: `\`keepsake concepts show ${row.id}\` lists them.`,
    });
  const name = named(options.name);
  let split = row;
  for (const { projectId, exchanges: own } of partsOf(row)) {
    const leaving = wanted.filter((id) => own.includes(id));
    if (leaving.length === 0) continue;
    const action = leaving.length === own.length && name !== undefined ? 'rename' : 'split';
    const edit =
      action === 'rename'
        ? { action: 'rename' as const, exchange: leaving[0]!, name: name! }
        : { action: 'split' as const, exchanges: leaving, ...(name === undefined ? {} : { name }) };
    split = (await applyConceptEdit(world, projectId, edit, `Split from ${row.name}`)) ?? split;
  }
  return split;
}

export async function renameConcept(
  world: World,
  text: string,
  name: string,
  project?: string,
): Promise<ConceptRow> {
  const row = await findConcept(world, text, project);
  const wanted = named(name);
  if (wanted === undefined) throw new Fault('usage', 'Missing name.');
  const others = await allConcepts(world, row.projectId);
  if (others.some((it) => it.id !== row.id && it.name.toLowerCase() === wanted.toLowerCase()))
    throw new Fault('conflict', `Another concept is named ${JSON.stringify(wanted)}.`, {
      hint: 'Merge the two, or choose another name.',
    });
  let renamed = row;
  for (const { projectId, exchanges } of partsOf(row)) {
    const edit = { action: 'rename' as const, exchange: exchanges[0]!, name: wanted };
    const note = `${row.name} is now named ${wanted}`;
    renamed = (await applyConceptEdit(world, projectId, edit, note)) ?? renamed;
  }
  return renamed;
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

type NewConceptEdit = ConceptEdit extends infer E
  ? E extends ConceptEdit
    ? Omit<E, 'editId' | 'at' | 'hlc' | 'device' | 'author' | 'via'>
    : never
  : never;

/** Records what this user decided about the concepts of a folder. The concept as it is then, where its exchanges are here. */
export async function applyConceptEdit(
  world: World,
  project: ProjectId,
  wanted: NewConceptEdit,
  note: string,
): Promise<ConceptRow | undefined> {
  const stamp = await editStamp(world, project);
  const at = world.clock.now();
  const edit = {
    ...wanted,
    at,
    ...stamp,
    via: 'typed',
    editId: `ce_${shortHash(`${at}\0${JSON.stringify([wanted, stamp])}`, 12)}`,
  } as ConceptEdit;
  await world.archive.change(
    project,
    [{ at: ['conceptEdits'], append: edit, unique: 'editId' }],
    [{ at, action: 'concept', note, details: { edit } }],
  );
  await updateLayers(world, project);
  const [place] = edit.action === 'rename' ? [edit.exchange] : edit.exchanges;
  return (await allConcepts(world, project)).find(({ exchanges }) => exchanges.includes(place!));
}
