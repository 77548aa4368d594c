import type { FactFile, FactSource } from '../../model/fact.ts';
import type { Document } from './document.ts';

type FactFields = { id: string; source: string; last_validated: string; sources: FactSource[] };

/** What lasts: rules, solutions, core logic, preferences and decisions. Candidates are not facts yet. */
export function factDocuments({ permanent, others = [] }: FactFile): Document[] {
  return [
    ...permanent.rules.map((it) => documentOf(it, 'rule', it.content)),
    ...permanent.semantic.map((it) => documentOf(it, it.type, it.content)),
    ...permanent.solutions.map((it) => documentOf(it, 'solution', `${it.problem}\n${it.solution}`)),
    ...permanent.core_logic.map((it) => documentOf(it, 'core logic', `${it.feature}: ${it.description}`)),
    ...others.map((it) => ({
      ...documentOf(it, `${it.kind.replace('_', ' ')} of ${it.by},`, it.content),
      author: it.by,
    })),
  ];
}

function documentOf(fact: FactFields, type: string, text: string): Document {
  const [first] = fact.sources;
  return {
    title: `${type} ${fact.id}`,
    text,
    ts: first?.ts ?? fact.last_validated,
    id: fact.id,
    by: fact.source,
    ...(first ? { sessionId: first.sessionId, exchange: first.exchange } : {}),
  };
}
