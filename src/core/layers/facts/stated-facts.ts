import type { FactCandidate, FactSource, RejectedFact, Rule, Semantic } from '../../model/fact.ts';
import { CANDIDATE, OUTRIGHT } from '../exchanges/statements.ts';
import { citeExchange, day, type FactExchange, hundredths, someSources, verdictOf } from './context.ts';
import { commandsNamed, type Events } from './contradictions.ts';
import type { EffectiveEdit } from './effective-edits.ts';
import { statementId } from './ids.ts';
import { Negations } from './negations.ts';
import type { StatedFact } from './stated-by-session.ts';
import { type StatementGroup, StatementGroups } from './statement-groups.ts';

/** An instruction given this often is meant to last, however it was worded. */
const RECURS = 2;

const AGAIN = 0.7;
/** Share of the user's own orders that readers kept. */
const KEPT_ORDERS = 0.8;
/** Bounds one turn, however often it is said. */
const ONE_TURN =
  /\b(?:don'?t|do not) (?:write|make|change|do|run|start|implement|edit) (?:any )?(?:code|anything|changes|work)\b(?! (?:to|in|that|without|unless|until|before|on)\b)/i;

export type StatedFacts = {
  rules: Rule[];
  semantic: Semantic[];
  candidates: FactCandidate[];
  rejected: RejectedFact[];
  /** Ids of orders of which the user asked for the opposite since: which of the two counts, only they know. */
  denied: string[];
};

/** What is obeyed. */
const ORDERS: ReadonlySet<StatementGroup['kind']> = new Set(['rule', 'preference', 'constraint']);

/** What the user said that lasts: rules, preferences, decisions, facts; and what may yet become so. */
export function statedFacts(
  exchanges: FactExchange[],
  stated: ReadonlyMap<string, StatedFact[]>,
  { edits, events }: { edits: EffectiveEdit[]; events: Events },
): StatedFacts {
  const groups = collect(exchanges, stated, edits);
  const later = new Negations(exchanges);
  const found: StatedFacts = { rules: [], semantic: [], candidates: [], rejected: [], denied: [] };
  for (const group of groups) {
    const verdict = verdictOf(group.ids, edits);
    if (verdict.forgotten) {
      if (verdict.rejected) found.rejected.push(rejectedFact(group, verdict.rejected));
      continue;
    }
    const recurs = group.exchanges.size >= RECURS && !ONE_TURN.test(group.content);
    const trusted = verdict.confirmed || group.added !== undefined;
    const lasting = trusted || group.score >= OUTRIGHT || recurs;
    const [id] = group.ids;
    if (!lasting) {
      if (group.score >= CANDIDATE) found.candidates.push(...candidateOf(group));
      continue;
    }
    const since = [group.sources.at(-1)?.ts ?? group.first, verdict.settled].sort().at(-1)!;
    const opposite = later.of(group.wish, since);
    if (opposite.length > 0 && ORDERS.has(group.kind)) found.denied.push(id!);
    const against = [
      ...opposite,
      ...events.against(commandsNamed(verdict.content ?? group.content), since),
      ...verdict.against.map(({ at, note }) => noteSource(at, note)),
    ];
    const validated = [since, events.validated(commandsNamed(verdict.content ?? group.content), since)]
      .sort()
      .at(-1)!;
    const fields = {
      id: id!,
      source: verdict.confirmed || group.added === 'user' ? ('user' as const) : group.source,
      confidence: hundredths((verdict.confirmed ? 1 : sureness(group)) - 0.1 * against.length),
      contradictions: against.length,
      last_validated: day(validated),
      validatedByUser: verdict.confirmed || group.added === 'user',
      sources: someSources(group.sources),
      against: someSources(against),
    };
    const content = verdict.content ?? group.content;
    // An agent's statement is never a rule until the user confirms it.
    if (group.kind === 'rule' && fields.source === 'user') found.rules.push({ ...fields, content });
    else
      found.semantic.push({
        ...fields,
        type: group.kind === 'rule' ? 'fact' : group.kind,
        content,
        extractedAt: since,
        ...(group.replaced.length === 0 ? {} : { replaced: group.replaced }),
      });
  }
  return found;
}

function candidateOf({
  ids,
  content,
  kind,
  score,
  source,
  confidence,
  sources,
}: StatementGroup): FactCandidate[] {
  const [id] = ids;
  if (kind === 'pattern') return [];
  const own = source === 'assistant' ? { source } : {};
  const chance = confidence === undefined ? {} : { confidence };
  return [{ id: id!, content, kind, score, ...own, ...chance, sources: someSources(sources) }];
}

function rejectedFact(
  { ids, content, kind, sources }: StatementGroup,
  { at, note }: { at: string; note: string },
): RejectedFact {
  const [id] = ids;
  return { id: id!, content, kind, sources: someSources(sources), at, note };
}

function collect(
  exchanges: FactExchange[],
  stated: ReadonlyMap<string, StatedFact[]>,
  edits: EffectiveEdit[],
): StatementGroup[] {
  const groups = new StatementGroups();
  const edited = new Set(edits.map(({ factId }) => factId));
  for (const entry of exchanges) {
    for (const { kind, text, score, src } of entry.record.said) {
      // Other sentences count by their outcome, unless the user decided about them.
      if (score < CANDIDATE || (kind !== 'rule' && !edited.has(statementId(kind, text)))) continue;
      const group = noted(groups, entry, { kind, text });
      group.score = Math.max(group.score, score);
      group.source = 'user';
      addSource(group, entry, { src, excerpt: text });
    }
    for (const fact of stated.get(entry.record.id) ?? []) {
      const group = noted(groups, entry, fact);
      group.score = Math.max(group.score, fact.isShown ? OUTRIGHT : CANDIDATE);
      group.confidence = Math.max(group.confidence ?? 0, fact.confidence);
      if (fact.source === 'user') group.source = 'user';
      group.replaced.push(...fact.replaced);
      addSource(group, entry, fact);
    }
  }
  for (const edit of edits) {
    if (edit.action !== 'add') continue;
    const known = groups.named(edit.factId) ?? groups.start(edit.kind, edit.content, edit.at, edit.factId);
    groups.name(known, edit.factId);
    known.added = edit.by === 'user' ? 'user' : (known.added ?? 'assistant');
  }
  return groups.all;
}

/** The group that says the same, or a new one. */
function noted(
  groups: StatementGroups,
  entry: FactExchange,
  { kind, text }: Pick<StatedFact, 'kind' | 'text'>,
): StatementGroup {
  const group = groups.like(kind, text) ?? groups.start(kind, text, entry.record.ts);
  groups.name(group, statementId(kind, text));
  // Said as an order once, it is one.
  if (kind === 'rule') group.kind = 'rule';
  return group;
}

function addSource(
  group: StatementGroup,
  entry: FactExchange,
  { src, excerpt }: Pick<StatedFact, 'src' | 'excerpt'>,
): void {
  // The same sentence may be found in two ways.
  if (!group.sources.some((it) => it.src === src && it.exchange === entry.record.id))
    group.sources.push(citeExchange(entry, src, excerpt));
  group.exchanges.add(askKey(entry));
}

/** A prompt that was sent again is one. */
function askKey({ session, record: { ask, id } }: FactExchange): string {
  return `${session} ${ask.trim() || id}`;
}

function sureness({ score, confidence, exchanges, added }: StatementGroup): number {
  if (added === 'user') return 1;
  if (added === 'assistant') return 0.5;
  const kept = score >= OUTRIGHT ? Math.max(confidence ?? 0, KEPT_ORDERS) : confidence;
  // Said again, it is surer.
  if (kept !== undefined) return 1 - (1 - kept) * AGAIN ** (exchanges.size - 1);
  return Math.min(0.9, 0.5 + 0.2 * (exchanges.size - 1) + (score - CANDIDATE) * 0.2);
}

function noteSource(at: string, note: string): FactSource {
  return { sessionId: '', messageUuid: '', excerpt: note, exchange: '', ts: at, src: 0 };
}
