import type { Change } from '../model/change.ts';

type Edit = { at: string };

/** A list of a manifest, the name of its entries' ids, and whether two are about the same thing. */
type EditList<E> = { list: string; idOf: keyof E & string; isSame: (a: E, b: E) => boolean };

/**
 * Two lists of edits as one, neither side's lost. Edits count in their order and the last word wins: where one that
 * comes in is older than what was done here to the same thing, what was done here is put behind it again.
 */
export function mergeEdits<E extends Edit>(
  { list, idOf, isSame }: EditList<E>,
  mine: readonly E[],
  theirs: readonly E[],
): { changes: Change[]; added: E[] } {
  const known = new Set(mine.map((edit) => edit[idOf]));
  const added: E[] = [];
  for (const edit of theirs) {
    if (known.has(edit[idOf])) continue;
    known.add(edit[idOf]);
    added.push(edit);
  }
  const changes: Change[] = added.map((append) => ({ at: [list], append, unique: idOf }));
  for (const edit of mine) {
    if (!added.some((other) => other.at < edit.at && isSame(edit, other))) continue;
    changes.push({ at: [list], without: { [idOf]: edit[idOf] as string } });
    changes.push({ at: [list], append: edit, unique: idOf });
  }
  return { changes, added };
}
