import type { ProjectId } from '../../core/model/ids.ts';
import { LAYERS_ENGINE } from '../../core/model/layers-engine.ts';
import type { SessionStatement } from '../../core/model/statement.ts';
import type { StatementFile } from '../../core/model/statement-file.ts';
import { statementsOf } from '../../core/statements/statements-of.ts';
import { readStored } from '../read-stored.ts';
import type { World } from '../world.ts';
import { exchangeFileName, type RefinedSession } from './exchanges.ts';
import { linesFrom } from './lines.ts';
import { STATEMENTS, statementFileName } from './statement-files.ts';

/** Bytes of a refined session that are looked at: what an even longer one said first is in its parts. */
const MOST_BYTES = 24 * 1024 * 1024;

/** The files that are derived from a refined one, beside it. */
export function filesDerivedFrom(l1File: string): string[] {
  return [exchangeFileName(l1File), statementFileName(l1File)];
}

/** What is true at the end of a session, as it is now. Writes nothing; costs the session's own length where its file is behind. */
export async function currentStatements(
  world: World,
  project: ProjectId,
  session: RefinedSession,
): Promise<SessionStatement[]> {
  return (await readOrMake(world, project, session)).statements;
}

/** The same, with its file brought up to date. */
export async function updatedStatements(
  world: World,
  project: ProjectId,
  session: RefinedSession,
): Promise<SessionStatement[]> {
  const { statements, isNew } = await readOrMake(world, project, session);
  if (isNew) {
    const { bytes, file } = session.l1;
    const stored: StatementFile = {
      engine: LAYERS_ENGINE,
      l1: { bytes, engine: session.engine },
      statements,
    };
    await world.archive.files.write(project, statementFileName(file), `${JSON.stringify(stored)}\n`);
  }
  return statements;
}

async function readOrMake(
  world: World,
  project: ProjectId,
  { l1, engine }: RefinedSession,
): Promise<{ statements: SessionStatement[]; isNew: boolean }> {
  if (l1.file === '' || l1.bytes > MOST_BYTES) return { statements: [], isNew: false };
  const { value: known } = await readStored(world, project, statementFileName(l1.file), STATEMENTS);
  if (known?.l1.bytes === l1.bytes && known.l1.engine === engine)
    return { statements: known.statements, isNew: false };
  const { lines } = await linesFrom(world, project, l1, 0);
  return { statements: statementsOf(lines), isNew: true };
}
