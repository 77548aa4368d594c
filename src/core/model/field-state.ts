import type { FieldEdit } from './field-edit.ts';
import { shortHash } from './ids.ts';
import { inRecordOrder, userEdits } from './record-order.ts';
import { isSettingPath } from './setting-path.ts';
import { isFields } from './shape.ts';
import { isSecondStream } from './stream-id.ts';

/** Where values that were set before edits were recorded are still found. */
export type FieldSource = {
  settings: Record<string, unknown>;
  sessions: readonly { sessionId: string; name?: string | undefined; by?: string | undefined }[];
  fieldEdits?: readonly FieldEdit[] | undefined;
};

export const fieldKey = ({ field, key }: Pick<FieldEdit, 'field' | 'key'>) => `${field}\0${key}`;

/** Every edit of a field, and one as early as can be for each value that none explains: older versions wrote only values. */
export function fieldRecords({ settings, sessions, fieldEdits = [] }: FieldSource): FieldEdit[] {
  const known = new Set(fieldEdits.map(fieldKey));
  const values: FieldEdit[] = [];
  const add = (field: FieldEdit['field'], key: string, value: unknown) => {
    if (!known.has(fieldKey({ field, key })))
      values.push({
        editId: `v_${shortHash(JSON.stringify([field, key, value]), 12)}`,
        at: '',
        field,
        key,
        value,
      });
  };
  for (const [key, value] of settingLeaves(settings)) if (isSettingPath(key)) add('setting', key, value);
  // A further stream of a session is called otherwise on each machine.
  for (const { sessionId, name, by } of sessions)
    if (name !== undefined && by === undefined && !isSecondStream(sessionId)) add('session', sessionId, name);
  return [...fieldEdits, ...values];
}

/** The edit that counts of each field: this user's last one. */
export function fieldState(edits: readonly FieldEdit[]): Map<string, FieldEdit> {
  return new Map(userEdits(edits).map((edit) => [fieldKey(edit), edit]));
}

/** Of others, the last name of each session: it counts where the session is theirs. */
export function namesByOthers(edits: readonly FieldEdit[]): Map<string, FieldEdit> {
  const named = edits.filter(({ field, author }) => field === 'session' && author !== undefined);
  return new Map(inRecordOrder(named, ({ editId }) => editId).map((edit) => [fieldKey(edit), edit]));
}

/** Settings as they are edited: one key with its value each. */
export function settingLeaves(
  settings: Record<string, unknown>,
  below = '',
): [key: string, value: unknown][] {
  return Object.entries(settings).flatMap(([name, value]) =>
    isFields(value)
      ? settingLeaves(value, `${below}${name}.`)
      : [[`${below}${name}`, value] as [string, unknown]],
  );
}
