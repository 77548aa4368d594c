import { knownMarks } from './known-fields.ts';
import { isObject, type JsonObject } from './parse-line.ts';
import { stringOf } from './string-of.ts';

/** A line that Keepsake wrote from a document or a database: which agent's, what kind of row, and the row itself. */
export type StagedRow = { kind: string; row: JsonObject };

/** The row of a session that was a text: a history, or a console with its head. */
export const TEXT_SESSION = knownMarks('session', { folder: 'cwd' }, 'id head');

/** The field that marks such a line. */
const MARK = 'staged';

export function stagedRow(object: JsonObject, agent: string): StagedRow | undefined {
  if (object[MARK] !== agent) return undefined;
  return { kind: stringOf(object.kind), row: isObject(object.row) ? object.row : {} };
}

export function isStaged(object: JsonObject, agent: string): boolean {
  return object[MARK] === agent;
}
