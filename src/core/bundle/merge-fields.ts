import type { Change } from '../model/change.ts';
import type { FieldEdit } from '../model/field-edit.ts';
import {
  type FieldSource,
  fieldKey,
  fieldRecords,
  fieldState,
  namesByOthers,
  settingLeaves,
} from '../model/field-state.ts';
import { streamBase } from '../model/stream-id.ts';
import { mergeRecords } from './merge-records.ts';

export type MergedFields = { changes: Change[]; added: FieldEdit[] };
export type FieldsHere = FieldSource & { displayName: string };

/**
 * Names and settings of both sides: the edits as a set, and the values that follow from it. Settings and names that others
 * chose stay theirs, except for the names of their own sessions.
 */
export function mergeFields(mine: FieldsHere, theirs: readonly FieldEdit[]): MergedFields {
  const here = fieldRecords(mine);
  const { added } = mergeRecords({ list: 'fieldEdits', idOf: 'editId' }, here, theirs);
  if (added.length === 0) return { changes: [], added };
  const touched = new Set(added.map(fieldKey));
  // A value without an edit of its own would count as explained by those that come in.
  const values = here.slice(mine.fieldEdits?.length ?? 0).filter((edit) => touched.has(fieldKey(edit)));
  const stored = mergeRecords({ list: 'fieldEdits', idOf: 'editId' }, mine.fieldEdits ?? [], [
    ...values,
    ...added,
  ]);
  const counts = fieldState([
    ...here.filter(({ editId }) => !added.some((it) => it.editId === editId)),
    ...added,
  ]);
  const changes = [...counts.values()]
    .filter((edit) => touched.has(fieldKey(edit)))
    .flatMap((edit) => valueChange(mine, edit));
  const others = namesByOthers([...here, ...added]);
  for (const { sessionId, name, by } of mine.sessions) {
    const edit = others.get(fieldKey({ field: 'session', key: sessionId }));
    if (by === undefined || !edit || counts.has(fieldKey(edit)) || name === edit.value) continue;
    changes.push(...valueChange(mine, edit));
  }
  return { changes: [...stored.changes, ...changes], added };
}

function valueChange(mine: FieldsHere, { field, key, value }: FieldEdit): Change[] {
  if (field === 'project') {
    const displayName = typeof value === 'string' ? value : '';
    return displayName === '' || displayName === mine.displayName ? [] : [{ at: [], merge: { displayName } }];
  }
  if (field === 'session') {
    // All streams of a session are called as it is.
    const streams = mine.sessions.filter(
      ({ sessionId }) => sessionId === key || streamBase(sessionId) === key,
    );
    return streams.flatMap(({ sessionId, name }): Change[] => {
      if (name === value) return [];
      const at = ['sessions', sessionId];
      return [value === undefined ? { at: [...at, 'name'], drop: true } : { at, merge: { name: value } }];
    });
  }
  const known = settingLeaves(mine.settings).find(([name]) => name === key)?.[1];
  if (JSON.stringify(known) === JSON.stringify(value)) return [];
  const at = ['settings', ...key.split('.')];
  return [value === undefined ? { at, drop: true } : { at, put: value }];
}
