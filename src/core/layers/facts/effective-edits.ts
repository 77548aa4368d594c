import type { FactEdit } from '../../model/fact.ts';
import { userEdits } from '../../model/record-order.ts';

/** An edit that does something to a fact itself; what is said to the team about it does not. */
export type EffectiveEdit = Exclude<FactEdit, { action: 'undo' | 'promote' | 'team-review' }>;

/** This user's edits in their order, without those that were withdrawn: as if they had never been made. */
export function effectiveEdits(edits: readonly FactEdit[] = []): EffectiveEdit[] {
  const own = userEdits(edits);
  const undone = new Set(own.flatMap((edit) => (edit.action === 'undo' ? [edit.of] : [])));
  return own.filter((edit): edit is EffectiveEdit => isEffective(edit) && !undone.has(edit.editId));
}

function isEffective({ action }: FactEdit): boolean {
  return action !== 'undo' && action !== 'promote' && action !== 'team-review';
}
