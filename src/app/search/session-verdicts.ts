import type { SessionStatement } from '../../core/model/statement.ts';
import type { PassageExchange } from '../../core/passages/passage.ts';
import { inLine } from '../../core/search/recall-text.ts';
import { cutAtWord } from '../../core/text/sentences.ts';
import type { SourceRow } from '../../ports/search-index.ts';
import { STATEMENTS, statementFileName } from '../layers/statement-files.ts';
import { readStored } from '../read-stored.ts';
import type { World } from '../world.ts';

const LONGEST_VERDICT = 160;

/** What a session took back, and what is true at its end: as its statements say. */
export type SessionVerdicts = Pick<PassageExchange, 'takenBack' | 'stated'>;

/** `file` is the refined session's. */
export async function sessionVerdicts(
  world: World,
  { project, file }: Pick<SourceRow, 'project' | 'file'>,
): Promise<SessionVerdicts> {
  const { value } = await readStored(world, project, statementFileName(file), STATEMENTS);
  return verdictsIn(value?.statements ?? []);
}

function verdictsIn(statements: SessionStatement[]): SessionVerdicts {
  const takenBack = statements.flatMap(({ overturned }) =>
    overturned.flatMap(({ was, by }) => {
      const [first] = by;
      if (!first) return [];
      const words = cutAtWord(inLine(first.text), LONGEST_VERDICT);
      const verdict = first.by === 'user' ? `rejected: “${words}”` : `replaced by: “${words}”`;
      return was.map(({ src, text }) => ({ src, was: text, verdict }));
    }),
  );
  const stated = statements.flatMap(({ quotes }) => quotes.map(({ src, text }) => ({ src, text })));
  return { takenBack, stated };
}
