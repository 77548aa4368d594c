import { type EffectiveEdit, effectiveEdits } from '../../core/layers/facts/effective-edits.ts';
import { reviewValue } from '../../core/layers/facts/review-value.ts';
import { Fault } from '../../core/model/fault.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { hlcOf } from '../../core/model/record-order.ts';
import { foldersAsked } from '../find/project.ts';
import type { World } from '../world.ts';
import { allFacts, type FactRow, ME } from './facts.ts';
import { storeFactEdit, takeStamp } from './facts-edit.ts';

/** What waits for a decision of this user, the most valuable first: contradicted facts, then what nobody confirmed yet. */
export async function reviewQueue(world: World, project?: string): Promise<FactRow[]> {
  const now = world.clock.now();
  return (await allFacts(world, project))
    .filter(({ by }) => by === ME)
    .map((row) => ({ row, value: reviewValue(row, now) }))
    .filter(({ value }) => value > 0)
    .sort((a, b) => b.value - a.value || (a.row.id < b.row.id ? -1 : 1))
    .map(({ row }) => row);
}

export type UndoneEdit = { factId: string; action: EffectiveEdit['action']; after?: FactRow };

/** Takes back the last thing that this user did to a fact: confidence, kind, words and date are as before. */
export async function undoFact(world: World, id: string, project?: string): Promise<UndoneEdit> {
  const done: { folder: ProjectId; edit: EffectiveEdit }[] = [];
  for (const folder of await foldersAsked(world, project)) {
    const edits = effectiveEdits((await world.archive.open(folder))?.manifest.factEdits);
    done.push(...edits.map((edit) => ({ folder, edit })));
  }
  const meant = done.filter(({ edit }) => edit.factId.startsWith(id));
  const ids = [...new Set(meant.map(({ edit }) => edit.factId))];
  if (ids.length > 1)
    throw new Fault('ambiguous', `${JSON.stringify(id)} matches several ids.`, {
      choices: ids.map((it) => ({ id: it, label: it })),
    });
  const last = meant.toSorted((a, b) => hlcOf(a.edit) - hlcOf(b.edit)).at(-1)?.edit;
  if (!last)
    throw new Fault('not-found', `No edit of fact ${JSON.stringify(id)} to undo.`, {
      hint: '`keepsake facts` lists the facts.',
    });
  // Copies in other folders, and in slightly other words, were edited with it.
  for (const { folder, edit } of done) {
    if (edit.at !== last.at || edit.action !== last.action) continue;
    const base = await takeStamp(world, { folders: [folder], factId: edit.factId, by: 'user' });
    await storeFactEdit(world, folder, { ...base, action: 'undo', of: edit.editId });
  }
  const after = (await allFacts(world, project)).find((row) => row.id === last.factId);
  return { factId: last.factId, action: last.action, ...(after ? { after } : {}) };
}
