import type { FactEdit } from '../../model/fact.ts';
import type { SessionStatement } from '../../model/statement.ts';
import { type FactVerdict, verdictOf } from './context.ts';
import { effectiveEdits } from './effective-edits.ts';
import { statementId } from './ids.ts';
import { statedFactOf } from './stated-by-session.ts';
import { type StatementGroup, StatementGroups } from './statement-groups.ts';

/** What a user's edits of facts say of a statement: whether it is forgotten or contradicted, and the words it was corrected to. */
export type Settled = { gone: boolean; content?: string };

/** By id, the statements that the user forgot, contradicted or corrected as facts, in these or in other words. */
export function settledStatements(statements: SessionStatement[], all: FactEdit[]): Map<string, Settled> {
  const settled = new Map<string, Settled>();
  for (const { own, verdict } of judgedGroups(statements, all)) {
    const { forgotten, against, content } = verdict;
    const gone = forgotten || against.length > 0;
    if (!gone && content === undefined) continue;
    for (const { id } of own) settled.set(id, { gone, ...(content === undefined ? {} : { content }) });
  }
  return settled;
}

/** Those that the user confirmed as facts. */
export function confirmedStatements(statements: SessionStatement[], all: FactEdit[]): Set<string> {
  const groups = judgedGroups(statements, all).filter(
    ({ verdict: { confirmed, forgotten, against } }) => confirmed && !forgotten && against.length === 0,
  );
  return new Set(groups.flatMap(({ own }) => own.map(({ id }) => id)));
}

type JudgedGroup = { own: SessionStatement[]; verdict: FactVerdict };

/** Statements that say the same, with the effects of the user's edits. */
function judgedGroups(statements: SessionStatement[], all: FactEdit[]): JudgedGroup[] {
  const edits = effectiveEdits(all);
  if (edits.length === 0) return [];
  const groups = new StatementGroups();
  const members = new Map<StatementGroup, SessionStatement[]>();
  const byTime = [...statements].sort((a, b) => (order(a) < order(b) ? -1 : 1));
  for (const statement of byTime) {
    const { kind, text } = statedFactOf(statement);
    const group = groups.like(kind, text) ?? groups.start(kind, text, statement.ts);
    groups.name(group, statementId(kind, text));
    members.set(group, [...(members.get(group) ?? []), statement]);
  }
  return [...members].map(([group, own]) => ({ own, verdict: verdictOf(group.ids, edits) }));
}

function order({ ts, exchange, id }: SessionStatement): string {
  return `${ts}\0${String(exchange).padStart(9, '0')}\0${id}`;
}
