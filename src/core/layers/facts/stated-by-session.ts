import type { ExchangeRecord } from '../../model/exchange.ts';
import type { SEMANTIC_TYPES } from '../../model/semantic-types.ts';
import type { SessionStatement, StatedKind } from '../../model/statement.ts';
import { OUTRIGHT, statementsIn } from '../exchanges/statements.ts';

export type FactKindOf = 'rule' | (typeof SEMANTIC_TYPES)[number];

/** What a session's end says, as facts take it. */
export type StatedFact = {
  kind: FactKindOf;
  text: string;
  source: 'user' | 'assistant';
  confidence: number;
  isShown: boolean;
  src: number;
  excerpt: string;
  replaced: { was: string; by: string }[];
};

const KINDS: Record<StatedKind, FactKindOf> = {
  decision: 'decision',
  rule: 'rule',
  preference: 'preference',
  lesson: 'lesson',
  solution: 'lesson',
  environment: 'environment',
  constraint: 'constraint',
  open: 'open',
};
/** Kinds that the user's own words say whole. */
const IN_OWN_WORDS: ReadonlySet<FactKindOf> = new Set(['rule', 'preference', 'constraint']);
/** Where a statement is the user's own sentence, and not an answer to someone else's. */
const SAID: ReadonlySet<SessionStatement['foundBy']> = new Set(['words', 'refusal']);

/** The statements of a session by the exchange that they were made in. */
export function statedByExchange(
  exchanges: readonly ExchangeRecord[],
  statements: readonly SessionStatement[],
): Map<string, StatedFact[]> {
  const found = new Map<string, StatedFact[]>();
  const byLine = [...statements].sort((a, b) => a.exchange - b.exchange || (a.id < b.id ? -1 : 1));
  let place = 0;
  for (const statement of byLine) {
    while ((exchanges[place]?.l1_range[1] ?? Number.POSITIVE_INFINITY) < statement.exchange) place++;
    const record = exchanges[place];
    if (!record) continue;
    const known = found.get(record.id);
    const fact = statedFactOf(statement);
    if (known) known.push(fact);
    else found.set(record.id, [fact]);
  }
  return found;
}

/** A statement as a fact. */
export function statedFactOf(statement: SessionStatement): StatedFact {
  const { author, foundBy, quotes, overturned, tier } = statement;
  const own = author === 'user' && SAID.has(foundBy) ? quotes.filter(({ by }) => by === 'user') : [];
  const order = own.flatMap(({ text }) => statementsIn(text, 0)).find(({ kind }) => kind === 'rule');
  const kind = kindOf(statement, own.at(-1)?.text, order !== undefined);
  const text = kind === 'rule' && order ? order.text : ownWords(kind, own) || statement.text;
  const words = (list: { text: string }[]) => list.map((quote) => quote.text).join(' … ');
  return {
    kind,
    text: text.replace(/\s+/g, ' ').trim(),
    source: author === 'user' ? 'user' : 'assistant',
    confidence: statement.confidence,
    isShown: tier === 'shown' && (kind !== 'rule' || (order?.score ?? 0) >= OUTRIGHT),
    src: quotes[0]?.src ?? 0,
    excerpt: quotes[0]?.text ?? text,
    replaced: overturned.map(({ was, by }) => ({ was: words(was), by: words(by) })),
  };
}

/** Only the user's own instruction may become a rule, and a question never does: it was decided once, for that work. */
function kindOf({ kind }: SessionStatement, last: string | undefined, isOrder: boolean): FactKindOf {
  const known = KINDS[kind];
  if (!IN_OWN_WORDS.has(known)) return known;
  if (last === undefined || /[?？]\s*$/.test(last)) return 'decision';
  return known === 'rule' && !isOrder ? 'decision' : known;
}

function ownWords(kind: FactKindOf, own: { text: string }[]): string {
  return IN_OWN_WORDS.has(kind) ? own.map(({ text }) => text).join(' … ') : '';
}
