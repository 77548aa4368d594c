import { isObject, type JsonObject } from './parse-line.ts';
import { stringOf } from './string-of.ts';

/** A line that Keepsake wrote from a document or a database: which agent's, what kind of row, and the row itself. */
export type StagedRow = { kind: string; row: JsonObject };

/** The field that marks such a line. */
const MARK = 'staged';

export function stagedRow(object: JsonObject, agent: string): StagedRow | undefined {
  if (object[MARK] !== agent) return undefined;
  return { kind: stringOf(object.kind), row: isObject(object.row) ? object.row : {} };
}

export function isStaged(object: JsonObject, agent: string): boolean {
  return object[MARK] === agent;
}
