import type { FactSource, Replaced } from '../../model/fact.ts';
import { clauseKeys } from './clauses.ts';
import { statementId } from './ids.ts';
import { isSameWish, SAME_WISH, type Wish, wishOf } from './polarity.ts';
import type { FactKindOf } from './stated-by-session.ts';

/** What the user said, once or again and again, in whatever words. */
export type StatementGroup = {
  ids: Set<string>;
  kind: FactKindOf;
  content: string;
  score: number;
  /** Of statements at a session's end: the best of them. */
  confidence: number | undefined;
  /** Whose words; a group of both is the user's. */
  source: 'user' | 'assistant';
  replaced: Replaced[];
  wish: Wish;
  sources: FactSource[];
  exchanges: Set<string>;
  added: 'user' | 'assistant' | undefined;
  first: string;
};

/** The groups so far, found by id or by what they ask for, without reading all of them. */
export class StatementGroups {
  readonly all: StatementGroup[] = [];
  readonly #byId = new Map<string, number>();
  readonly #byTerm = new Map<string, number[]>();
  readonly #byClause = new Map<string, number[]>();

  named(id: string): StatementGroup | undefined {
    const place = this.#byId.get(id);
    return place === undefined ? undefined : this.all[place];
  }

  /** The first that has this id, or asks for the same. */
  like(kind: StatementGroup['kind'], text: string): StatementGroup | undefined {
    let first = this.#byId.get(statementId(kind, text)) ?? this.all.length;
    const wish = wishFor(kind, text);
    const look = (places: readonly number[] = []) => {
      for (const place of places) {
        if (place >= first) break;
        if (isSameWish(this.all[place]!.wish, wish)) first = place;
      }
    };
    for (const term of this.#rarest(termsOfWish(wish))) look(this.#byTerm.get(term));
    for (const key of clauseKeys(wish.clauses)) look(this.#byClause.get(key));
    return this.all[first];
  }

  /** `id`: what it goes by, where that is not the hash of its words. */
  start(
    kind: StatementGroup['kind'],
    content: string,
    at: string,
    id = statementId(kind, content),
  ): StatementGroup {
    const wish = wishFor(kind, content);
    const group: StatementGroup = {
      ids: new Set(),
      kind,
      content,
      score: 0,
      confidence: undefined,
      source: 'assistant',
      replaced: [],
      wish,
      sources: [],
      exchanges: new Set(),
      added: undefined,
      first: at,
    };
    const place = this.all.push(group) - 1;
    this.#name(place, id);
    this.#name(place, statementId(kind, content));
    for (const term of termsOfWish(wish)) addPlace(this.#byTerm, term, place);
    for (const key of new Set(clauseKeys(wish.clauses))) addPlace(this.#byClause, key, place);
    return group;
  }

  name(group: StatementGroup, id: string): void {
    const [own] = group.ids;
    this.#name(this.#byId.get(own!)!, id);
  }

  #name(place: number, id: string): void {
    this.all[place]!.ids.add(id);
    if (!this.#byId.has(id)) this.#byId.set(id, place);
  }

  /** A statement that shares this much with these words contains one of the rarest of them. */
  #rarest(terms: string[]): string[] {
    const held = (term: string) => this.#byTerm.get(term)?.length ?? 0;
    return terms
      .sort((a, b) => held(a) - held(b))
      .slice(0, terms.length - Math.ceil(SAME_WISH * terms.length) + 1);
  }
}

/** A lasting rule: the same rule inside a longer one counts as equal. A decision concerns the work of its time. */
const LASTING: ReadonlySet<FactKindOf> = new Set(['rule', 'preference', 'constraint', 'environment']);
const SHORT = 200;

function wishFor(kind: FactKindOf, text: string): Wish {
  const wish = wishOf(text);
  return LASTING.has(kind) && text.length <= SHORT ? wish : { ...wish, clauses: [] };
}

function addPlace(index: Map<string, number[]>, key: string, place: number): void {
  const known = index.get(key);
  if (known) known.push(place);
  else index.set(key, [place]);
}

function termsOfWish({ wants, shuns }: Wish): string[] {
  return [...[...wants].map((term) => `+${term}`), ...[...shuns].map((term) => `-${term}`)];
}
