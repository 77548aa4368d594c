import type { Candidate, FactEdit, FactSource, Rule, Semantic } from '../../model/fact.ts';
import { day, hundredths, someSources, sourceOf, type Told, verdictOf } from './context.ts';
import { commandsNamed, type Events } from './contradictions.ts';
import { sayingId } from './ids.ts';
import { Negations } from './negations.ts';
import { type Saying, SayingBook } from './statement-groups.ts';

/** Said outright; and what may become a fact when it comes again. */
export const OUTRIGHT = 1;
export const CANDIDATE = 0.45;
/** How sure a sentence that is no order must be to be noted at its first coming. */
const NOTED = 0.6;
/** An order that was given so often is meant to last, however it was said. */
const RECURS = 2;

export type Sayings = { rules: Rule[]; semantic: Semantic[]; candidates: Candidate[] };

/** What the user said that lasts: rules, preferences, decisions, facts; and what may yet become so. */
export function sayingsOf(told: Told[], edits: FactEdit[], events: Events): Sayings {
  const sayings = collect(told, edits);
  const later = new Negations(told);
  const found: Sayings = { rules: [], semantic: [], candidates: [] };
  for (const saying of sayings) {
    const verdict = verdictOf(saying.ids, edits);
    if (verdict.forgotten) continue;
    const recurs = saying.exchanges.size >= RECURS;
    const trusted = verdict.confirmed || saying.added !== undefined;
    const lasting =
      trusted || saying.score >= OUTRIGHT || recurs || (saying.kind !== 'rule' && saying.score >= NOTED);
    const [id] = saying.ids;
    if (!lasting) {
      const { content, score, sources } = saying;
      if (score >= CANDIDATE && saying.kind !== 'pattern')
        found.candidates.push({ id: id!, content, kind: saying.kind, score, sources: someSources(sources) });
      continue;
    }
    const since = [saying.sources.at(-1)?.ts ?? saying.first, verdict.settled].sort().at(-1)!;
    const against = [
      ...later.of(saying.wish, since),
      ...events.against(commandsNamed(verdict.content ?? saying.content), since),
      ...verdict.against.map(({ at, note }) => noteSource(at, note)),
    ];
    const validated = [since, events.validated(commandsNamed(verdict.content ?? saying.content), since)]
      .sort()
      .at(-1)!;
    const standing = {
      id: id!,
      source: saying.added === 'assistant' && !verdict.confirmed ? ('assistant' as const) : ('user' as const),
      confidence: hundredths((verdict.confirmed ? 1 : sureness(saying)) - 0.1 * against.length),
      contradictions: against.length,
      last_validated: day(validated),
      validatedByUser: verdict.confirmed || saying.added === 'user',
      sources: someSources(saying.sources),
      against: someSources(against),
    };
    const content = verdict.content ?? saying.content;
    // An agent's word is never a rule until the user says so.
    if (saying.kind === 'rule' && standing.source === 'user') found.rules.push({ ...standing, content });
    else
      found.semantic.push({
        ...standing,
        type: saying.kind === 'rule' ? 'fact' : saying.kind,
        content,
        extractedAt: since,
      });
  }
  return found;
}

function collect(told: Told[], edits: FactEdit[]): Saying[] {
  const sayings = new SayingBook();
  for (const entry of told) {
    for (const { kind, text, score, src } of entry.record.said) {
      if (score < CANDIDATE) continue;
      const saying = sayings.like(kind, text) ?? sayings.start(kind, text, entry.record.ts);
      sayings.name(saying, sayingId(kind, text));
      saying.score = Math.max(saying.score, score);
      // Said as an order once, it is one.
      if (kind === 'rule') saying.kind = 'rule';
      saying.sources.push(sourceOf(entry, src, text));
      saying.exchanges.add(entry.record.id);
    }
  }
  for (const edit of edits) {
    if (edit.action !== 'add') continue;
    const known = sayings.named(edit.factId) ?? sayings.start(edit.kind, edit.content, edit.at);
    sayings.name(known, edit.factId);
    known.added = edit.by === 'user' ? 'user' : (known.added ?? 'assistant');
  }
  return sayings.all;
}

function sureness({ score, exchanges, added }: Saying): number {
  if (added === 'user') return 1;
  if (added === 'assistant') return 0.5;
  if (score >= OUTRIGHT) return Math.min(1, 0.9 + 0.05 * (exchanges.size - 1));
  return Math.min(0.9, 0.5 + 0.2 * (exchanges.size - 1) + (score - CANDIDATE) * 0.2);
}

function noteSource(at: string, note: string): FactSource {
  return { sessionId: '', messageUuid: '', excerpt: note, exchange: '', ts: at, src: 0 };
}
