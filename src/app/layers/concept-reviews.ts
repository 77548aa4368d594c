import type { ConceptEdit } from '../../core/model/concept.ts';
import { Fault } from '../../core/model/fault.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import type { Via } from '../../core/model/via.ts';
import { foldersAsked } from '../find/project.ts';
import { ifReadable } from '../or-fault.ts';
import { repositoryNames } from '../repository/repositories.ts';
import type { World } from '../world.ts';
import { applyConceptEdit } from './concepts-edit.ts';
import type { ConceptRow } from './join-concepts.ts';
import { readLayers } from './update.ts';

/** What someone else did to the concepts. It changes nothing until this user accepts it. */
export type ConceptReview = {
  editId: string;
  projectId: ProjectId;
  projectName: string;
  by: string;
  via: Via;
  at: string;
  action: ConceptEdit['action'];
  /** What it is about, as it is called here; '' where its exchanges are not here. */
  concept: string;
  /** The name that they gave it. */
  name: string;
  exchanges: string[];
};

/** Edits of others, newest first; those that this user made, too, are left out. */
export async function reviewConcepts(
  world: World,
  request: { project?: string | undefined; by?: string | undefined } = {},
): Promise<ConceptReview[]> {
  const names = await repositoryNames(world);
  const reviews: ConceptReview[] = [];
  for (const id of await foldersAsked(world, request.project)) {
    const manifest = (await ifReadable(world.archive.open(id), world.report))?.manifest;
    const { conceptEdits = [], displayName = '' } = manifest ?? {};
    const own = new Set(conceptEdits.filter(({ author }) => author === undefined).map(wordingOf));
    const theirs = conceptEdits.filter(
      (edit) =>
        edit.author !== undefined &&
        (request.by === undefined || edit.author === request.by) &&
        !own.has(wordingOf(edit)),
    );
    const concepts = theirs.length === 0 ? [] : ((await readLayers(world, id))?.concepts ?? []);
    for (const edit of theirs) {
      const exchanges = exchangesOf(edit);
      reviews.push({
        editId: edit.editId,
        projectId: id,
        projectName: names.get(id) ?? displayName,
        by: edit.author ?? '',
        via: edit.via ?? 'import',
        at: edit.at,
        action: edit.action,
        concept: concepts.find((it) => it.exchanges.includes(exchanges[0] ?? ''))?.name ?? '',
        name: edit.name ?? '',
        exchanges,
      });
    }
  }
  return reviews.sort((a, b) => (a.at === b.at ? (a.editId < b.editId ? -1 : 1) : a.at < b.at ? 1 : -1));
}

/** Makes an edit of someone else one of this user's own, made now. The concept as it is then. */
export async function acceptConceptEdit(
  world: World,
  editId: string,
  project?: string,
): Promise<{ review: ConceptReview; concept: ConceptRow | undefined }> {
  const found = (await reviewConcepts(world, { project })).filter((it) => it.editId.startsWith(editId));
  const [review] = found;
  if (!review || editId === '')
    throw new Fault('not-found', `No pending edit ${JSON.stringify(editId.slice(0, 60))}.`, {
      hint: '`keepsake concepts review` lists those of others.',
    });
  if (found.length > 1)
    throw new Fault('ambiguous', `${JSON.stringify(editId)} matches ${found.length} edits.`, {
      hint: `Choose one: ${found.map((it) => it.editId).join(', ')}.`,
      choices: found.map((it) => ({ projectId: it.projectId, id: it.editId, name: it.name })),
    });
  const manifest = (await world.archive.open(review.projectId))?.manifest;
  const edit = manifest?.conceptEdits?.find((it) => it.editId === review.editId);
  if (!edit) throw new Fault('not-found', `The edit ${review.editId} no longer exists.`);
  const { editId: _, at: __, hlc: ___, device: ____, author, via: _____, ...wanted } = edit;
  const note = `Accepted from ${author}: ${edit.action}${edit.name === undefined ? '' : ` ${edit.name}`}`;
  return { review, concept: await applyConceptEdit(world, review.projectId, wanted, note) };
}

function exchangesOf(edit: ConceptEdit): string[] {
  return edit.action === 'rename' ? [edit.exchange] : edit.exchanges;
}

/** The effect of an edit, without its author and time. */
function wordingOf(edit: ConceptEdit): string {
  return JSON.stringify([edit.action, exchangesOf(edit), edit.name ?? '']);
}
