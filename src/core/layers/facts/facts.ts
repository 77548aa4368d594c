import type { Concept } from '../../model/concept.ts';
import type { FactEdit, FactFile, Review } from '../../model/fact.ts';
import { LAYERS_ENGINE } from '../../model/layers-engine.ts';
import type { SessionStatement } from '../../model/statement.ts';
import type { SessionExchanges } from '../concepts/concepts.ts';
import { keywordKey } from '../keywords.ts';
import { day, type FactExchange, factExchanges } from './context.ts';
import { eventsOf } from './contradictions.ts';
import { coreLogicOf } from './core-logic.ts';
import { effectiveEdits } from './effective-edits.ts';
import { patternsOf } from './patterns.ts';
import { rejectedPlaces, withoutRejected } from './rejected-places.ts';
import { solutionsOf } from './solutions.ts';
import { type StatedFact, statedByExchange } from './stated-by-session.ts';
import { statedFacts } from './stated-facts.ts';

/** This many contradictions need a review; for an instruction one contradiction by the user is enough. */
export const REVIEW_AT = 5;
/** An exchange is found by the first of its keywords; the others are in its own record. */
const INDEXED = 6;
const MOST_PLACES = 40;

/** A session's exchanges, and what is true at its end. */
export type SessionLayers = SessionExchanges & { statements?: SessionStatement[] };

/**
 * The facts of a project (L4). They depend only on its exchanges, concepts and edits. A request that the user withdrew by
 * asking again has no statement in its record.
 */
export function factsOf(sessions: SessionLayers[], concepts: Concept[], all: FactEdit[] = []): FactFile {
  const edits = effectiveEdits(all);
  const places = rejectedPlaces(edits);
  const said = places.size === 0 ? sessions : sessions.map((session) => withoutRejected(session, places));
  const exchanges = factExchanges(said);
  const events = eventsOf(exchanges);
  const { rules, semantic, candidates, rejected, denied } = statedFacts(exchanges, statedIn(said), {
    edits,
    events,
  });
  const solutions = solutionsOf(exchanges, edits, events);
  const core = coreLogicOf(exchanges, concepts, edits);
  const memories = [...semantic, ...patternsOf(exchanges, edits, events)];
  const reviews: Review[] = [...rules, ...solutions, ...core, ...memories]
    .filter(({ id, contradictions }) => contradictions >= REVIEW_AT || denied.includes(id))
    .map(({ id, contradictions, against }) => ({ id, contradictions, since: day(against.at(-1)?.ts ?? '') }));
  const newest = [exchanges.at(-1)?.record.ts ?? '', ...edits.map(({ at }) => at)].sort().at(-1) ?? '';
  return {
    engine: LAYERS_ENGINE,
    keywords: keywordIndex(exchanges, concepts),
    permanent: { rules, solutions, core_logic: core, semantic: memories },
    candidates,
    reviews,
    ...(rejected.length > 0 ? { rejected } : {}),
    stats: { total_exchanges: exchanges.length, total_concepts: concepts.length, last_updated: day(newest) },
  };
}

function statedIn(sessions: SessionLayers[]): Map<string, StatedFact[]> {
  return new Map(
    sessions.flatMap(({ exchanges, statements = [] }) => [...statedByExchange(exchanges, statements)]),
  );
}

/** Where each keyword leads: concepts first, then the latest exchanges. */
function keywordIndex(exchanges: FactExchange[], concepts: Concept[]): Record<string, string[]> {
  const index = new Map<string, { form: string; concepts: string[]; exchanges: string[] }>();
  const at = (form: string) => {
    const key = keywordKey(form);
    const known = index.get(key) ?? { form, concepts: [], exchanges: [] };
    index.set(key, known);
    return known;
  };
  for (const { id, keywords } of concepts) for (const keyword of keywords) at(keyword).concepts.push(id);
  for (const { record } of exchanges.toReversed())
    for (const keyword of record.keywords.slice(0, INDEXED)) {
      const { exchanges } = at(keyword);
      if (exchanges.length < MOST_PLACES) exchanges.push(record.id);
    }
  // Keyed by outside strings: no prototype may answer for them.
  const entries: Record<string, string[]> = Object.create(null);
  const sorted = [...index.values()].sort((a, b) => (a.form < b.form ? -1 : a.form > b.form ? 1 : 0));
  for (const { form, concepts: ids, exchanges } of sorted)
    entries[form] = [...(entries[form] ?? []), ...ids, ...exchanges];
  return entries;
}
