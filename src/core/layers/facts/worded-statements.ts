import type { Quote, SessionStatement } from '../../model/statement.ts';

/** What a model made of statements, by the id of the first: its sentence, and the others that say the same. */
export type ModelWords = Record<string, { text: string; with: string[]; by: string }>;

/** Statements in the words of a model where it has some: each keeps its quotations, and those of what says the same. */
export function withModelWords<T extends SessionStatement>(statements: T[], words: ModelWords): T[] {
  const known = new Map(statements.map((statement) => [statement.id, statement]));
  const merged = new Set<string>();
  const changed = new Map<string, T>();
  for (const { id } of statements) {
    const worded = words[id];
    const others = worded?.with.map((it) => known.get(it)) ?? [];
    // What it says the same as is gone: it was worded for other statements than these.
    if (!worded || others.some((it) => it === undefined)) continue;
    const all = [known.get(id)!, ...others.flatMap((it) => it ?? [])];
    for (const other of worded.with) merged.add(other);
    changed.set(id, mergedAs(worded.text, all));
  }
  return statements
    .filter(({ id }) => !merged.has(id))
    .map((statement) => changed.get(statement.id) ?? statement);
}

function mergedAs<T extends SessionStatement>(text: string, all: T[]): T {
  const [first] = all as [T];
  return {
    ...first,
    text,
    offline: first.text,
    tier: all.some(({ tier }) => tier === 'shown') ? 'shown' : 'candidate',
    confidence: Math.max(...all.map(({ confidence }) => confidence)),
    quotes: distinct(all.flatMap(({ quotes }) => quotes)),
    overturned: all.flatMap(({ overturned }) => overturned),
  };
}

function distinct(quotes: Quote[]): Quote[] {
  const seen = new Map(quotes.map((quote) => [`${quote.line} ${quote.field} ${quote.text}`, quote]));
  return [...seen.values()];
}
