import type { Concept } from '../../model/concept.ts';
import type { Fact, FactEdit, FactFile, OtherFact } from '../../model/fact.ts';
import { compare } from '../../model/record-order.ts';
import { verdictOf } from './context.ts';
import { effectiveEdits } from './effective-edits.ts';
import { factsOf, type SessionLayers } from './facts.ts';

/** Exchanges of a session that someone else had. */
export type OthersSession = SessionLayers & { by: string };

/**
 * Facts from the sessions of others, separately for each author, listed with the author's name. Facts that this user deleted or
 * already has are left out.
 */
export function othersFacts(
  sessions: OthersSession[],
  concepts: Concept[],
  edits: FactEdit[],
  mine: FactFile,
): OtherFact[] {
  const authors = new Set([
    ...sessions.map(({ by }) => by),
    ...edits.flatMap(({ author }) => (author === undefined ? [] : [author])),
  ]);
  const known = new Set(flatFacts(mine).map(({ id }) => id));
  const own = effectiveEdits(edits);
  return [...authors].sort(compare).flatMap((by) => {
    const theirs = edits
      .filter(({ author }) => author === by)
      .map(({ author: _, ...edit }) => edit as FactEdit);
    const file = factsOf(
      sessions.filter((session) => session.by === by),
      concepts,
      theirs,
    );
    return flatFacts(file)
      .filter(({ id }) => !known.has(id) && !verdictOf(new Set([id]), own).forgotten)
      .map((fact) => ({ ...fact, by }));
  });
}

function flatFacts({ permanent }: FactFile): Omit<OtherFact, 'by'>[] {
  const { rules, semantic, solutions, core_logic } = permanent;
  return [
    ...rules.map((fact) => ({ ...plain(fact), kind: 'rule' as const, content: fact.content })),
    ...semantic.map((fact) => ({ ...plain(fact), kind: fact.type, content: fact.content })),
    ...solutions.map((fact) => ({
      ...plain(fact),
      kind: 'solution' as const,
      content: `${fact.problem}: ${fact.solution}`,
    })),
    ...core_logic.map((fact) => ({
      ...plain(fact),
      kind: 'core_logic' as const,
      content: `${fact.feature}: ${fact.description}`,
    })),
  ];
}

/** That its own user confirmed it means nothing to this one. */
function plain({ id, source, confidence, contradictions, last_validated, sources, against }: Fact): Fact {
  return { id, source, confidence, contradictions, last_validated, validatedByUser: false, sources, against };
}
