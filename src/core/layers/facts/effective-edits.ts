import type { FactEdit } from '../../model/fact.ts';
import { userEdits } from '../../model/record-order.ts';

/** An edit that does something to a fact itself. */
export type EffectiveEdit = Exclude<FactEdit, { action: 'undo' }>;

/** This user's edits in their order, without those that were taken back: as if they had never been made. */
export function effectiveEdits(edits: readonly FactEdit[] = []): EffectiveEdit[] {
  const own = userEdits(edits);
  const undone = new Set(own.flatMap((edit) => (edit.action === 'undo' ? [edit.of] : [])));
  return own.filter((edit): edit is EffectiveEdit => edit.action !== 'undo' && !undone.has(edit.editId));
}
