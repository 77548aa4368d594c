import { LAYERS_ENGINE } from '../../core/model/layers-engine.ts';
import { type StatementFile, statementFileShape } from '../../core/model/statement-file.ts';
import type { StoredKind } from '../read-stored.ts';

/** Apart from what makes them: a hook only reads them. */
export const STATEMENTS: StoredKind<StatementFile> = {
  schema: statementFileShape,
  format: ['engine', LAYERS_ENGINE],
  damaged: 'The next `keepsake sync` makes it again from the refined session.',
  derived: true,
};

export function statementFileName(l1File: string): string {
  return l1File.replace(/\.l1\.jsonl$/, '.statements.json');
}
