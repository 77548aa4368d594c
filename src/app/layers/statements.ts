import type { ProjectId } from '../../core/model/ids.ts';
import { LAYERS_ENGINE } from '../../core/model/layers-engine.ts';
import type { SessionStatement } from '../../core/model/statement.ts';
import { type StatementFile, statementFileShape } from '../../core/model/statement-file.ts';
import { statementsOf } from '../../core/statements/statements-of.ts';
import { readStored, type StoredKind } from '../read-stored.ts';
import type { World } from '../world.ts';
import { exchangeFileName, type RefinedSession } from './exchanges.ts';
import { linesFrom } from './lines.ts';

export const STATEMENTS: StoredKind<StatementFile> = {
  schema: statementFileShape,
  format: ['engine', LAYERS_ENGINE],
  damaged: 'The next `keepsake sync` makes it again from the refined session.',
  derived: true,
};
/** Bytes of a refined session that are looked at: what an even longer one said first is in its parts. */
const MOST_BYTES = 24 * 1024 * 1024;

export function statementFileName(l1File: string): string {
  return l1File.replace(/\.l1\.jsonl$/, '.statements.json');
}

/** The files that are derived from a refined one, beside it. */
export function filesDerivedFrom(l1File: string): string[] {
  return [exchangeFileName(l1File), statementFileName(l1File)];
}

/** What is true at the end of a session, with its file brought up to date. Costs the session's own length, and only when it changed. */
export async function updatedStatements(
  world: World,
  project: ProjectId,
  session: RefinedSession,
): Promise<SessionStatement[]> {
  const { l1, engine } = session;
  if (l1.file === '' || l1.bytes > MOST_BYTES) return [];
  const name = statementFileName(l1.file);
  const { value: known } = await readStored(world, project, name, STATEMENTS);
  if (known?.l1.bytes === l1.bytes && known.l1.engine === engine) return known.statements;
  const { lines } = await linesFrom(world, project, l1, 0);
  const statements = statementsOf(lines);
  const file: StatementFile = { engine: LAYERS_ENGINE, l1: { bytes: l1.bytes, engine }, statements };
  await world.archive.files.write(project, name, `${JSON.stringify(file)}\n`);
  return statements;
}
