import { withModelWords } from '../../core/layers/facts/worded-statements.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { LAYERS_ENGINE } from '../../core/model/layers-engine.ts';
import type { SessionRecord } from '../../core/model/session.ts';
import type { SessionStatement } from '../../core/model/statement.ts';
import type { AuthoredStatement, StatementFile } from '../../core/model/statement-file.ts';
import { verdictOfSession } from '../../core/statements/statements-of.ts';
import { readStored } from '../read-stored.ts';
import type { World } from '../world.ts';
import type { RefinedSession } from './exchanges.ts';
import { linesFrom } from './lines.ts';
import { exchangeFileName, readModelWords, STATEMENTS, statementFileName } from './statement-files.ts';

/** A refined session, and who spoke in it where that was someone else. */
type SpokenSession = RefinedSession & Pick<SessionRecord, 'by'>;

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
  session: SpokenSession,
): Promise<AuthoredStatement[]> {
  const statements = await offlineStatements(world, project, session);
  return withModelWords(statements, await readModelWords(world, project, session.sessionId));
}

/** The same as it is put together offline, whatever a model made of it. */
export async function offlineStatements(
  world: World,
  project: ProjectId,
  session: SpokenSession,
): Promise<AuthoredStatement[]> {
  return (await readOrMake(world, project, session)).statements;
}

/** The same, with its file brought up to date. */
export async function updatedStatements(
  world: World,
  project: ProjectId,
  session: SpokenSession,
): Promise<AuthoredStatement[]> {
  const { statements, takenBack, isNew } = await readOrMake(world, project, session);
  if (isNew) {
    const { bytes, file } = session.l1;
    const stored: StatementFile = {
      engine: LAYERS_ENGINE,
      l1: { bytes, engine: session.engine },
      statements,
      takenBack,
    };
    await world.archive.files.write(project, statementFileName(file), `${JSON.stringify(stored)}\n`);
  }
  return withModelWords(statements, await readModelWords(world, project, session.sessionId));
}

async function readOrMake(
  world: World,
  project: ProjectId,
  { l1, engine, by }: SpokenSession,
): Promise<Pick<StatementFile, 'statements' | 'takenBack'> & { isNew: boolean }> {
  if (l1.file === '' || l1.bytes > MOST_BYTES) return { statements: [], takenBack: [], isNew: false };
  const { value: known } = await readStored(world, project, statementFileName(l1.file), STATEMENTS);
  if (known?.l1.bytes === l1.bytes && known.l1.engine === engine && isBy(known, by))
    return { statements: known.statements, takenBack: known.takenBack, isNew: false };
  const { lines } = await linesFrom(world, project, l1, 0);
  const { statements, takenBack } = verdictOfSession(lines);
  return { statements: statements.map((it) => authored(it, by)), takenBack, isNew: true };
}

/** In a session of someone else even what was typed was typed by them. */
function authored(statement: SessionStatement, by: string | undefined): AuthoredStatement {
  if (by !== undefined) return { ...statement, by, via: 'import' };
  return { ...statement, by: 'me', via: statement.author === 'assistant' ? 'agent' : 'typed' };
}

/** A session may have been given to someone else since. */
function isBy({ statements }: StatementFile, by = 'me'): boolean {
  return statements.every((statement) => statement.by === by);
}
