import { effectiveEdits } from '../../core/layers/facts/effective-edits.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import type { SessionStatement, StatedKind } from '../../core/model/statement.ts';
import type { PassageExchange, PassageTurn, RetractedWords } from '../../core/passages/passage.ts';
import { oneLine } from '../../core/search/recall-text.ts';
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
  { project, file, name }: Pick<SourceRow, 'project' | 'file' | 'name'>,
): Promise<SessionVerdicts> {
  const { value } = await readStored(world, project, statementFileName(file), STATEMENTS);
  const all = value?.statements ?? [];
  const rejected = await rejectedIn(world, project, name);
  const gone = new Set(rejected.map(({ src }) => src));
  const kept = all.filter(({ quotes }) => !quotes.some(({ src }) => gone.has(src)));
  return { ...verdictsIn(kept), takenBack: [...rejected, ...verdictsIn(all).takenBack] };
}

/** Messages of the session that the user marked as not true; all of each. */
async function rejectedIn(world: World, project: ProjectId, session: string): Promise<RetractedWords[]> {
  const manifest = (await world.archive.open(project))?.manifest;
  return effectiveEdits(manifest?.factEdits).flatMap((edit) => {
    if (edit.action !== 'reject') return [];
    const words = cutAtWord(oneLine(edit.note), LONGEST_VERDICT);
    const verdict = words === '' ? 'rejected' : `rejected: “${words}”`;
    return edit.places
      .filter(({ sessionId }) => sessionId === session)
      .map(({ src }) => ({ src, was: '', verdict }));
  });
}

function verdictsIn(statements: SessionStatement[]): SessionVerdicts {
  const takenBack = statements.flatMap(({ overturned }) =>
    overturned.flatMap(({ was, by }) => {
      const [first] = by;
      if (!first) return [];
      const words = cutAtWord(oneLine(first.text), LONGEST_VERDICT);
      const verdict = first.by === 'user' ? `rejected: “${words}”` : `replaced by: “${words}”`;
      return was.map(({ src, text }) => ({ src, was: text, verdict }));
    }),
  );
  const stated = statements.flatMap(({ quotes }) => quotes.map(({ src, text }) => ({ src, text })));
  const turns = statements.map(({ kind, text, ts, quotes }): PassageTurn => {
    const src = quotes.at(-1)?.src ?? -1;
    return { kind: 'statement', speaker: SPEAKERS[kind], ts, src, text: oneLine(text) };
  });
  return { takenBack, stated, statements: turns };
}
