import type { FactEdit } from './fact.ts';

/** The session whose words an edit of a fact holds; empty if there is none. */
export function sessionOfEdit(edit: FactEdit): string {
  return 'from' in edit ? (edit.from ?? '') : '';
}
