import type { ExchangeRecord } from '../../model/exchange.ts';
import { termsOf } from '../../text/terms.ts';
import { keywordKey } from '../keywords.ts';
import { termWeight } from '../term-weight.ts';

/** An exchange, the session it is of, and the one that came before it there. */
export type ConceptMember = { record: ExchangeRecord; session: string; before?: ExchangeRecord | undefined };
/** Terms by their number, and what each weighs. */
export type Vector = { terms: number[]; weights: number[] };
/** An exchange as grouping sees it. Its vector holds terms and files, and is of length 1. */
export type VectorItem = ConceptMember & { vector: Vector; keywords: string[]; files: string[] };

/** A file that more of the exchanges touch does not show the topic of one. */
const HUB = 0.2;
/** Below this many, even a file that all touch is no hub. */
const FEW = 10;
const FILE_WEIGHT = 1.2;
/** How much of the exchange before it an ask of a few words is about. */
const FOLLOWS = 0.6;
const SHORT_ASK = 5;
const RELATED = 0.03;
/** A session mostly stays with its topic. */
const GOES_ON = 0.4;
const STRONGEST = 40;
/** Exchanges whose words are not taken apart a second time: more would take more memory than it saves time. */
const REMEMBERED = 20_000;
const FILE = '\0';

/** The topic of an exchange alone, and how many weighty words its request has. */
type Own = Vector & { asked: number };
type Features = { terms: number[]; counts: number[]; asked: number };

/** In canonical order: by time, then by id. The same set gives the same list, however it came together. */
export function conceptMembers(
  sessions: { sessionId: string; exchanges: ExchangeRecord[] }[],
): ConceptMember[] {
  const all: ConceptMember[] = [];
  for (const { sessionId, exchanges } of sessions)
    exchanges.forEach((record, place) => {
      if (record.keywords.length === 0) return;
      const last = exchanges[place - 1];
      // Only what comes earlier in all of the list: what is derived for one never depends on those after it.
      const before = last && last.keywords.length > 0 && order(last, record) < 0 ? last : undefined;
      all.push({ record, session: sessionId, before });
    });
  return all.sort((a, b) => order(a.record, b.record));
}

/** What terms and files weigh, by how many of the exchanges that were counted hold them. */
export class TermWeights {
  readonly terms: string[] = [];
  readonly counts: number[] = [];
  readonly #counted: number;
  readonly #numbers = new Map<string, number>();
  readonly #features = new Map<ExchangeRecord, Features>();
  readonly #own = new Map<ExchangeRecord, Own>();

  constructor(counted: number, terms: string[] = [], counts: number[] = []) {
    this.#counted = counted;
    for (const term of terms) this.#number(term);
    for (const [number, count] of counts.entries()) this.counts[number] = count;
  }

  static countedIn(members: ConceptMember[]): TermWeights {
    const weights = new TermWeights(members.length);
    for (const { record } of members)
      for (const term of weights.#featuresOf(record).terms) weights.counts[term]!++;
    return weights;
  }

  itemsOf(members: ConceptMember[]): VectorItem[] {
    const items = members.map((member) => ({
      ...member,
      vector: this.#followed(member),
      keywords: keywordKeysOf(member.record),
      files: member.record.files.filter((file) => !this.#isHub(this.#numbers.get(FILE + file) ?? -1)),
    }));
    this.#features.clear();
    this.#own.clear();
    return items;
  }

  #number(term: string): number {
    const known = this.#numbers.get(term);
    if (known !== undefined) return known;
    const number = this.terms.push(term) - 1;
    this.#numbers.set(term, number);
    this.counts.push(0);
    return number;
  }

  #isHub(file: number): boolean {
    return this.#counted >= FEW && (this.counts[file] ?? 0) > Math.max(3, HUB * this.#counted);
  }

  #weightOf(term: number): number {
    if (this.terms[term]!.startsWith(FILE) && this.#isHub(term)) return 0;
    return Math.max(0, Math.log((this.#counted + 1) / (this.counts[term]! + 0.5)));
  }

  #featuresOf(record: ExchangeRecord): Features {
    const known = this.#features.get(record);
    if (known) return known;
    const found = new Map<number, number>();
    const add = (term: string, weight: number) => {
      if (weight === 0) return;
      const number = this.#number(term);
      found.set(number, (found.get(number) ?? 0) + weight);
    };
    let asked = 0;
    for (const term of termsOf(record.ask)) {
      const worth = termWeight(term);
      if (worth > 0) asked++;
      // What was asked for counts twice.
      add(term, 2 * worth);
    }
    for (const term of termsOf(record.summary)) add(term, termWeight(term));
    for (const keyword of record.keywords) for (const term of termsOf(keyword)) add(term, termWeight(term));
    for (const file of record.files) add(FILE + file, FILE_WEIGHT);
    const features = { terms: [...found.keys()], counts: [...found.values()], asked };
    if (this.#features.size < REMEMBERED) this.#features.set(record, features);
    return features;
  }

  #ownOf(record: ExchangeRecord): Own {
    const known = this.#own.get(record);
    if (known) return known;
    const { terms, counts, asked } = this.#featuresOf(record);
    const found: Vector = { terms: [], weights: [] };
    terms.forEach((term, place) => {
      const weight = Math.sqrt(counts[place]!) * this.#weightOf(term);
      if (weight > 0) push(found, term, weight);
    });
    const own = { ...normalized(strongest(found, STRONGEST)), asked };
    this.#own.set(record, own);
    this.#features.delete(record);
    return own;
  }

  /** "Yes, do that" is about what was talked of before. */
  #followed({ record, before }: ConceptMember): Vector {
    const own = this.#ownOf(record);
    if (!before) return own;
    const { asked } = own;
    const earlier = this.#ownOf(before);
    // Nothing else continues from it.
    this.#own.delete(before);
    const both = new Map(own.terms.map((term, place) => [term, own.weights[place]!]));
    let product = 0;
    earlier.terms.forEach((term, place) => {
      product += (both.get(term) ?? 0) * earlier.weights[place]!;
    });
    // Words of its own that have nothing to do with what came before begin another topic.
    if (asked >= 2 && product < RELATED) return own;
    const share = asked < SHORT_ASK ? FOLLOWS : GOES_ON;
    earlier.terms.forEach((term, place) => {
      both.set(term, (both.get(term) ?? 0) + share * earlier.weights[place]!);
    });
    return normalized(strongest({ terms: [...both.keys()], weights: [...both.values()] }, STRONGEST));
  }
}

export function keywordKeysOf({ keywords }: ExchangeRecord): string[] {
  return [...new Set(keywords.map(keywordKey))];
}

/** The heaviest entries: what is left out would hardly count, and grouping costs by their number. */
export function strongest(vector: Vector, most: number): Vector {
  const { terms, weights } = vector;
  if (terms.length <= most) return vector;
  const places = terms.map((_, place) => place);
  places.sort((a, b) => weights[b]! - weights[a]! || terms[a]! - terms[b]!);
  const found: Vector = { terms: [], weights: [] };
  for (const place of places.slice(0, most)) push(found, terms[place]!, weights[place]!);
  return found;
}

function push(vector: Vector, term: number, weight: number): void {
  vector.terms.push(term);
  vector.weights.push(weight);
}

function normalized({ terms, weights }: Vector): Vector {
  const length = Math.sqrt(weights.reduce((sum, weight) => sum + weight * weight, 0));
  return { terms, weights: weights.map((weight) => weight / length) };
}

export function order(a: { ts: string; id: string }, b: { ts: string; id: string }): number {
  return a.ts < b.ts ? -1 : a.ts > b.ts ? 1 : a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}
