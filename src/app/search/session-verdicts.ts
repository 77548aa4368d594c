import type { SessionStatement, StatedKind } from '../../core/model/statement.ts';
import type { PassageExchange, PassageTurn } from '../../core/passages/passage.ts';
import { inLine } from '../../core/search/recall-text.ts';
import { cutAtWord } from '../../core/text/sentences.ts';
import type { SourceRow } from '../../ports/search-index.ts';
import { STATEMENTS, statementFileName } from '../layers/statement-files.ts';
import { readStored } from '../read-stored.ts';
import type { World } from '../world.ts';

const LONGEST_VERDICT = 160;

/** How a statement is introduced. */
const SPEAKERS: Record<StatedKind, string> = {
  decision: 'decided',
  rule: 'rule',
  preference: 'preference',
  lesson: 'lesson',
  solution: 'solved',
  environment: 'environment',
  constraint: 'constraint',
  open: 'left open',
};

/** What a session took back, and what is true at its end: as its statements say. */
export type SessionVerdicts = Pick<PassageExchange, 'takenBack' | 'stated'> & {
  /** As turns of the exchange that their last quote is from. */
  statements: PassageTurn[];
};

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
  const turns = statements.map(({ kind, text, ts, quotes }): PassageTurn => {
    const src = quotes.at(-1)?.src ?? -1;
    return { kind: 'statement', speaker: SPEAKERS[kind], ts, src, text: inLine(text) };
  });
  return { takenBack, stated, statements: turns };
}
