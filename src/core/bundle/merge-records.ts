import type { Change } from '../model/change.ts';
import type { Stamped } from '../model/record-order.ts';

/** A list of a manifest and the name of its records' ids. */
type RecordList<R> = { list: string; idOf: keyof R & string };

/**
 * The set of both lists: what is new is added at the end, for records count by their stamps and not by their place. A record
 * that came in as another's and now comes as this user's own becomes that.
 */
export function mergeRecords<R extends Stamped>(
  { list, idOf }: RecordList<R>,
  mine: readonly R[],
  theirs: readonly R[],
): { changes: Change[]; added: R[] } {
  const known = new Map(mine.map((record) => [record[idOf], record]));
  const changes: Change[] = [];
  const added: R[] = [];
  for (const record of theirs) {
    const here = known.get(record[idOf]);
    if (here && (here.author === undefined || record.author !== undefined)) continue;
    if (here) changes.push({ at: [list], without: { [idOf]: record[idOf] as string } });
    changes.push({ at: [list], append: record, unique: idOf });
    known.set(record[idOf], record);
    added.push(record);
  }
  return { changes, added };
}
