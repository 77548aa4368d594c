import type { ExchangeRecord } from '../model/exchange.ts';
import { termsOf } from '../text/terms.ts';
import { keywordKey } from './keywords.ts';
import { telling } from './telling.ts';

/** An exchange as grouping sees it. */
export type Item = {
  record: ExchangeRecord;
  session: string;
  /** Terms and files by their number, of length 1. */
  vector: Map<number, number>;
  keywords: Set<string>;
  files: Set<string>;
};

/** A file that more of the exchanges touch says nothing of what one is about. */
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

/** In canonical order: by time, then by id. The same set gives the same items, however it came together. */
export function itemsOf(sessions: { sessionId: string; exchanges: ExchangeRecord[] }[]): Item[] {
  const all = sessions.flatMap(({ sessionId, exchanges }) =>
    exchanges.map((record, place) => ({ record, session: sessionId, before: exchanges[place - 1] })),
  );
  const told = all.filter(({ record }) => record.keywords.length > 0);
  told.sort((a, b) => order(a.record, b.record));
  const vocabulary = new Vocabulary();
  const documents = told.map(({ record }) => featuresOf(record, vocabulary));
  const { frequency } = vocabulary;
  const hub = told.length < FEW ? Number.POSITIVE_INFINITY : Math.max(3, HUB * told.length);
  const idf = frequency.map((times, key) =>
    vocabulary.files.has(key) && times > hub ? 0 : Math.max(0, Math.log((told.length + 1) / (times + 0.5))),
  );
  const own = documents.map(({ features }) => {
    const vector: Entry[] = [];
    for (const [key, count] of features) {
      const weight = Math.sqrt(count) * idf[key]!;
      if (weight > 0) vector.push([key, weight]);
    }
    return normalised(strongest(vector));
  });
  const byId = new Map(told.map(({ record }, place) => [record.id, own[place]!]));
  const isTelling = (file: string) => (frequency[vocabulary.known(FILE + file) ?? -1] ?? 0) <= hub;
  return told.map(({ record, session, before }, place) => ({
    record,
    session,
    vector: followed(documents[place]!.asked, own[place]!, before && byId.get(before.id)),
    keywords: new Set(record.keywords.map(keywordKey)),
    files: new Set(record.files.filter(isTelling)),
  }));
}

const FILE = '\0';

/** A term or file, and its weight. */
type Entry = [key: number, weight: number];
type Document = { features: Map<number, number>; asked: number };

/** Terms and files by number, in the order of their first coming, and how many exchanges hold each. */
class Vocabulary {
  readonly frequency: number[] = [];
  readonly files = new Set<number>();
  readonly #numbers = new Map<string, number>();

  known(key: string): number | undefined {
    return this.#numbers.get(key);
  }

  number(key: string): number {
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.frequency.push(0) - 1;
    this.#numbers.set(key, number);
    if (key.startsWith(FILE)) this.files.add(number);
    return number;
  }
}

function featuresOf(record: ExchangeRecord, vocabulary: Vocabulary): Document {
  const features = new Map<number, number>();
  const add = (key: string, weight: number) => {
    if (weight === 0) return;
    const number = vocabulary.number(key);
    features.set(number, (features.get(number) ?? 0) + weight);
  };
  let asked = 0;
  for (const term of termsOf(record.ask)) {
    const worth = telling(term);
    if (worth > 0) asked++;
    // What was asked for counts twice.
    add(term, 2 * worth);
  }
  for (const term of termsOf(record.summary)) add(term, telling(term));
  for (const keyword of record.keywords) for (const term of termsOf(keyword)) add(term, telling(term));
  for (const file of record.files) add(FILE + file, FILE_WEIGHT);
  for (const key of features.keys()) vocabulary.frequency[key]!++;
  return { features, asked };
}

/** "Yes, do that" is about what was talked of before. */
function followed(
  asked: number,
  own: Map<number, number>,
  before: Map<number, number> | undefined,
): Map<number, number> {
  if (!before) return own;
  // Words of its own that have nothing to do with what came before begin another topic.
  if (asked >= 2 && product(own, before) < RELATED) return own;
  const share = asked < SHORT_ASK ? FOLLOWS : GOES_ON;
  const both = new Map(own);
  for (const [key, weight] of before) both.set(key, (both.get(key) ?? 0) + share * weight);
  return normalised(strongest([...both]));
}

/** The heaviest entries: what is left out would hardly count, and grouping costs by their number. */
function strongest(vector: Entry[]): Entry[] {
  if (vector.length <= STRONGEST) return vector;
  return vector.sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, STRONGEST);
}

function product(a: Map<number, number>, b: Map<number, number>): number {
  let sum = 0;
  for (const [key, weight] of a) sum += weight * (b.get(key) ?? 0);
  return sum;
}

function normalised(vector: Entry[]): Map<number, number> {
  let sum = 0;
  for (const [, weight] of vector) sum += weight * weight;
  const length = Math.sqrt(sum);
  return new Map(vector.map(([key, weight]) => [key, weight / length]));
}

export function order(a: { ts: string; id: string }, b: { ts: string; id: string }): number {
  return a.ts < b.ts ? -1 : a.ts > b.ts ? 1 : a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}
